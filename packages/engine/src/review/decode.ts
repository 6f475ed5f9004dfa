/** Request bodies: parsed, and decoded into a draft of the kind that the endpoint takes. */

import { decodeUtf8 } from "@portcullis/gostd/utf8";
import { withEmptyEntries } from "../apply/managers/managed-entries.ts";
import { withoutEmptyGroup } from "../builtin/header.ts";
import { decodeProtobuf } from "../builtin/protobuf/envelope.ts";
import { summarize, summarizeBytes } from "../builtin/summary.ts";
import { decodeJson } from "../codec/json.ts";
import { strictDecoding } from "../codec/messages.ts";
import { applyFieldValidation, type FieldValidation } from "../codec/strict.ts";
import { decodeYaml } from "../codec/yaml.ts";
import { badRequest, type StatusError } from "../status/error.ts";
import { fromPlain } from "../value/copy.ts";
import { Float64, isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { textOf } from "../value/metadata.ts";
import { canonicalJson } from "../value/text.ts";
import {
  apiVersionOf,
  type Body,
  type DecodeTyped,
  type Draft,
  type Endpoint,
  type GroupVersionKind,
  kindOf,
} from "./kind.ts";
import * as messages from "./messages.ts";
import { parseError, readTypeMeta } from "./type-meta.ts";

export type BodyFormat = "json" | "yaml" | "protobuf";

/** What a client sent: bytes, or a document that was parsed before. */
export type Content =
  | { readonly bytes: Uint8Array; readonly format: BodyFormat; readonly body?: undefined }
  | { readonly body: Body };

export interface ParsedBody extends Body {
  readonly error?: undefined;
  /** The refusal if a number that is too large for a float64 is still there once the body is decoded into its type. */
  readonly huge?: Failure;
}

type Failure = Extract<Draft, { readonly error: string }>;

export interface ParseOptions {
  readonly duplicates: boolean;
  readonly expected: GroupVersionKind;
  /** Whether it is decoded into a Go type, which ignores what it does not know. */
  readonly isTyped?: boolean;
}

/** The value of a body; or what is wrong with its text. */
export function parseBody(
  bytes: Uint8Array,
  format: BodyFormat,
  { duplicates, expected, isTyped = false }: ParseOptions,
): ParsedBody | Failure {
  if (format === "protobuf") {
    const value = decodeProtobuf(bytes, expected);
    return { value, strictErrors: [], isBinary: true, text: () => canonicalJson(value) };
  }
  if (format === "json") {
    const decoded = decodeJson(bytes, { duplicates });
    if (decoded.error !== undefined) return jsonFailure(decoded.error, bytes, { duplicates, isTyped });
    const { value, strictErrors, outline } = decoded;
    return { value, strictErrors, outline, text: () => decodeUtf8(bytes) };
  }
  const decoded = decodeYaml(bytes, { duplicates });
  if (decoded.error !== undefined) return { error: decoded.error };
  return {
    value: decoded.value,
    strictErrors: decoded.strictErrors,
    isYaml: true,
    // The message quotes the body as it was sent, whatever the encoding.
    text: () => decodeUtf8(bytes),
  };
}

/**
 * A number too large for a float64 is noticed late, when the kind is known, and not at all where a Go type has no such
 * field; everything else before.
 */
function jsonFailure(
  error: string,
  bytes: Uint8Array,
  { duplicates, isTyped }: Pick<ParseOptions, "duplicates" | "isTyped">,
): ParsedBody | Failure {
  if (!error.startsWith("json: cannot unmarshal number")) return { error: parseError(error) };
  // The syntax has been checked, and only two texts are looked at.
  const value = fromPlain(
    JSON.parse(decodeUtf8(bytes), (_, each) => (Number.isFinite(each) || typeof each !== "number" ? each : 0)),
  );
  const meta = readTypeMeta({ value });
  const huge = meta.error === undefined && meta.kind !== "" ? { error, claim: meta } : { error };
  const decoded = isTyped === true ? decodeJson(bytes, { duplicates, hugeNumbers: true }) : huge;
  if (decoded.error !== undefined) return huge;
  return { value: decoded.value, strictErrors: decoded.strictErrors, huge, text: () => decodeUtf8(bytes) };
}

function hasInfinity(value: JsonValue): boolean {
  if (value instanceof Float64) return !Number.isFinite(value.value);
  if (isArray(value)) return value.some(hasInfinity);
  return isObject(value) && Object.values(value).some(hasInfinity);
}

interface StrictOptions {
  readonly fieldValidation: FieldValidation;
  readonly warn: (text: string) => void;
  /** Gets the unknown and duplicate fields of a body that is not refused for them. */
  readonly onFindings: (findings: readonly string[]) => void;
}

/** A body as a draft; unknown and duplicate fields are refused or warned about as the request wishes. */
export function decodeDraft(content: Content, endpoint: Endpoint, options: StrictOptions): JsonObject {
  const trackUnknown = options.fieldValidation !== "Ignore";
  const expected = kindOf(endpoint);
  const { kind } = expected;
  // Kinds with a Go type decode a repeated key into what the first left, whatever the mode.
  const duplicates = trackUnknown || !endpoint.type.isCustom;
  const quoted = (): string =>
    content.body === undefined ? summarizeBytes(content.bytes) : summarize(content.body.text());
  const parsed =
    content.body === undefined
      ? parseBody(content.bytes, content.format, { duplicates, expected, isTyped: !endpoint.type.isCustom })
      : undefined;
  if (parsed?.error !== undefined) throw decodeError(parsed, kind, quoted);
  const body = parsed ?? content.body;
  if (body === undefined) throw new Error("a body is missing");
  const target = endpoint.subresource ?? endpoint.type.strategy;
  const checkNumbers = (object: JsonObject): JsonObject => {
    if (parsed?.huge !== undefined && hasInfinity(object)) throw decodeError(parsed.huge, kind, quoted);
    return object;
  };
  if (target.decodeTyped !== undefined) return checkNumbers(decodeByType(target.decodeTyped, body, options));
  const draft = target.decode(body, { trackUnknown });
  if (draft.error !== undefined) throw decodeError(draft, kind, quoted);
  const { findings, bodyError } = draft;
  const outcome = applyFieldValidation(options.fieldValidation, findings);
  if (outcome.error !== undefined) {
    const claim = { kind: textOf(draft.object["kind"]), version: versionOf(draft.object) };
    const isRepeated = endpoint.type.isCustom && body.strictErrors.length > 0;
    if (isRepeated && bodyError === undefined && claim.version === "") throw badRequest(messages.noVersionField());
    throw decodeError(
      { error: strictDecoding(findings), claim, ...(bodyError !== undefined && { bodyError }) },
      // Where keys are repeated upstream has a custom resource already, and goes by what that says it is.
      isRepeated ? claim.kind : kind,
      quoted,
    );
  }
  options.onFindings(findings);
  checkNumbers(draft.object);
  outcome.warnings.forEach(options.warn);
  checkVersion(draft.object, endpoint);
  return draft.object;
}

function decodeByType(
  decode: DecodeTyped,
  { value, strictErrors, isYaml = false, text, isBinary = false }: Body,
  { fieldValidation, warn, onFindings }: StrictOptions,
): JsonObject {
  const typed = { value, strictErrors, text: isBinary ? undefined : text(), isYaml };
  const { object, warnings } = decode(typed, fieldValidation);
  onFindings(warnings);
  warnings.forEach(warn);
  return withEmptyEntries(object, value);
}

function decodeError(draft: Extract<Draft, { error: string }>, kind: string, quoted: () => string): StatusError {
  if (draft.bodyError !== undefined) return badRequest(draft.bodyError);
  if (draft.claim === undefined) return badRequest(messages.unrecognized(kind, draft.error, quoted()));
  return badRequest(messages.cannotHandle(draft.claim.kind, draft.claim.version, kind, draft.error));
}

function versionOf(object: JsonObject): string {
  return textOf(object["apiVersion"]).split("/").at(-1) ?? "";
}

function checkVersion(object: JsonObject, endpoint: Endpoint): void {
  const expected = apiVersionOf(kindOf(endpoint));
  const found = withoutEmptyGroup(textOf(object["apiVersion"]));
  if (found !== expected) throw badRequest(messages.versionMismatch(found, expected));
}
