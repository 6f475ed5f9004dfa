/** Checks that relative links of all documents lead to files and headings that exist. */
import { existsSync } from "node:fs";
import path from "node:path";
import { finish, listFiles, read, root } from "./repository.mjs";

/** Links to the repository itself, which packages use because npm shows their READMEs elsewhere. */
const HOME = /^https:\/\/github\.com\/portcullis-dev\/portcullis\/(?:blob|tree)\/main\//;

const documents = listFiles("*.md", ".github/**/*.md").filter((name) => !name.startsWith("conformance/corpora/"));
let problems = 0;
let links = 0;
for (const name of documents) {
  const text = withoutCode(read(name));
  for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) check(name, target);
}
finish(`links: ${links} in ${documents.length} documents`, problems);

function check(name, target) {
  const isHome = HOME.test(target);
  if (/^[a-z]+:/.test(target) && !isHome) return;
  links++;
  const [file, anchor] = target.replace(HOME, "").split("#");
  const folder = isHome ? "." : path.dirname(name);
  const found = file === "" ? name : path.normalize(path.join(folder, file));
  if (!existsSync(path.join(root, found))) report(name, target, "no such file");
  else if (anchor !== undefined && found.endsWith(".md") && !headingsOf(found).has(anchor))
    report(name, target, "no such heading");
}

function report(name, target, reason) {
  problems++;
  console.error(`${name}: ${target}: ${reason}`);
}

/** Anchors as GitHub makes them. */
function headingsOf(name) {
  const headings = [...read(name).matchAll(/^#+ (.*)$/gm)].map(([, text]) => text);
  return new Set(headings.map((text) => slug(text)));
}

function slug(text) {
  const plain = text.replaceAll(/`|\[|\]\([^)]*\)/g, "").toLowerCase();
  return plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
}

function withoutCode(text) {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "");
}
