/**
 * Records CRDs of consecutive releases from published Go modules, for proofs about real upgrades.
 *
 *     node conformance/recorders/upgrade/record.mjs [MODULES] [FOLDER]
 *
 * Instead of a module, a line of MODULES may name the folder of a git repository; its versions are tags, and `minors`
 * stands for all tags of the form v1.2.0.
 *
 * Descriptions, status and all metadata except for the name are removed; a release without other changes is left out.
 * One file per project with one line per CRD and release, in that order, compressed together because neighbours are
 * similar.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { decodeDocuments } from "@portcullis/engine/internal/codec/documents";
import { isArray, isObject } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";

const here = import.meta.dirname;
const [list = path.join(here, "modules.txt"), folder = path.join(here, "../../corpora/upgrade/releases")] =
  process.argv.slice(2);

mkdirSync(folder, { recursive: true });
const index = [];
for (const line of readFileSync(list, "utf8").split("\n")) {
  if (line === "" || line.startsWith("#")) continue;
  const [project, module, versions, folders] = line.split(" ");
  const releases = path.isAbsolute(module)
    ? tagsOf(module, versions).map((tag) => releaseOfTag(module, tag, folders.split(",")))
    : versions.split(",").flatMap((version) => releasesOf(module, version, folders.split(",")));
  const lines = chains(releases);
  const text = lines.map((each) => `${JSON.stringify(each.head)}\t${each.json}\n`).join("");
  const file = path.join(folder, `${project}.br`);
  writeFileSync(file, compress(text));
  index.push({
    project,
    module,
    versions: versions.split(","),
    folders: folders.split(","),
    definitions: lines.length,
    sha256: createHash("sha256").update(text).digest("hex"),
  });
  console.log(project, releases.length, "releases", lines.length, "definitions", readFileSync(file).length, "bytes");
}
writeFileSync(path.join(folder, "index.json"), `${JSON.stringify(index, undefined, 2)}\n`);

function git(repository, ...args) {
  return execFileSync("git", ["-C", repository, ...args], { encoding: "utf8", maxBuffer: 1 << 28 });
}

function tagsOf(repository, versions) {
  if (versions !== "minors") return versions.split(",");
  return git(repository, "tag")
    .split("\n")
    .filter((tag) => /^v\d+\.\d+\.0$/.test(tag))
    .sort((left, right) => left.localeCompare(right, "en", { numeric: true }));
}

function releaseOfTag(repository, tag, folders) {
  const files = git(repository, "ls-tree", "-r", "--name-only", tag, "--", ...folders)
    .split("\n")
    .filter((file) => /\.ya?ml$/.test(file));
  return { release: tag, definitions: definitionsOf(files, (file) => git(repository, "show", `${tag}:${file}`)) };
}

/** Every CRD of a release: `{ release, definitions: Map(name -> JSON text) }`. */
function releasesOf(module, version, folders) {
  const output = execFileSync("go", ["mod", "download", "-json", `${module}@${version}`], { encoding: "utf8" });
  const root = JSON.parse(output).Dir;
  const [first = ""] = folders;
  const [inner, prefix] = first.split(":");
  if (prefix === undefined) {
    const files = folders.flatMap((each) => yamlFiles(path.join(root, each)));
    return [{ release: version, definitions: definitionsOf(files) }];
  }
  return yamlFiles(path.join(root, inner))
    .map((file) => ({ file, number: path.basename(file, ".yaml").slice(prefix.length) }))
    .filter(({ file, number }) => path.basename(file).startsWith(prefix) && /^[0-9.]+$/.test(number))
    .sort((left, right) => left.number.localeCompare(right.number, "en", { numeric: true }))
    .map(({ file, number }) => ({ release: `v${number}`, definitions: definitionsOf([file]) }));
}

function yamlFiles(root) {
  let entries;
  try {
    entries = readdirSync(root, { withFileTypes: true, recursive: true });
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

function definitionsOf(files, read = (file) => readFileSync(file, "utf8")) {
  const found = new Map();
  for (const file of files) {
    for (const { document } of decodeDocuments(read(file))) {
      const { value } = document;
      if (!isObject(value) || value["kind"] !== "CustomResourceDefinition") continue;
      const { name } = value["metadata"];
      const spec = withoutDescriptions(value["spec"], false);
      const { apiVersion, kind } = value;
      if (apiVersion === "apiextensions.k8s.io/v1" && !found.has(name))
        found.set(name, canonicalJson({ apiVersion, kind, metadata: { name }, spec }));
    }
  }
  return found;
}

/** Below `properties` a description is a field. */
function withoutDescriptions(value, isMap) {
  if (isArray(value)) return value.map((item) => withoutDescriptions(item, false));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(
    ([key, each]) => isMap || key !== "description" || typeof each !== "string",
  );
  return Object.fromEntries(
    kept.map(([key, each]) => [
      key,
      key === "default" || key === "enum" ? each : withoutDescriptions(each, !isMap && key === "properties"),
    ]),
  );
}

/** The releases of a CRD in order, without those that change nothing. */
function chains(releases) {
  const names = [...new Set(releases.flatMap(({ definitions }) => [...definitions.keys()]))].sort();
  return names.flatMap((name) => {
    const chain = [];
    for (const { release, definitions } of releases) {
      const json = definitions.get(name);
      if (json !== undefined && chain.at(-1)?.json !== json) chain.push({ head: { name, release }, json });
    }
    return chain.length > 1 ? chain : [];
  });
}

function compress(text) {
  const bytes = Buffer.from(text);
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}
