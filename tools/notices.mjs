/** Which packages a bundle contains, and the notices that their licences require. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Where a build writes the names of the packages it has bundled. */
export function bundledList(name) {
  return path.join(root, "dist", "bundled", `${name}.json`);
}

/** Called by a build with esbuild's metafile. */
export function recordBundled(name, metafile, workingFolder) {
  const folders = new Set();
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
      if (bytesInOutput > 0) for (const folder of packageOf(path.resolve(workingFolder, file))) folders.add(folder);
    }
  }
  mkdirSync(path.dirname(bundledList(name)), { recursive: true });
  writeFileSync(bundledList(name), `${JSON.stringify([...folders].sort(), undefined, 2)}\n`);
}

/** The folder of the third-party package that a file belongs to, relative to the root; nothing for our own files. */
function packageOf(file) {
  const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll("\\", "/"));
  if (match === null) return [];
  const { name = "" } = JSON.parse(readFileSync(path.join(match[1], "package.json"), "utf8"));
  return name.startsWith("@portcullis/") ? [] : [path.relative(root, match[1]).replaceAll("\\", "/")];
}

/** One text for all packages of the named builds. */
export function noticesOf(names) {
  const folders = [...new Set(names.flatMap((name) => JSON.parse(readFileSync(bundledList(name), "utf8"))))].sort();
  const head = "Portcullis includes the following third-party software.\n";
  return head + folders.map(notice).join("");
}

function notice(folder) {
  const { name, version, license, homepage, repository } = JSON.parse(
    readFileSync(path.join(root, folder, "package.json"), "utf8"),
  );
  const address = homepage ?? repository?.url ?? repository ?? "";
  const texts = readdirSync(path.join(root, folder))
    .filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
    .sort()
    .map((file) =>
      readFileSync(path.join(root, folder, file), "utf8")
        .replaceAll("\r\n", "\n")
        .trim(),
    );
  return [`\n${"-".repeat(80)}`, `${name} ${version} (${license})`, address, "", ...texts, ""].join("\n");
}

export function hasBundledList(name) {
  return existsSync(bundledList(name));
}
