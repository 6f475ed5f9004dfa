/**
 * Builds, packs and tests what is published, and publishes it unless `--dry-run` is given.
 *
 *   npm run release -- --dry-run
 *
 * 1. build from scratch; 2. check the notices and versions; 3. pack into dist/release and look into the archives; 4. check the types
 * with arethetypeswrong; 5. install the archives in an empty folder, compile the README examples with strict TypeScript
 * and run them; 6. write the SBOM; 7. print what is (or would be) published.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { checkArchive } from "./archive.mjs";
import { tryExamples } from "./examples.mjs";

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const target = path.join(root, "dist", "release");
const isDryRun = process.argv.includes("--dry-run");

/** In the order in which they depend on one another. */
const PACKAGES = ["gostd", "cel", "engine", "checker", "lsp", "embed", "server", "webhook", "cli"];

/** Entries that pages load by their address and do not import: they have no types. */
const SCRIPTS = ["embed ./worker"];

step("clean", clean);
step("build", () => run("node", ["tools/setup.mjs", "--build"]));
step("notices", () => run("node", ["tools/check/notices.mjs"]));
const version = step("versions", checkVersions);
const archives = step("pack", pack);
step("contents", () => archives.flatMap(({ file }) => checkArchive(file)).forEach(fail));
step("types", () => {
  for (const { file, folder } of archives) checkTypes(file, folder);
});
step("examples", () =>
  tryExamples(
    root,
    archives.map(({ file }) => file),
  ),
);
step("sbom", writeSbom);
report();
if (!isDryRun) step("publish", publish);

function step(name, action) {
  const start = Date.now();
  const result = action();
  console.error(`${name}: ok (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  return result;
}

/** The compiler leaves the output of modules that were moved or removed. */
function clean() {
  for (const name of PACKAGES) {
    rmSync(path.join(root, "packages", name, "dist"), { recursive: true, force: true });
    rmSync(path.join(root, "packages", name, "tsconfig.tsbuildinfo"), { force: true });
  }
}

/** One version everywhere, with a dated entry in the changelog. */
function checkVersions() {
  const manifests = PACKAGES.map((name) => manifestOf(name));
  const [{ version: first }] = manifests;
  for (const { name, version: own, dependencies = {} } of manifests) {
    if (own !== first) fail(`${name} has version ${own}, not ${first}`);
    for (const [other, wanted] of Object.entries(dependencies))
      if (other.startsWith("@portcullis/") && wanted !== first) fail(`${name} depends on ${other} ${wanted}`);
  }
  const entry = new RegExp(`^## ${first.replaceAll(".", "\\.")} \\(\\d{4}-\\d{2}-\\d{2}\\)$`, "m");
  if (!entry.test(readFileSync(path.join(root, "CHANGELOG.md"), "utf8")))
    fail(`CHANGELOG.md has no entry for ${first}`);
  return first;
}

function manifestOf(name) {
  return JSON.parse(readFileSync(path.join(root, "packages", name, "package.json"), "utf8"));
}

function pack() {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  return PACKAGES.map((folder) => {
    const out = run("npm", [
      "pack",
      "--json",
      "--silent",
      "--pack-destination",
      target,
      "--workspace",
      `packages/${folder}`,
    ]);
    const found = JSON.parse(out);
    const [entry] = Array.isArray(found) ? found : Object.values(found);
    return { ...entry, folder, file: path.join(target, entry.filename.replace("@", "").replace("/", "-")) };
  });
}

/** ES modules only, so that `require` is not expected to work. The command line has no API. */
function checkTypes(file, folder) {
  if (folder === "cli") return;
  const excluded = Object.keys(manifestOf(folder).exports).filter(
    (entry) => entry.includes("*") || SCRIPTS.includes(`${folder} ${entry}`),
  );
  const args = ["attw", file, "--profile", "esm-only", "--no-emoji", "--format", "ascii"];
  run("npx", ["--no-install", ...args, ...(excluded.length > 0 ? ["--exclude-entrypoints", ...excluded] : [])]);
}

function writeSbom() {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--omit", "dev"];
  // The command line brings the playground along.
  const only = [...PACKAGES, "playground"].flatMap((name) => ["--workspace", `packages/${name}`]);
  const sbom = JSON.parse(run("npm", [...args, ...only]));
  Object.assign(sbom.metadata.component, { name: "portcullis", version });
  writeFileSync(path.join(target, "sbom.cdx.json"), `${JSON.stringify(sbom, undefined, 2)}\n`);
}

function report() {
  console.log(`${isDryRun ? "would publish" : "publishing"} version ${version}:`);
  for (const { name, file, size, unpackedSize, entryCount } of archives) {
    const digest = createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 16);
    const sizes = `${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked, ${entryCount} files`;
    console.log(`  ${name.padEnd(22)} ${sizes}  sha256 ${digest}…`);
  }
  console.log(`  ${path.relative(root, target)}/sbom.cdx.json`);
}

function kilobytes(bytes) {
  return `${Math.ceil(bytes / 1000).toLocaleString("en")} kB`;
}

/** Provenance needs the identity that a workflow has. */
function publish() {
  for (const { file } of archives) run("npm", ["publish", file, "--access", "public", "--provenance"]);
}

function run(command, args) {
  const options = { cwd: root, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] };
  try {
    return execFileSync(command, args, { ...options, shell: process.platform === "win32" });
  } catch (problem) {
    return fail(`${command} ${args.join(" ")}\n${problem.stdout ?? ""}${problem.stderr ?? problem}`);
  }
}

function fail(message) {
  console.error(`release: ${message}`);
  process.exit(1);
}
