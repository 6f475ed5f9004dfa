/**
 * Bundles the command line into packages/cli/dist/bundle: a few files instead of hundreds, so that it starts fast. Each
 * command is a separate chunk that is loaded on demand; native and gRPC packages stay external.
 *
 *   node tools/bundle-cli.mjs [FOLDER]
 */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { hasBundledList, recordBundled } from "./notices.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const target = path.resolve(process.argv[2] ?? path.join(root, "packages/cli/dist/bundle"));
const sources = ["gostd", "cel", "engine", "checker", "server", "webhook", "cli"].map((name) =>
  path.join(root, "packages", name, "src"),
);

if (!isFresh()) await bundle();

/** Built in a temporary place and moved, so that a failure leaves the old bundle. */
async function bundle() {
  const draft = `${target}.new`;
  rmSync(draft, { recursive: true, force: true });
  const { metafile } = await build({
    metafile: true,
    entryPoints: {
      portcullis: "packages/cli/src/main.ts",
      "portcullis-kube-apiserver": "packages/cli/src/kube-apiserver.ts",
      "portcullis-etcd": "packages/cli/src/etcd.ts",
      worker: "packages/cli/src/workers/worker.ts",
      reader: "packages/cli/src/workers/reader.ts",
      "serving-process": "packages/server/src/node/processes/serving-process.ts",
      "heavy-thread": "packages/server/src/node/heavy/heavy-thread.ts",
    },
    absWorkingDir: root,
    outdir: draft,
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20",
    format: "esm",
    conditions: ["portcullis-source"],
    external: ["libsql", "@grpc/*"],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning",
  });
  recordBundled("cli", metafile, root);
  rmSync(target, { recursive: true, force: true });
  renameSync(draft, target);
}

function isFresh() {
  const made = path.join(target, "portcullis.js");
  return existsSync(made) && hasBundledList("cli") && statSync(made).mtimeMs > Math.max(...sources.map(newest));
}

function newest(folder) {
  let time = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    time = Math.max(time, entry.isDirectory() ? newest(full) : statSync(full).mtimeMs);
  }
  return time;
}
