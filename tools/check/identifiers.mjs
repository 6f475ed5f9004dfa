/**
 * Refuses identifiers and file names that are made of words which readers stumble over, and names the established word.
 * An identifier is split into its parts, such as `find` and `Versions` of `findVersions`. words.mjs checks comments and
 * texts.
 */
import path from "node:path";
import { finish, listFiles, read } from "./repository.mjs";

/** Parts of names to avoid, and what to write. Keep this list small: each entry was found in this repository. */
const PARTS = [
  [/^judg(?:e|es|ed|ing|ment)s?$/, "validate, check or evaluate"],
  [/^(?:tell|tells|told|say|said|spoken)$/, "report, print or message"],
  [/^(?:words|wording|worded)$/, "message or text"],
  [/^doors?$/, "subresource"],
  [/^(?:scene|world|surrounding)s?$/, "context, cluster or environment"],
  [/^(?:settle|settles|settling)$/, "normalize, prepare or finish"],
  [/^(?:late|tandem)$/, "lazy, timeout or worker pool"],
  [/^early$/, "draft"],
  [/^foreign$/, "third-party or other"],
  [/^chances?$/, "random or probability"],
  [/^mend(?:s|ed|ing)?$/, "fix or repair"],
  [/^demand(?:s|ed|ing)?$/, "require"],
  [/^(?:hear|hears|heard)$/, "receive"],
  [/^(?:wish|wishes)$/, "request"],
  [/^vain$/, "unused"],
];

/** A type is never called `SomethingMore`. */
const MORE = /^[A-Z][A-Za-z]*[a-z]More$/;

/** Identifiers that are right, with the reason. */
const ALLOWED = [
  [/^reservedWords$/, "reserved words of CEL"],
  [/^(?:BANNED_WORDS|BannedWords|bannedWords)$/, "the example of KEP-3488"],
  [/^(?:COMP_WORDS|optionWords|\$?PortcullisWords)$/, "the words of a command line, as shells call them"],
  [/^openWorldHint$/, "a member of the Model Context Protocol"],
  [/^pathEndsEarly$/, "upstream's error about a path that ends too early"],
];

/** Files whose `words` are words of a text: tokens of a command line, of an address or of a block of bytes. */
const WORDS_OF_A_TEXT =
  /^packages\/cli\/src\/frame\/(?:completion|help)|completion\.test\.ts$|commands\/(?:run|table|serve\/serve-kube-flags)\.ts$|^packages\/checker\/src\/input\/suggest\.ts$|^packages\/gostd\/src\/mail|policy-docs\.test\.ts$|integrations\.test\.ts$|openapi\/protobuf\.ts$|codec\/yaml\/resolve\.ts$|sha256\.ts$|stall\.testing\.ts$|^conformance\/|^tools\/(?:action|site\/search|check\/words)\.mjs$/;

const names = listFiles("packages", "tools", "bench", "conformance", "testservers", "examples", "docs").filter(
  (name) => !/^conformance\/corpora|\/generated\/|\/golden\//.test(name),
);
const sources = names.filter(
  (name) => /\.(?:ts|mjs)$/.test(name) && !/^tools\/check\/(?:identifiers|words)\.mjs$/.test(name),
);

let problems = 0;
for (const name of names) {
  const better = /^words\.(?:mjs|txt)$/.test(path.basename(name))
    ? undefined
    : refusalOf(path.basename(name).split(".")[0] ?? "");
  if (better !== undefined) complain(name, path.basename(name), better);
}
for (const name of sources) {
  const seen = new Set();
  for (const { 0: identifier, index } of codeOf(read(name)).matchAll(/[A-Za-z_$][\w$]*/g)) {
    if (seen.has(identifier)) continue;
    seen.add(identifier);
    const better = refusalOf(identifier, name);
    if (better !== undefined) complain(`${name}:${lineAt(read(name), index)}`, identifier, better);
  }
}
finish(`identifiers: ${sources.length} files`, problems);

function refusalOf(identifier, name = "") {
  if (ALLOWED.some(([pattern]) => pattern.test(identifier))) return undefined;
  if (MORE.test(identifier)) return "SomethingOptions";
  const parts = identifier
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((part) => part.toLowerCase());
  const found = PARTS.find(([pattern]) => parts.some((part) => pattern.test(part)));
  if (found === undefined || (found[0].test("words") && WORDS_OF_A_TEXT.test(name))) return undefined;
  return found[1];
}

function complain(where, identifier, better) {
  problems++;
  console.error(`${where}: \`${identifier}\`: use ${better}`);
}

function lineAt(text, index) {
  return text.slice(0, index).split("\n").length;
}

/** Without comments and texts, but with the code inside of templates. Lines stay where they are. */
function codeOf(text) {
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;
  return text.replaceAll(token, (part) =>
    part.startsWith("`")
      ? part.replaceAll(/\$\{[^}]*\}|[^\n]/g, (each) => (each.startsWith("${") ? each.replaceAll(/"[^"]*"/g, "") : " "))
      : part.replaceAll(/[^\n]/g, " "),
  );
}
