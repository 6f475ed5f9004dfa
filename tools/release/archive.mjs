/** What a published archive must contain, and what it must not. */
import { execFileSync } from "node:child_process";

const REQUIRED = ["package/package.json", "package/README.md", "package/LICENSE"];
const FIELDS = ["description", "keywords", "homepage", "bugs", "repository", "license", "engines", "exports"];

/** Problems, one per line. */
export function checkArchive(file) {
  const names = execFileSync("tar", ["-tzf", file], { encoding: "utf8" }).trim().split("\n");
  const text = (name) => execFileSync("tar", ["-xzOf", file, name], { encoding: "utf8", maxBuffer: 1 << 28 });
  const manifest = JSON.parse(text("package/package.json"));
  const problems = REQUIRED.filter((name) => !names.includes(name)).map((name) => `${name} is missing`);
  for (const field of FIELDS) if (manifest[field] === undefined) problems.push(`package.json has no ${field}`);
  for (const name of names) {
    if (/\.(?:test|testing)\.|\.tsbuildinfo$|\/golden\//.test(name)) problems.push(`${name} is for tests or builds`);
    if (/\/dist\/(?!bundle|playground).*\.js$/.test(name) && !names.includes(`${name}.map`))
      problems.push(`${name} has no source map`);
    const source = /^package\/dist\/(?!bundle|playground)(.*)\.js$/.exec(name)?.[1];
    if (source !== undefined && !names.includes(`package/src/${source}.ts`)) problems.push(`${name} has no source`);
  }
  for (const entry of Object.keys(manifest.exports ?? {}))
    if (/testing/.test(entry)) problems.push(`exports has ${entry}`);
  return problems.map((problem) => `${manifest.name}: ${problem}`);
}
