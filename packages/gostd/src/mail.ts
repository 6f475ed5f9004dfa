/**
 * `mail.ParseAddress` of Go's net/mail: parses one RFC 5322 address, with Go's error messages.
 *
 * The grammar is tried from the front: first a bare `local@domain`, and only when that fails a display name with
 * an address in angle brackets, or a group.
 */

import { isAtext, MailScanner, type Scanned } from "./mail-scanner.ts";
import { missingWord, moreThanOneAddress } from "./messages.ts";
import { decodeWord } from "./mime-word.ts";
import type { Result } from "./result.ts";

/** A parsed address. Example: `{ name: "Bob", address: "bob@example.com" }`. */
export interface MailAddress {
  /** Display name; empty when there is none. */
  readonly name: string;
  readonly address: string;
}

const BAD_COMMENT = "mail: misformatted parenthetical comment";

/**
 * `mail.ParseAddress`. Example: `parseAddress("Bob <bob
 * @example parseAddress("Bob <bob@example.com>").value?.name // "Bob"
 */
export function parseAddress(text: string): Result<MailAddress> {
  const scanner = new MailScanner(text);
  const parsed = parseAny(scanner, { groups: true });
  if (parsed.error !== undefined) return parsed;
  if (!scanner.skipComments()) return { error: BAD_COMMENT };
  if (!scanner.atEnd()) return { error: moreThanOneAddress(scanner.rest()) };
  const [first, ...others] = parsed.value;
  if (first === undefined) return { error: "mail: empty group" };
  return others.length > 0 ? { error: "mail: group with multiple addresses" } : { value: first };
}

interface Options {
  readonly groups: boolean;
}

function parseAny(scanner: MailScanner, { groups }: Options): Result<readonly MailAddress[]> {
  scanner.skipSpace();
  if (scanner.atEnd()) return { error: "mail: no address" };
  const bare = addressSpec(scanner);
  if (bare.error === undefined) return withComment(scanner, bare.value);
  let name = "";
  if (scanner.peek() !== "<") {
    const phrase = consumePhrase(scanner);
    if (phrase.error !== undefined) return phrase;
    name = phrase.value;
  }
  scanner.skipSpace();
  if (groups && scanner.consume(":")) return consumeGroup(scanner);
  return angleAddress(scanner, name);
}

/** A comment behind a bare address is its display name. */
function withComment(scanner: MailScanner, address: string): Result<readonly MailAddress[]> {
  scanner.skipSpace();
  if (!scanner.consume("(")) return { value: [{ name: "", address }] };
  const comment = scanner.comment();
  if (comment === undefined) return { error: BAD_COMMENT };
  const words: string[] = [];
  for (const word of comment.split(/[ \t]+/).filter((part) => part !== "")) {
    const decoded = decodeWord(word);
    if (decoded !== undefined && "error" in decoded) return { error: decoded.error };
    words.push(decoded?.text ?? word);
  }
  return { value: [{ name: words.join(" "), address }] };
}

function angleAddress(scanner: MailScanner, name: string): Result<readonly MailAddress[]> {
  if (!scanner.consume("<")) {
    const plain = [...name].every((char) => isAtext(char, { dot: true }));
    return { error: plain ? "mail: missing '@' or angle-addr" : "mail: no angle-addr" };
  }
  const spec = addressSpec(scanner);
  if (spec.error !== undefined) return spec;
  return scanner.consume(">") ? { value: [{ name, address: spec.value }] } : { error: "mail: unclosed angle-addr" };
}

function consumeGroup(scanner: MailScanner): Result<readonly MailAddress[]> {
  const members: MailAddress[] = [];
  scanner.skipSpace();
  if (scanner.consume(";")) return scanner.skipComments() ? { value: members } : { error: BAD_COMMENT };
  for (;;) {
    const member = parseAny(scanner, { groups: false });
    if (member.error !== undefined) return member;
    members.push(...member.value);
    if (!scanner.skipComments()) return { error: BAD_COMMENT };
    if (scanner.consume(";")) return scanner.skipComments() ? { value: members } : { error: BAD_COMMENT };
    if (!scanner.consume(",")) return { error: "mail: expected comma" };
  }
}

/** `local@domain`. If it fails, the position of the scanner does not change. */
function addressSpec(scanner: MailScanner): Scanned {
  const start = scanner.position;
  const spec = readSpec(scanner);
  if (spec.error !== undefined) scanner.position = start;
  return spec;
}

function readSpec(scanner: MailScanner): Scanned {
  scanner.skipSpace();
  if (scanner.atEnd()) return { error: "mail: no addr-spec" };
  const local = scanner.peek() === '"' ? quotedLocalPart(scanner) : scanner.atom({ permissive: false });
  if (local.error !== undefined) return local;
  if (!scanner.consume("@")) return { error: "mail: missing @ in addr-spec" };
  scanner.skipSpace();
  if (scanner.atEnd()) return { error: "mail: no domain in addr-spec" };
  const domain = scanner.peek() === "[" ? scanner.domainLiteral() : scanner.atom({ permissive: false });
  return domain.error !== undefined ? domain : { value: `${local.value}@${domain.value}` };
}

/** Go reports a broken quoted string here as an empty one. */
function quotedLocalPart(scanner: MailScanner): Scanned {
  const quoted = scanner.quotedString();
  return quoted.value ? quoted : { error: "mail: empty quoted string in addr-spec" };
}

/** Words up to the first token that is not one; adjacent encoded words are joined without a blank. */
function consumePhrase(scanner: MailScanner): Scanned {
  const words: string[] = [];
  let encoded = "";
  let problem: string | undefined;
  for (;;) {
    if (words.length > 0 && !scanner.skipComments()) return { error: BAD_COMMENT };
    scanner.skipSpace();
    if (scanner.atEnd()) break;
    const word = consumeWord(scanner);
    problem = word.error;
    if (word.error !== undefined) break;
    if (word.encoded) {
      encoded += word.value;
      continue;
    }
    if (encoded !== "") words.push(encoded);
    encoded = "";
    words.push(word.value);
  }
  if (encoded !== "") words.push(encoded);
  return problem !== undefined && words.length === 0 ? { error: missingWord(problem) } : { value: words.join(" ") };
}

type Word =
  | { readonly value: string; readonly encoded: boolean; readonly error?: undefined }
  | { readonly error: string };

function consumeWord(scanner: MailScanner): Word {
  const word = scanner.peek() === '"' ? scanner.quotedString() : undefined;
  if (word !== undefined) return word.error === undefined ? { value: word.value, encoded: false } : word;
  const atom = scanner.atom({ permissive: true });
  if (atom.error !== undefined) return atom;
  const decoded = decodeWord(atom.value);
  if (decoded === undefined) return { value: atom.value, encoded: false };
  return "error" in decoded ? { error: decoded.error } : { value: decoded.text, encoded: true };
}
