/**
 * Packs the executables in dist/bin into archives, and writes the manifest with which krew installs them as
 * `kubectl portcullis`:
 *
 *   node tools/package-binary/krew.mjs
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const RELEASES = "https://github.com/portcullis-dev/portcullis/releases/download";
/** Names of processors, by Node.js and by Go, which krew uses. */
const PROCESSORS = { x64: "amd64", arm64: "arm64" };

if (process.argv[1] === fileURLToPath(import.meta.url)) pack();

function pack() {
  const folder = path.join(root, "dist/bin");
  const digests = {};
  for (const arch of Object.keys(PROCESSORS)) {
    const place = path.join(folder, `linux-${arch}`);
    if (!existsSync(place)) continue;
    cpSync(path.join(root, "LICENSE"), path.join(place, "LICENSE"));
    const archive = path.join(folder, archiveName(arch));
    const renamed = ["--transform", "s/^portcullis$/kubectl-portcullis/"];
    execFileSync("tar", ["-czf", archive, "-C", place, ...renamed, "portcullis", "LICENSE"]);
    digests[arch] = createHash("sha256").update(readFileSync(archive)).digest("hex");
  }
  const { version } = JSON.parse(readFileSync(path.join(root, "packages/cli/package.json"), "utf8"));
  writeFileSync(path.join(folder, "portcullis.krew.yaml"), krewManifest(version, digests));
}

function archiveName(arch) {
  return `kubectl-portcullis-linux-${arch}.tar.gz`;
}

/** `digests` are those of the archives, by processor. */
export function krewManifest(version, digests) {
  const platforms = Object.entries(digests).map(
    ([arch, sha256]) => `  - selector: {matchLabels: {os: linux, arch: ${PROCESSORS[arch]}}}
    uri: ${RELEASES}/v${version}/${archiveName(arch)}
    sha256: ${sha256}
    bin: kubectl-portcullis`,
  );
  return `apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: portcullis
spec:
  version: v${version}
  homepage: https://github.com/portcullis-dev/portcullis
  shortDescription: Check manifests, CRDs and policies as the API server would
  description: |
    Shows what the API server would do with manifests, CRDs and admission
    policies, without asking it.
  platforms:
${platforms.join("\n")}
`;
}
