/**
 * Refuses words that readers of technical English stumble over, and says what to write instead. Documents must be free
 * of them. In code, comments and strings are checked; files that are not converted yet are listed in pending/words.txt.
 */
import { checkPending, finish, listFiles, read } from "./repository.mjs";

/** What to avoid, and what to write. Keep this list small: each entry was found in this repository. */
const WORDS = [
  [/\b(?:mis)?judg(?:e|es|ed|ing)\b/gi, "validate, check or evaluate"],
  [/\b(?:told|tells?|foretells?)\b/gi, "report, print or show"],
  [/\bin vain\b/gi, "unused, or has no effect"],
  [/\bwhoever\b/gi, "the client, the user or the caller"],
  [/\bwhom?\b[^.,;]{0,20}\bvanish\w*/gi, "the client that disconnected"],
  [/\bwithout a word\b|\bneeds? no word\b/gi, "silently, or needs no message"],
  [/\bwording\b|\bin \w+'s words\b|\bthe same words\b/gi, "message or text"],
  [/\bmend(?:s|ed|ing)?\b/gi, "fix"],
  [/\bgoes on\b|\bgo on\b|\bwent on\b/gi, "continue"],
  [/\bdemand(?:s|ed|ing)?\b(?! paging)(?<!on demand)/gi, "require"],
  [/\bstands? (?:in|at|beside|alone|under|where)\b/gi, "is, or is listed"],
  [
    /(?<!\b(?:there|it|this|which|that) )\bis no (?!longer\b|more\b|way\b|need\b|such\b|different\b|\w+ (?:left|yet)\b)/gi,
    "is not a",
  ],
  [/\bpass(?:es|ed)? over\b/gi, "skip or ignore"],
  [/\b(?:one|line|event|suite|case|step) a (?:line|file|message)\b/gi, "one per line"],
];

/** In documents a kind is defined by a CRD; in code the word also names variables. */
const DOCUMENT_WORDS = [...WORDS, [/\bdefinitions?\b/gi, "CRD"]];

/** What stays: messages of other programs, quotations and names. */
const ALLOWED = [
  /OpenAPI[^.\n]*definitions?\b[^.\n]*/g,
  /\bdefinitions? of version 2\b/g,
  /\btell apart\b/g,
  /^ *(?:old)?definitions?:/gim,
  /\bCustomResourceDefinition/g,
  /<!--[\s\S]*?-->/g,
];

/** Pages that others are rewriting; removed from here when they are merged. */
const OTHERS = [];

const documents = listFiles("*.md", "action.yml", ".pre-commit-hooks.yaml", "examples/**/*.yaml", ".github/**").filter(
  (name) =>
    !/^conformance\/corpora|\/golden\/|PROVENANCE|^packages\/(?:cel|gostd)\/README/.test(name) &&
    !OTHERS.includes(name),
);
const sources = listFiles("packages", "tools", "bench", "conformance").filter(
  (name) =>
    /\.(?:ts|mjs|html)$/.test(name) && !/^conformance\/corpora|\/generated\/|^tools\/check\/words\.mjs$/.test(name),
);

let problems = 0;
for (const name of documents) {
  const lines = findWords(name, withoutCode(name, read(name)), DOCUMENT_WORDS);
  for (const line of lines) console.error(line);
  problems += lines.length;
}
const found = new Map(
  sources.map((name) => [name, findWords(name, name.endsWith(".html") ? read(name) : proseOf(read(name)), WORDS)]),
);
problems += checkPending("words", found);
finish(`words: ${documents.length} documents, ${sources.length} source files`, problems);

function findWords(name, text, words) {
  let checked = text;
  for (const allowed of ALLOWED) checked = checked.replaceAll(allowed, blank);
  return words.flatMap(([pattern, better]) =>
    [...checked.matchAll(pattern)].map(({ 0: word, index }) => {
      const line = checked.slice(0, index).split("\n").length;
      return `${name}:${line}: "${word}": write ${better}`;
    }),
  );
}

/** Keeps line numbers. */
function blank(text) {
  return text.replaceAll(/[^\n]/g, " ");
}

function withoutCode(name, text) {
  if (!name.endsWith(".md")) return text;
  return text.replaceAll(/^```[\s\S]*?^```$/gm, blank).replaceAll(/`[^`\n]*`/g, blank);
}

/** Comments and string literals; the rest is blanked. */
function proseOf(text) {
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;
  let prose = "";
  let at = 0;
  for (const { 0: part, index } of text.matchAll(token)) {
    prose += blank(text.slice(at, index)) + part;
    at = index + part.length;
  }
  return prose + blank(text.slice(at));
}
