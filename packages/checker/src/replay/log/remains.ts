/** What is left of a line that is damaged: the members of the event that are whole, and the objects that it may be about. */
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { textOf } from "@portcullis/engine/internal/value/read";
import type { ObjectReference } from "./audit-event.ts";

/** Objects that a request may be about: an undefined part may be anything. */
export type Scope = { readonly [part in keyof ObjectReference]?: string | undefined };

const EVERYTHING: Scope = {};

/** How an event begins. */
const BEGINNING = '{"kind":"Event","apiVersion":"audit.k8s.io/';
const LONGEST_HEAD = 64 * 1024;
const OBJECTS = [',"requestObject":', ',"responseObject":'].map((text) => Buffer.from(text));

export interface Remains {
  /** The members that are whole. */
  readonly head: JsonObject;
  readonly scope: Scope;
}

/** Undefined if the line says that it does not matter, or is not a part of an event. */
export function remainsOf(line: Buffer): Remains | undefined {
  const ends = OBJECTS.map((key) => line.indexOf(key)).filter((at) => at >= 0);
  const text = line.toString("utf8", 0, Math.min(LONGEST_HEAD, line.length, ...ends));
  if (!text.startsWith(BEGINNING)) {
    return isFragment(text) ? { head: wholeMembers("").head, scope: EVERYTHING } : undefined;
  }
  const { head, cut } = wholeMembers(text);
  return { head, scope: scopeOf(head, cut) };
}

/** Other programs may write to the same file. */
function isFragment(text: string): boolean {
  return text.includes('"') || text.includes("{") || text.includes("\0");
}

interface Members {
  readonly head: JsonObject;
  /** The member that is cut, as far as it goes. */
  readonly cut: string;
}

function wholeMembers(text: string): Members {
  const whole: string[] = [];
  let start = 1;
  for (let end = memberEnd(text, start); end > start; end = memberEnd(text, start)) {
    whole.push(text.slice(start, end));
    start = end + 1;
  }
  return { head: parsedMembers(whole), cut: text.slice(start) };
}

function parsedMembers(members: readonly string[]): JsonObject {
  try {
    const value: JsonObject = JSON.parse(`{${members.join(",")}}`);
    return value;
  } catch {
    return parsedMembers(members.slice(0, -1));
  }
}

/** Where the member that begins at `start` ends; -1 if it is cut. */
function memberEnd(text: string, start: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isQuoted) {
      if (character === "\\") at += 1;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (depth > 0 && (character === "}" || character === "]")) depth -= 1;
    else if (depth === 0 && (character === "," || character === "}")) return at;
  }
  const isClosed = depth === 0 && !isQuoted && /[\]}"]$/.test(text) && start < text.length;
  return isClosed ? text.length : -1;
}

const URI = /^"requestURI":"([^"]*)/;

function scopeOf(head: JsonObject, cut: string): Scope {
  const uri = textOf(head["requestURI"]);
  if (uri !== "") return scopeOfPath(partsOf(uri), true);
  const [, begun = ""] = URI.exec(cut) ?? [];
  // The last part of a path that is cut may be longer.
  return begun.includes("?") ? scopeOfPath(partsOf(begun), true) : scopeOfPath(partsOf(begun).slice(0, -1), false);
}

function partsOf(uri: string): string[] {
  const [path = ""] = uri.split("?", 1);
  return path.split("/").slice(1).map(decoded);
}

/** Of the parts of `/api/v1/namespaces/team/configmaps/settings`, or the first of them. */
function scopeOfPath([root, ...parts]: readonly string[], isWhole: boolean): Scope {
  if (root !== "api" && root !== "apis") return EVERYTHING;
  const group = root === "api" ? "" : parts.shift();
  const version = parts.shift();
  const place = { group, version };
  const isInNamespace = parts[0] === "namespaces" && (isWhole ? parts.length > 2 : parts.length > 1);
  if (isInNamespace) {
    const [, namespace, resource, name] = parts;
    return { ...place, namespace, resource, name };
  }
  const [resource, name] = parts;
  return resource === "namespaces" && !isWhole ? place : { ...place, resource, name };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
