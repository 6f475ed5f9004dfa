/**
 * Writes the formula with which Homebrew installs the release, for the executables in dist/bin:
 *
 *   node tools/package-binary/homebrew.mjs
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const RELEASES = "https://github.com/portcullis-dev/portcullis/releases/download";
const PROCESSORS = { x64: "on_intel", arm64: "on_arm" };

if (process.argv[1] === fileURLToPath(import.meta.url)) write();

function write() {
  const folder = path.join(root, "dist/bin");
  const { version } = JSON.parse(readFileSync(path.join(root, "packages/cli/package.json"), "utf8"));
  const digests = {};
  for (const arch of Object.keys(PROCESSORS)) {
    const archive = path.join(folder, `kubectl-portcullis-linux-${arch}.tar.gz`);
    if (existsSync(archive)) digests[arch] = createHash("sha256").update(readFileSync(archive)).digest("hex");
  }
  if (Object.keys(digests).length === 0) throw new Error("there are no archives in dist/bin; run krew.mjs first");
  const tarball = path.join(root, `dist/portcullis-${version}.tgz`);
  const npm = existsSync(tarball) ? createHash("sha256").update(readFileSync(tarball)).digest("hex") : undefined;
  writeFileSync(path.join(folder, "portcullis.rb"), formula(version, digests, npm));
}

/** `digests` are those of the archives, by processor; `npm` is that of the npm package, for macOS. */
export function formula(version, digests, npm) {
  const linux = Object.entries(digests).map(
    ([arch, sha256]) => `    ${PROCESSORS[arch]} do
      url "${RELEASES}/v${version}/kubectl-portcullis-linux-${arch}.tar.gz"
      sha256 "${sha256}"
    end`,
  );
  const mac =
    npm === undefined
      ? ""
      : `  on_macos do
    url "${RELEASES}/v${version}/portcullis-${version}.tgz"
    sha256 "${npm}"
    depends_on "node"
  end

`;
  return `class Portcullis < Formula
  desc "Check Kubernetes manifests, CRDs and policies as the API server would"
  homepage "https://github.com/portcullis-dev/portcullis"
  version "${version}"
  license "Apache-2.0"

${mac}  on_linux do
${linux.join("\n")}
  end

  def install
    if OS.mac?
      system "npm", "install", *std_npm_args
      bin.install_symlink Dir["#{libexec}/bin/*"]
    else
      bin.install "kubectl-portcullis" => "portcullis"
      bin.install_symlink "portcullis" => "kubectl-portcullis"
    end
  end

  test do
    (testpath/"pod.yaml").write "apiVersion: v1\\nkind: Pod\\nmetadata: {name: web}\\nspec: {}\\n"
    assert_match "Required value", shell_output("#{bin}/portcullis check pod.yaml", 1)
  end
end
`;
}
