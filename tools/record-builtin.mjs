/**
 * Writes packages/engine/src/builtin/generated/kinds.ts: the built-in kinds of every supported Kubernetes version and the
 * Go types they are made of. Run by hand for a new version; see docs/new-version.md and PROVENANCE.md beside the file.
 *
 *   KUBERNETES_GIT=/path/to/kubernetes/.git node tools/record-builtin.mjs [CACHE]
 *
 * For each version, the discovery document in the tag says which kinds are served, the published Go modules
 * (tools/go-types) what their structs look like, and the OpenAPI v3 documents in the tag which lists and maps are
 * atomic, sets or keyed, and which fields have defaults. CACHE is a folder for what was read of each version.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { kindsFile } from "./builtin/merge-versions.mjs";
import { readVersion } from "./builtin/read-version.mjs";
import { VERSIONS } from "./builtin/versions.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const output = path.join(root, "packages/engine/src/builtin/generated/kinds.ts");
const git = process.env.KUBERNETES_GIT;
if (git === undefined) throw new Error("set KUBERNETES_GIT to the git directory of a clone of Kubernetes");
const cache = path.resolve(process.argv[2] ?? path.join(root, "node_modules/.cache/portcullis-versions"));
mkdirSync(cache, { recursive: true });

const dumps = VERSIONS.map((version) => {
  const file = path.join(cache, `${version.tag}.json`);
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(readVersion(version, { show, dumpTypes })));
  console.log(`${version.tag}: read`);
  return JSON.parse(readFileSync(file, "utf8"));
});
writeFileSync(output, kindsFile(dumps));

/** A file of a tag; undefined if the tag does not have it. */
function show(tag, file) {
  try {
    return execFileSync("git", ["--git-dir", git, "show", `${tag}:${file}`], {
      maxBuffer: 2 ** 28,
      stdio: ["ignore", "pipe", "ignore"],
    }).toString();
  } catch {
    return undefined;
  }
}

/** The structs of some kinds in the Go modules of a version. */
function dumpTypes(modules, kinds) {
  const folder = path.join(cache, `go-types-${modules}`);
  rmSync(folder, { recursive: true, force: true });
  cpSync(path.join(root, "tools/go-types"), folder, { recursive: true });
  const names = ["apiextensions-apiserver", "apimachinery", "client-go", "kube-aggregator"];
  const required = names.map((name) => `require k8s.io/${name} ${modules}\n`);
  writeFileSync(
    path.join(folder, "go.mod"),
    `module portcullis.dev/tools/go-types\n\ngo 1.26.0\n\n${required.join("")}`,
  );
  rmSync(path.join(folder, "go.sum"), { force: true });
  execFileSync("go", ["mod", "tidy"], { cwd: folder, stdio: "ignore" });
  const input = `${kinds.join("\n")}\n`;
  return JSON.parse(execFileSync("go", ["run", ".", "types"], { cwd: folder, input, maxBuffer: 2 ** 28 }));
}
