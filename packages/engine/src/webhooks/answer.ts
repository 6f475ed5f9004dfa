/**
 * Reads the HTTP response of a webhook: the expected review, or why it cannot be decoded.
 *
 * JSON and YAML are decoded regardless of the Content-Type. Follows client-go rest/request.go and the universal
 * decoder.
 */
import { decodeUtf8 } from "@portcullis/gostd/utf8";
import { readClaimedKind } from "../builtin/claimed-kind.ts";
import { builtinKind } from "../builtin/kinds/kinds.ts";
import { noVersionOrKind } from "../builtin/messages.ts";
import { decodeJson } from "../codec/json.ts";
import { decodeYaml } from "../codec/yaml.ts";
import { decodeGo } from "../field/go-decode.ts";
import type { GoStruct } from "../field/go-shape.ts";
import { internalError } from "../status/error.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { textOf } from "../value/read.ts";
import { mediaTypeProblem } from "./media-type.ts";
import * as messages from "./messages.ts";
import { STATUS } from "./status-shape.ts";

export interface WebhookAnswer {
  readonly code: number;
  /** "" if none was sent. */
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** The expected kind of a response, in one of its versions. */
export interface ReviewKind {
  readonly group: string;
  readonly kind: string;
  readonly version: "v1" | "v1beta1";
  readonly shape: GoStruct;
  /** Whether the client knows all built-in kinds: it then cannot convert others, and does not miss them. */
  readonly knowsKinds?: boolean;
}

export type DecodedAnswer =
  | {
      readonly review: JsonObject;
      /** As named in the response; "" if absent. */
      readonly claimed: ClaimedKind;
      readonly error?: undefined;
    }
  | AnswerError;

export interface AnswerError {
  readonly error: string;
  /** The code of the failure in metrics. */
  readonly code: number;
}

export interface ClaimedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const UNAVAILABLE = 503;
const JSON_TYPE = "application/json";

export function decodeAnswer(answer: WebhookAnswer, expected: ReviewKind): DecodedAnswer {
  const failed = (error: string): AnswerError => ({ error, code: UNAVAILABLE });
  const { code, contentType, body } = answer;
  const malformed = contentType === "" ? undefined : mediaTypeProblem(contentType);
  if (malformed !== undefined) return { error: internalError(malformed).message, code: 500 };
  if (code < 200 || code > 206) return { error: refusalOf(answer), code };
  if (body.length === 0) return failed(messages.emptyAnswer(code, contentType || JSON_TYPE));
  const read = readAnswer(body);
  if (read.error !== undefined) return failed(read.error);
  const problem = kindProblem(read.claimed, expected);
  if (problem !== undefined) return failed(problem);
  const decoded = decodeGo(read.value, expected.shape);
  if (decoded.error !== undefined) return failed(decoded.error);
  return { review: isObject(decoded.value) ? decoded.value : newObject(), claimed: read.claimed };
}

type ReadAnswer =
  | { readonly value: JsonValue; readonly claimed: ClaimedKind; readonly error?: undefined }
  | { readonly error: string };

function readAnswer(bytes: Uint8Array): ReadAnswer {
  // Go does not count a byte order mark as space.
  const isJson = /^(?:[^\S\ufeff]|\x85)*\{/.test(decodeUtf8(bytes.subarray(0, 1024)));
  const decoded = isJson ? decodeJson(bytes) : decodeYaml(bytes, { duplicates: false });
  if (decoded.error !== undefined) return { error: isJson ? noVersionOrKind(decoded.error) : decoded.error };
  const { value } = decoded;
  const claimed = readClaimedKind(value);
  return typeof claimed === "string" ? { error: claimed } : { value, claimed };
}

/** Why the client's scheme cannot decode it into the expected kind. Absent fields count as expected. */
function kindProblem(claimed: ClaimedKind, expected: ReviewKind): string | undefined {
  const hasVersion = claimed.group !== "" || claimed.version !== "";
  const { group, version } = hasVersion ? claimed : expected;
  const kind = claimed.kind || expected.kind;
  const isReview = kind === expected.kind && group === expected.group;
  if (isReview && version === expected.version) return undefined;
  const target = `${expected.version}.${expected.kind}`;
  if (isReview && (version === "v1" || version === "v1beta1")) {
    return messages.unknownConversion(`${version}.${kind}`, target);
  }
  const isKnown = expected.knowsKinds === true && builtinKind(group, version, kind) !== undefined;
  if (isKnown) return messages.unknownConversion(`${version}.${kind}`, target);
  if (kind === "Status" && group === "" && version === "v1") return messages.unknownConversion("v1.Status", target);
  return messages.unregisteredKind(kind, group === "" ? version : `${group}/${version}`);
}

const MAX_TEXT_BYTES = 2048;

/** The message of a Status in the body, or a message for the code. */
function refusalOf({ code, contentType, body }: WebhookAnswer): string {
  return statusMessage(body) ?? messages.serverError(code, shownText(contentType, body));
}

function statusMessage(body: Uint8Array): string | undefined {
  const read = body.length === 0 ? undefined : readAnswer(body);
  if (read === undefined || read.error !== undefined) return undefined;
  const { kind, group, version } = read.claimed;
  const isStatus = kind === "Status" && group === "" && version === "v1";
  const { value, error } = decodeGo(read.value, STATUS);
  if (!isStatus || error !== undefined || !isObject(value) || value["status"] === "Success") return undefined;
  return textOf(value["message"]);
}

function shownText(contentType: string, body: Uint8Array): string {
  const isText = contentType === "" || /^text\//i.test(contentType.trim());
  return isText ? decodeUtf8(body.subarray(0, MAX_TEXT_BYTES)).trim() : "unknown";
}
