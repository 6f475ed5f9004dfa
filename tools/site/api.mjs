/** The API reference: every public name with its comment and its declaration, from what the compiler wrote. */
import { existsSync } from "node:fs";
import path from "node:path";
import { declarationsOf } from "../check/declarations.mjs";
import { listFiles, read, root } from "../check/repository.mjs";

export function apiPages() {
  return listFiles("packages/*/package.json").flatMap((manifest) => {
    const { name, exports = {}, private: isPrivate, description } = JSON.parse(read(manifest));
    if (isPrivate) return [];
    const short = name.replace(/^@portcullis\//, "");
    const entries = Object.entries(exports).filter(
      ([entry, { types }]) => types !== undefined && !entry.startsWith("./internal"),
    );
    if (entries.length === 0) return [];
    const url = `api/${short}.html`;
    const files = entries.map(([entry, { types }]) => [
      path.posix.join(name, entry),
      path.join(root, path.dirname(manifest), types),
    ]);
    // Without a build there are no declarations; the committed report has the same names without comments.
    const isBuilt = files.every(([, file]) => existsSync(file));
    const text = isBuilt ? pageText(name, description, files) : read(`api/${short}.api.md`);
    return [{ source: `api/${short}.api.md`, url, title: `API of ${name}`, text }];
  });
}

function pageText(name, description, files) {
  return [`# API of ${name}`, `${description}.`, ...files.flatMap(([entry, file]) => entryText(entry, file))].join(
    "\n\n",
  );
}

function entryText(entry, file) {
  const found = [...declarationsOf(file)].sort(([one], [other]) => (one < other ? -1 : 1));
  const names = found.map(([name, { doc, full }]) =>
    [`### ${name}`, ...(doc === "" ? [] : [withExample(doc)]), `\`\`\`ts\n${full}\n\`\`\``].join("\n\n"),
  );
  return [`## ${entry}`, ...names];
}

/** The code of `@example` as a block. */
function withExample(doc) {
  const [text, code] = doc.split(/^@example\b[ \t]*/m);
  if (code === undefined) return doc;
  const lines = code.split("\n").filter((line) => !line.startsWith("```"));
  return `${text.trim()}\n\nExample:\n\n\`\`\`ts\n${lines.join("\n").trim()}\n\`\`\``;
}
