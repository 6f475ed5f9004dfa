/** Request bodies: read within limits, decoded, and made into a draft of the kind that the endpoint takes. */
import { withoutEmptyGroup } from "@portcullis/engine/builtin/header";
import { decodeProtobuf } from "@portcullis/engine/builtin/protobuf/envelope";
import { decodeJson } from "@portcullis/engine/codec/json";
import { bodyFormat, JSON_MEDIA_TYPE, PROTOBUF_MEDIA_TYPE, YAML_MEDIA_TYPE } from "@portcullis/engine/codec/media-type";
import { strictDecoding } from "@portcullis/engine/codec/messages";
import { applyFieldValidation } from "@portcullis/engine/codec/strict";
import { decodeYaml } from "@portcullis/engine/codec/yaml";
import type { FieldValidation } from "@portcullis/engine/pipeline/request";
import {
  badRequest,
  requestEntityTooLarge,
  type StatusError,
  unsupportedMediaType,
} from "@portcullis/engine/status/error";
import { fromPlain } from "@portcullis/engine/value/copy";
import type { JsonObject } from "@portcullis/engine/value/json";
import { canonicalJson } from "@portcullis/engine/value/text";
import { decodeUtf8 } from "@portcullis/gostd/utf8";
import { textOf } from "../registry/meta.ts";
import {
  apiVersionOf,
  type Body,
  type DecodeTyped,
  type Draft,
  type Endpoint,
  type GroupVersionKind,
  kindOf,
} from "../registry/resource-type.ts";
import { parseError, readTypeMeta } from "../registry/type-meta.ts";
import { type ApiRequest, BodyTooLarge } from "./exchange.ts";
import * as messages from "./messages.ts";

export const MAX_BODY = 3 * 1024 * 1024;

export type BodyFormat = "json" | "yaml" | "protobuf";

const ACCEPTED = [JSON_MEDIA_TYPE, YAML_MEDIA_TYPE, PROTOBUF_MEDIA_TYPE];

/** Custom resources have no protobuf form. */
export function inputFormat(request: ApiRequest, isCustom: boolean): BodyFormat {
  const format = bodyFormat(request.header("content-type"));
  if (format === "json" || format === "yaml" || (format === "protobuf" && !isCustom)) return format;
  throw unsupportedMediaType(ACCEPTED);
}

export async function readBody(request: ApiRequest): Promise<Uint8Array> {
  try {
    return await request.readBody(MAX_BODY);
  } catch (error) {
    if (error instanceof BodyTooLarge) throw requestEntityTooLarge(messages.bodyLimit(MAX_BODY));
    throw error;
  }
}

export interface ParsedBody extends Body {
  readonly error?: undefined;
}

type Failure = Extract<Draft, { readonly error: string }>;

/** The value of a body; what is wrong with its text in the words of the decoder. */
export function parseBody(
  bytes: Uint8Array,
  format: BodyFormat,
  { duplicates, expected }: { readonly duplicates: boolean; readonly expected: GroupVersionKind },
): ParsedBody | Failure {
  if (format === "protobuf") {
    const value = decodeProtobuf(bytes, expected);
    return { value, strictErrors: [], text: () => canonicalJson(value) };
  }
  if (format === "json") {
    const decoded = decodeJson(bytes, { duplicates });
    if (decoded.error !== undefined) return jsonFailure(decoded.error, bytes);
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

/** A number too large for a float64 is noticed late, when the kind is known; everything else before. */
function jsonFailure(error: string, bytes: Uint8Array): Failure {
  if (!error.startsWith("json: cannot unmarshal number")) return { error: parseError(error) };
  // The syntax has been checked, and only two texts are looked at.
  const value = fromPlain(
    JSON.parse(decodeUtf8(bytes), (_, each) => (Number.isFinite(each) || typeof each !== "number" ? each : 0)),
  );
  const meta = readTypeMeta({ value });
  return meta.error === undefined && meta.kind !== "" ? { error, claim: meta } : { error };
}

interface StrictOptions {
  readonly fieldValidation: FieldValidation;
  readonly warn: (text: string) => void;
}

/** A body as a draft; unknown and duplicate fields are refused or warned about as the request wishes. */
export function decodeDraft(
  bytes: Uint8Array,
  format: BodyFormat,
  endpoint: Endpoint,
  options: StrictOptions,
): JsonObject {
  const trackUnknown = options.fieldValidation !== "Ignore";
  const expected = kindOf(endpoint);
  const { kind } = expected;
  // Kinds with a Go type decode a repeated key into what the first left, whether or not anybody is told.
  const body = parseBody(bytes, format, { duplicates: trackUnknown || !endpoint.type.isCustom, expected });
  if (body.error !== undefined) throw decodeError(body, kind, bytes);
  const target = endpoint.subresource ?? endpoint.type.strategy;
  if (target.decodeTyped !== undefined) return decodeByType(target.decodeTyped, body, bytes, format, options);
  const draft = target.decode(body, { trackUnknown });
  if (draft.error !== undefined) throw decodeError(draft, kind, bytes);
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
      bytes,
    );
  }
  outcome.warnings.forEach(options.warn);
  checkVersion(draft.object, endpoint);
  return draft.object;
}

function decodeByType(
  decode: DecodeTyped,
  { value, strictErrors }: ParsedBody,
  bytes: Uint8Array,
  format: BodyFormat,
  { fieldValidation, warn }: StrictOptions,
): JsonObject {
  const text = format === "protobuf" ? undefined : decodeUtf8(bytes);
  const { object, warnings } = decode({ value, strictErrors, text, isYaml: format === "yaml" }, fieldValidation);
  warnings.forEach(warn);
  return object;
}

function decodeError(draft: Extract<Draft, { error: string }>, kind: string, bytes: Uint8Array): StatusError {
  if (draft.bodyError !== undefined) return badRequest(draft.bodyError);
  if (draft.claim === undefined) return badRequest(messages.unrecognized(kind, draft.error, summarize(bytes)));
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

const SUMMARY = 30;

/** The beginning of a body, in hex where it does not look like JSON. */
export function summarize(bytes: Uint8Array): string {
  if (bytes.length === 0) return "<empty>";
  const head = bytes.subarray(0, SUMMARY);
  const text = bytes[0] === 0x7b ? decodeUtf8(head) : hex(head);
  return bytes.length > SUMMARY ? `${text} ...` : text;
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
