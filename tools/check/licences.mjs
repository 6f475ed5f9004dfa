/**
 * Every package has a README and a licence file, and every dependency has a licence on the list. What is installed or bundled with a
 * published package has to meet a stricter list than what only builds and tests need.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { finish, listFiles, read, root } from "./repository.mjs";

const PUBLISHED = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC0-1.0", "ISC", "MIT"];
const DEVELOPMENT = [...PUBLISHED, "CC-BY-4.0", "MPL-2.0", "Python-2.0", "Unlicense"];

/** Packages without a `license` field in the lock file, with what their licence file says. */
const KNOWN = {};

let problems = 0;
const licence = read("LICENSE");
const packages = listFiles("packages/*/package.json").map((name) => path.dirname(name));
/** Packages of other languages. */
const testServers = listFiles("testservers/*/README.md").map((name) => path.dirname(name));
for (const folder of packages) {
  const { license } = JSON.parse(read(`${folder}/package.json`));
  if (license !== "Apache-2.0") report(`${folder}/package.json: license must be Apache-2.0`);
}
for (const folder of [...packages, ...testServers]) {
  if (!existsSync(path.join(root, folder, "README.md"))) report(`${folder}: README.md is missing`);
  if (!existsSync(path.join(root, folder, "LICENSE"))) report(`${folder}: LICENSE is missing`);
  else if (read(`${folder}/LICENSE`) !== licence) report(`${folder}/LICENSE differs from LICENSE`);
}

const { packages: locked } = JSON.parse(read("package-lock.json"));
const dependencies = Object.entries(locked).filter(([name, { link }]) => name.includes("node_modules/") && !link);
for (const [place, { license, dev, optional }] of dependencies) {
  const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
  const found = license ?? KNOWN[name] ?? installedLicence(place);
  if (found === undefined && optional) continue;
  const allowed = dev ? DEVELOPMENT : PUBLISHED;
  if (found === undefined || !isAllowed(found, allowed))
    report(`${name}: licence ${found ?? "unknown"} is not on the list`);
}
finish(`licences: ${packages.length + testServers.length} packages, ${dependencies.length} dependencies`, problems);

/** `(MIT OR Apache-2.0)` needs one of both, `MIT AND ISC` needs both. */
function isAllowed(expression, allowed) {
  const plain = expression.replaceAll(/[()]/g, "");
  return plain.split(" OR ").some((part) => part.split(" AND ").every((each) => allowed.includes(each.trim())));
}

function installedLicence(place) {
  if (!existsSync(path.join(root, place, "package.json"))) return undefined;
  return JSON.parse(read(`${place}/package.json`)).license;
}

function report(message) {
  problems++;
  console.error(message);
}
