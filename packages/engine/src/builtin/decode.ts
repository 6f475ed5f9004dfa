/**
 * From a JSON or YAML body to an object of a built-in kind: the header checked, the body decoded into its Go type, unknown
 * and duplicate fields reported.
 *
 * Follows apimachinery runtime/serializer/json and the handlers' use of it. Upstream decodes into whatever kind the body
 * names and fails afterwards to convert it, so a body of another kind is decoded as that kind's type first.
 */
import { unknownField } from "../codec/messages.ts";
import { applyFieldValidation, type FieldValidation } from "../codec/strict.ts";
import { decodeGo } from "../field/go-decode.ts";
import type { GoStruct } from "../field/go-shape.ts";
import { badRequest } from "../status/error.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { readHeader } from "./header.ts";
import * as messages from "./messages.ts";
import { shapeOf } from "./shapes.ts";
import { capFindings, isMisordered, readTypedText, withLiteral } from "./strict.ts";
import { summarize } from "./summary.ts";
import { structOfKind } from "./types.ts";

export interface TypedBody {
  readonly value: JsonValue;
  /** Duplicate keys, as the codec found them. */
  readonly strictErrors: readonly string[];
  /** The text of the body; undefined for what was never text. */
  readonly text?: string | undefined;
  /** Upstream turns YAML into JSON with sorted keys, and meets fields in that order. */
  readonly isYaml?: boolean;
}

export interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface DecodedObject {
  /** Known fields only, zero values written as Go writes them. Not yet defaulted. */
  readonly object: JsonObject;
  readonly warnings: readonly string[];
}

/** Throws the API server's refusal if the body is not an object of this kind. `keepEmpty` as for `decodeGo`. */
export function decodeTyped(
  body: TypedBody,
  expected: Kind,
  fieldValidation: FieldValidation,
  keepEmpty = false,
): DecodedObject {
  const found = claimedKind(body, expected);
  const isElsewhere = expected.group === messages.AGGREGATOR && found.group !== expected.group;
  const type = isElsewhere ? undefined : structOfKind(found.group, found.version, found.kind);
  if (type === undefined) {
    const scheme = messages.schemeOf(expected.group);
    throw refusal(found, expected, messages.notRegistered(found.kind, groupVersion(found), scheme));
  }
  const { value, error, findings } = decodeBody(body, shapeOf(type), { fieldValidation, keepEmpty });
  if (error !== undefined) throw refusal(found, expected, error);
  const outcome = applyFieldValidation(fieldValidation, findings);
  if (outcome.error !== undefined) throw refusal(found, expected, outcome.error);
  checkKind(found, expected, type.go);
  return { object: withHeader(value, expected), warnings: outcome.warnings };
}

/** An object as Go would write it: what defaults and patches left behind, put in order again. `keepEmpty` as for `decodeGo`. */
export function normalize(object: JsonObject, { group, version, kind }: Kind, keepEmpty = false): JsonObject {
  const type = structOfKind(group, version, kind);
  if (type === undefined) throw new Error(`no built-in kind ${kind}`);
  const { value } = decodeGo(object, shapeOf(type), { keepEmpty });
  return isObject(value) ? value : newObject();
}

interface DecodedValue {
  readonly value: JsonObject;
  readonly error: string | undefined;
  readonly findings: readonly string[];
}

interface BodyOptions {
  readonly fieldValidation: FieldValidation;
  readonly keepEmpty: boolean;
}

function decodeBody(body: TypedBody, shape: GoStruct, { fieldValidation, keepEmpty }: BodyOptions): DecodedValue {
  const { text, strictErrors, isYaml } = body;
  const hasDuplicates = text !== undefined && isYaml !== true && strictErrors.length > 0;
  const merged = hasDuplicates ? readTypedText(text, shape) : undefined;
  const options =
    merged === undefined ? { keepEmpty, sortKeys: isYaml === true } : { keepEmpty, repeated: merged.repeated };
  const decoded = decodeGo(merged?.value ?? body.value, shape, options);
  const value = isObject(decoded.value) ? decoded.value : newObject();
  const isText = text !== undefined && isYaml !== true;
  const error = decoded.error !== undefined && isText ? withLiteral(decoded.error, text) : decoded.error;
  if (fieldValidation === "Ignore" || error !== undefined) return { value, error, findings: [] };
  const unknown = capFindings(decoded.unknown.map(unknownField));
  const read = merged ?? (isText && isMisordered(decoded.unknown) ? readTypedText(text, shape) : undefined);
  const findings = read?.findings ?? [...strictErrors, ...unknown];
  return { value, error, findings };
}

/** What the body says it is; what it leaves out is taken from the request. */
function claimedKind(body: TypedBody, expected: Kind): Kind {
  const { value } = body;
  if (value !== null && !isObject(value))
    throw unrecognized(body, expected, messages.notAHeader(messages.jsonName(value)));
  const { kind, apiVersion, wrong } = readHeader({
    ...body,
    text: body.text === undefined ? undefined : () => body.text ?? "",
  });
  if (wrong !== undefined)
    throw unrecognized(body, expected, messages.wrongHeaderField(messages.jsonName(wrong.value), wrong.name));
  const parts = apiVersion === "" ? [expected.group, expected.version] : apiVersion.split("/");
  if (parts.length > 2) {
    throw badRequest(messages.unrecognized(expected.kind, messages.badGroupVersion(apiVersion), summary(body)));
  }
  const [group, version] = parts.length === 2 ? parts : ["", parts[0]];
  return { group: group ?? "", version: version ?? "", kind: kind || expected.kind };
}

function unrecognized(body: TypedBody, { kind }: Kind, error: string): Error {
  return unrecognizedBody(kind, messages.noVersionOrKind(error), body.text ?? "");
}

/** A body that is no JSON, or whose kind cannot be read. */
function unrecognizedBody(kind: string, reason: string, body: string): Error {
  return badRequest(messages.unrecognized(kind, reason, summarize(body)));
}

function summary(body: TypedBody): string {
  return summarize(body.text ?? "");
}

function checkKind(found: Kind, expected: Kind, go: string): void {
  const isSameType = found.kind === expected.kind && internalGroup(found.group) === internalGroup(expected.group);
  if (!isSameType) {
    const to = `${internalGroup(expected.group)}.${expected.kind}`;
    throw refusal(found, expected, messages.unknownConversion(go, to));
  }
  if (groupVersion(found) !== groupVersion(expected)) {
    throw badRequest(messages.versionMismatch(groupVersion(found), groupVersion(expected)));
  }
}

/** The Go package of a group's internal types. Events of both groups are one type. */
export function internalGroup(group: string): string {
  if (group === "" || group === "events.k8s.io") return "core";
  return group.split(".")[0] ?? group;
}

function groupVersion({ group, version }: Kind): string {
  return group === "" ? version : `${group}/${version}`;
}

function refusal(found: Kind, expected: Kind, reason: string): Error {
  return badRequest(messages.cannotHandle(found, expected.kind, reason));
}

/** What it is called, whatever it says itself. */
export function withHeader(object: JsonObject, kind: Kind): JsonObject {
  const result = newObject();
  result["kind"] = kind.kind;
  result["apiVersion"] = groupVersion(kind);
  for (const key of Object.keys(object)) if (!(key in result)) result[key] = object[key] as JsonValue;
  return result;
}
