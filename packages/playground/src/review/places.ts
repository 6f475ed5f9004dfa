/**
 * Turns findings of the command line into problems of the page: offsets, places in expressions, and places in the
 * schema.
 */

import { fixesFor } from "@portcullis/checker/internal/complete/fixes";
import type { Finding, Position } from "@portcullis/checker/internal/report/finding";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { locatePath, type SourceNode } from "@portcullis/engine/internal/codec/position";
import { expressionProblems, spanInScalar } from "@portcullis/engine/internal/codec/scalar-position";
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { isArray, isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import type { Field } from "../modes.ts";
import type { Diagnostic, Problem, TextPlace } from "./outcome.ts";

/** One text and the documents in it. */
export interface Source {
  readonly field: Field;
  readonly text: string;
  readonly documents: readonly ManifestDocument[];
  readonly problems: readonly Finding[];
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

export function toProblem(finding: Finding, source: Source): Problem {
  const { severity, message, hint, rule, path } = finding;
  const span = spanOf(finding, source.text);
  const fixes = fixesFor({ rule, path, message, hint, ...span }, source.text, source.documents);
  return { field: source.field, ...span, severity, message, hint, rule, path, fixes };
}

/** The place in the CRD that a finding about an object refers to. */
export function schemaPlace(finding: Finding, definitions: Source): TextPlace | undefined {
  const span = finding.object && schemaSpan(finding, definitions);
  return span && { field: definitions.field, ...span };
}

export function spanOf({ range }: Finding, text: string): Span {
  if (range === undefined) return { from: 0, to: 0 };
  const [from, to] = [offsetOf(range.start, text), offsetOf(range.end, text)];
  // A block ends at the start of the line behind it.
  const trimmed = text.slice(from, to).trimEnd().length;
  return { from, to: from + Math.max(trimmed, to > from ? 1 : 0) };
}

function offsetOf({ line, column }: Position, text: string): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const next = text.indexOf("\n", start);
    if (next === -1) return text.length;
    start = next + 1;
  }
  return Math.min(start + column - 1, text.length);
}

/**
 * A problem as it is underlined: cel-go's issues each at their own place inside the expression; of a problem that spans
 * several lines only the first. Upgrade findings are long; their evidence is shown elsewhere.
 */
export function diagnosticsOf(problem: Problem, source: Source): Diagnostic[] {
  const { field, from, severity, message, hint, rule, path, fixes } = problem;
  const [firstLine = ""] = message.split("\n");
  const text = rule.startsWith("upgrade/") ? firstLine : message;
  const to = Math.min(problem.to, lineEnd(source.text, from));
  const whole: Diagnostic = { field, from, to, severity, message: text, hint, rule, fixes };
  const inner = expressionProblems(message).flatMap((each): Diagnostic[] => {
    const place = placeInExpression(source, path, from, each.place);
    return place === undefined ? [] : [{ ...whole, ...place, message: each.message }];
  });
  return inner.length > 0 ? inner : [whole];
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

function placeInExpression(
  { documents }: Source,
  path: string,
  from: number,
  place: { readonly line: number; readonly column: number },
): Span | undefined {
  for (const { source, text, offset } of documents) {
    const node = source && locatePath(source, path);
    if (node === undefined || offset + node.start !== from) continue;
    const raw = text.slice(offset);
    const decoded = decodeYaml(raw.slice(node.start, node.end));
    if (decoded.error !== undefined || typeof decoded.value !== "string") return undefined;
    const { start, end } = spanInScalar(raw, node, decoded.value, place);
    return { from: offset + start, to: offset + end };
  }
  return undefined;
}

/** The node of the schema that is responsible for a path of an object. */
function schemaSpan({ object, path }: Finding, { documents }: Source): Span | undefined {
  for (const document of documents) {
    const index = versionIndex(document.object, object);
    if (index < 0 || document.source === undefined) continue;
    const root = nodeAt(document.source, ["spec", "versions", index, "schema", "openAPIV3Schema"]);
    return root && nodeSpan(followSchema(root, path), document);
  }
  return undefined;
}

/** The version of a CRD that an object uses; -1 if it is of another kind. Schemas are not compared. */
function versionIndex({ spec }: JsonObject, id: Finding["object"]): number {
  if (!isObject(spec) || !isObject(spec["names"]) || !isArray(spec["versions"])) return -1;
  if (spec["names"]["kind"] !== id?.kind) return -1;
  return spec["versions"].findIndex(
    (version) => isObject(version) && `${spec["group"]}/${version["name"]}` === id?.apiVersion,
  );
}

/** The place of a field is its key, not the whole schema behind it. */
function nodeSpan({ keyStart, start }: SourceNode, { offset, text }: ManifestDocument): Span {
  const at = offset + (keyStart >= 0 ? keyStart : start);
  const key = /^[^:\n]*/.exec(text.slice(at))?.[0].trimEnd() ?? "";
  return { from: at, to: at + Math.max(1, key.length) };
}

function nodeAt(root: SourceNode, steps: readonly (string | number)[]): SourceNode | undefined {
  let node: SourceNode | undefined = root;
  for (const step of steps) node = typeof step === "number" ? node?.items?.[step] : node?.fields?.get(step);
  return node;
}

function followSchema(root: SourceNode, path: string): SourceNode {
  let node = root;
  let rest = path;
  while (rest !== "") {
    const next = enterProperty(node, rest) ?? enterItems(node, rest);
    if (next === undefined) return node;
    node = next.node;
    rest = next.rest;
  }
  return node;
}

interface Entered {
  readonly node: SourceNode;
  readonly rest: string;
}

function enterProperty(node: SourceNode, path: string): Entered | undefined {
  const bare = path.startsWith(".") ? path.slice(1) : path;
  let best: Entered | undefined;
  for (const [name, property] of node.fields?.get("properties")?.fields ?? []) {
    const rest = bare.slice(name.length);
    if (!bare.startsWith(name) || !(rest === "" || rest.startsWith(".") || rest.startsWith("["))) continue;
    if (best === undefined || rest.length < best.rest.length) best = { node: property, rest };
  }
  return best;
}

function enterItems(node: SourceNode, path: string): Entered | undefined {
  const bracket = /^\[[^\]]*\]/.exec(path)?.[0] ?? /^\.?[^.[]+/.exec(path)?.[0];
  const inner = node.fields?.get("items") ?? node.fields?.get("additionalProperties");
  return bracket === undefined || inner === undefined ? undefined : { node: inner, rest: path.slice(bracket.length) };
}
