/**
 * `npm run bench -- test FOLDER`: the suites of openshift/api, in the version of Kubernetes that they are pinned to.
 *
 * FOLDER is a checkout of openshift/api; nothing is fetched. The run fails if a case does.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const PINNED = "1.32";
const program = fileURLToPath(new URL("../packages/cli/dist/bundle/portcullis.js", import.meta.url));

export async function main([folder, ...options]) {
  if (folder === undefined || !existsSync(path.join(folder, "payload-manifests"))) {
    console.error("name a checkout of openshift/api");
    process.exit(2);
  }
  const start = performance.now();
  const args = [program, "test", folder, "--quiet", "--kube-version", PINNED, ...options];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  console.log(stdout.trim().split("\n").at(-1));
  console.log(`${((performance.now() - start) / 1000).toFixed(1)} s`);
  if (status !== 0) process.exit(1);
}
