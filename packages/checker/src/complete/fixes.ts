/** Quick fixes: what the hint of a finding says, done. */
import { unquote } from "@portcullis/gostd/quote";
import type { ManifestDocument } from "../report/manifest.ts";
import type { Fix, FixableFinding } from "./fix.ts";
import { moveField } from "./move-field.ts";

/** `objects` are those of the text. */
export function fixesFor(finding: FixableFinding, text: string, objects: readonly ManifestDocument[]): readonly Fix[] {
  const { hint = "", message, from, to } = finding;
  const written = text.slice(from, to);
  const replaced = (title: string, insert: string): Fix => ({ title, changes: [{ from, to, insert }] });
  const named = /did you mean `([^`]+)`\?/.exec(hint)?.[1];
  if (named !== undefined) return [replaced(`Change to \`${named}\``, inQuotesOf(written, named))];
  if (/fix the indentation$/.test(hint)) return moveField(objects, finding);
  if (/quote (?:it|the number): /.test(hint)) return [replaced(`Quote it: "${written}"`, JSON.stringify(written))];
  if (hint.startsWith("remove the quotes: ")) {
    const bare = written.replace(/^(["'])(.*)\1$/s, "$2");
    return [replaced(`Remove the quotes: ${bare}`, bare)];
  }
  if (!/^unsupported value|Unsupported value: /.test(message)) return [];
  return supportedValues(message).map((value) => replaced(`Change to ${JSON.stringify(value)}`, asScalar(value)));
}

/** A field or a value such as a kind keeps its quotes. */
function inQuotesOf(written: string, name: string): string {
  const quoteMark = /^["']/.exec(written)?.[0] ?? "";
  return `${quoteMark}${name}${quoteMark}`;
}

/** At most as many as a menu can show. */
const MAX_VALUES = 8;

/** `Unsupported value: "x": supported values: "A", "B"`. */
function supportedValues(message: string): readonly string[] {
  const list = /supported values: (.*)$/s.exec(message)?.[1] ?? "";
  const quoted = [...list.matchAll(/"(?:[^"\\]|\\.)*"/g)].slice(0, MAX_VALUES);
  return quoted.flatMap(([text]) => unquoted(text));
}

/** Messages quote as Go does, which has escapes that JSON lacks. */
function unquoted(quoted: string): readonly string[] {
  const read = unquote(quoted);
  return read.value === undefined ? [] : [read.value];
}

function asScalar(value: string): string {
  return /^[A-Za-z][\w./-]*$/.test(value) ? value : JSON.stringify(value);
}
