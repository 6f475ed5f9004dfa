/**
 * PATCH: JSON patch, merge patch, strategic merge patch and apply. Each is a function from the live object to the wanted one, run again when a
 * race is lost.
 *
 * Follows apiserver pkg/endpoints/handlers/patch.go.
 */

import { Panic } from "@portcullis/cel/internal";
import { decodeUtf8 } from "@portcullis/gostd/utf8";
import { patchStrategically } from "../../builtin/strategic.ts";
import { capFindings, readTypedText } from "../../builtin/strict.ts";
import { decodeJson } from "../../codec/json.ts";
import { strictDecoding, unknownField } from "../../codec/messages.ts";
import { applyFieldValidation, type FieldValidation } from "../../codec/strict.ts";
import { invalid as invalidField } from "../../field/error.ts";
import { decodeGo } from "../../field/go-decode.ts";
import { field, goList, goRaw, goString, goStruct } from "../../field/go-shape.ts";
import { newPath } from "../../field/path.ts";
import { applyJsonPatch, readOperations } from "../../patch/json-patch.ts";
import { applyMergePatch } from "../../patch/merge-patch.ts";
import * as patchMessages from "../../patch/messages.ts";
import {
  badRequest,
  invalid,
  notFound,
  requestEntityTooLarge,
  StatusError,
  unsupportedMediaType,
} from "../../status/error.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { asServer, since } from "../../value/server-version.ts";
import { canonicalJson } from "../../value/text.ts";
import { type Endpoint, groupResourceOf, kindOf, rulesOf } from "../kind.ts";
import * as messages from "../messages.ts";
import type { ReviewContext } from "../review-context.ts";
import { goJsonName } from "../type-meta.ts";
import type { PatchWrite } from "../write.ts";
import { checkApplyBody, proposeApply } from "./apply.ts";
import { liveText } from "./live-text.ts";

export const APPLY = "application/apply-patch+yaml";

type Propose = (live: JsonObject | undefined) => Promise<JsonObject>;

/** Since 1.37 a body that is not JSON, or not YAML for an apply, is refused before anything else. */
export function checkPatchBody(write: PatchWrite): void {
  if (!asServer(rulesOf(write.endpoint), () => since("1.37"))) return;
  if (write.patchType === APPLY) checkApplyBody(write);
  else if (!isJson(write.patch)) throw badRequest(patchMessages.notJson());
}

function isJson(bytes: Uint8Array): boolean {
  const { error } = decodeJson(bytes);
  // Numbers that do not fit are JSON.
  return error === undefined || error.startsWith("json: ");
}

export function proposePatch(write: PatchWrite, context: ReviewContext): Propose {
  if (write.patchType === APPLY) return proposeApply(write, context);
  const { endpoint, manager } = write;
  const propose = proposerOf(write, context);
  return async (live) => {
    if (live === undefined) throw notFound(groupResourceOf(endpoint.type), write.name);
    return context.cluster.fieldManager.update(live, propose(live), { endpoint, manager, pause: write.pause });
  };
}

type ProposeDraft = (live: JsonObject) => JsonObject;

function proposerOf(write: PatchWrite, context: ReviewContext): ProposeDraft {
  switch (write.patchType) {
    case "application/json-patch+json":
      return decodingAfter(write, context, readJsonPatch);
    case "application/merge-patch+json":
      return decodingAfter(write, context, readMergePatch);
    case "application/strategic-merge-patch+json":
      return (live) => patchByStrategy(write, context, live);
    default:
      throw unsupportedPatch(write.endpoint);
  }
}

function decodingAfter(
  write: PatchWrite,
  context: ReviewContext,
  read: (bytes: Uint8Array, fieldValidation: FieldValidation) => ReadPatch,
): ProposeDraft {
  const { endpoint, fieldValidation } = write;
  return (live) => {
    const patch = read(write.patch, fieldValidation);
    const isCustom = endpoint.type.isCustom && endpoint.subresource?.name !== "scale";
    return decodePatched(write, context, { text: patch.apply(liveText(live, isCustom)), findings: patch.strictErrors });
  };
}

/** Goes from maps to the Go type without being JSON in between, which is why findings read differently. */
function patchByStrategy(write: PatchWrite, { recorder }: ReviewContext, live: JsonObject): JsonObject {
  const { endpoint, fieldValidation } = write;
  const decoded = decodeJson(write.patch, { duplicates: fieldValidation !== "Ignore" });
  if (decoded.error !== undefined) throw badRequest(decoded.error);
  const patch = decoded.value ?? newObject();
  if (!isObject(patch)) throw badRequest(patchMessages.notAMap(goJsonName(patch)));
  const { strictErrors } = decoded;
  const request = { patch, strictErrors, fieldValidation };
  const patched = asServer(rulesOf(endpoint), () => patchStrategically(live, kindOf(endpoint), request));
  recorder.onFindings(patched.warnings);
  patched.warnings.forEach(recorder.warn);
  const target = endpoint.subresource ?? endpoint.type.strategy;
  if (target.decodeTyped !== undefined) return patched.object;
  // Kinds that are not decoded by their type alone have defaults of their own.
  const text = (): string => canonicalJson(patched.object);
  const draft = target.decode({ value: patched.object, text, strictErrors: [] }, { trackUnknown: false });
  if (draft.error !== undefined) throw patchError(text(), draft.error);
  return draft.object;
}

interface ReadPatch {
  readonly strictErrors: readonly string[];
  /** From text to text. */
  readonly apply: (live: string) => string;
}

const patchOperations = goList(
  goStruct("handlers.jsonPatchOp", () => ({
    op: field(goString),
    path: field(goString),
    from: field(goString),
    value: field(goRaw),
  })),
);

function readJsonPatch(bytes: Uint8Array, fieldValidation: FieldValidation): ReadPatch {
  const isStrict = fieldValidation !== "Ignore";
  const text = decodeUtf8(bytes);
  const decoded = decodeJson(bytes, { duplicates: isStrict });
  if (decoded.error !== undefined) {
    throw badRequest(isStrict ? patchMessages.decodingPatch(decoded.error) : decoded.error);
  }
  const strictErrors = isStrict ? validateOperations(decoded.value, decoded.strictErrors, text) : [];
  checkOperations(decoded.value);
  return {
    strictErrors,
    apply: (live) => guardPanic(() => applyJsonPatch(live, readOperations(text))) ?? refusePatch(),
  };
}

/** What is strictly wrong with the operations themselves. */
function validateOperations(value: JsonValue, duplicates: readonly string[], text: string): string[] {
  const read = duplicates.length === 0 ? undefined : readTypedText(text, patchOperations, { looksIntoRaw: true });
  const { error, unknown } = decodeGo(read?.value ?? value, patchOperations, read && { repeated: read.repeated });
  if (error !== undefined) throw badRequest(patchMessages.decodingPatch(error));
  return (read?.findings ?? capFindings(unknown.map(unknownField))).map(patchMessages.inJsonPatch);
}

function checkOperations(value: JsonValue): void {
  if (value === null) return;
  if (!isArray(value)) throw badRequest(patchMessages.notAPatch(goJsonName(value)));
  const wrong = value.find((item) => item !== null && !isObject(item));
  if (wrong !== undefined) throw badRequest(patchMessages.notAnOperation(goJsonName(wrong)));
  if (value.length > patchMessages.MAX_OPERATIONS) {
    throw requestEntityTooLarge(patchMessages.tooManyOperations(value.length));
  }
}

/** What makes Go panic is answered like any other panic. */
function guardPanic<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Panic)) throw error;
    throw new StatusError({ code: 500, reason: "", message: patchMessages.crashed() });
  }
}

function refusePatch(): never {
  throw new StatusError({ code: 422, reason: "Invalid", message: messages.patchRefused(), details: {} });
}

function readMergePatch(bytes: Uint8Array, fieldValidation: FieldValidation): ReadPatch {
  const isStrict = fieldValidation !== "Ignore";
  const decoded = decodeJson(bytes, { duplicates: isStrict });
  if (decoded.error !== undefined) {
    throw badRequest(isStrict ? patchMessages.decodingPatch(decoded.error) : patchMessages.badMergePatch());
  }
  const patch = decoded.value;
  if (isStrict && patch !== null && !isObject(patch)) {
    throw badRequest(patchMessages.decodingPatch(patchMessages.notAMap(goJsonName(patch))));
  }
  const text = decodeUtf8(bytes);
  return {
    strictErrors: decoded.strictErrors,
    apply: (live) => {
      const merged = applyMergePatch(live, text);
      if (merged === undefined) throw badRequest(patchMessages.badMergePatch());
      return merged;
    },
  };
}

/** The patched object is decoded like a body, but what is wrong with it is an error about the patch. */
function decodePatched(
  { endpoint, fieldValidation }: PatchWrite,
  { recorder }: ReviewContext,
  { text: patched, findings: patchErrors }: { readonly text: string; readonly findings: readonly string[] },
): JsonObject {
  const trackUnknown = fieldValidation !== "Ignore";
  const decoded = decodeJson(patched, { duplicates: trackUnknown || !endpoint.type.isCustom });
  if (decoded.error !== undefined) throw patchError(patched, decoded.error);
  const body = { value: decoded.value, text: () => patched, strictErrors: decoded.strictErrors };
  const draft = (endpoint.subresource ?? endpoint.type.strategy).decode(body, { trackUnknown, isPatched: true });
  if (draft.error !== undefined) throw patchError(patched, draft.error);
  const findings = [...patchErrors, ...draft.findings];
  const outcome = applyFieldValidation(fieldValidation, findings);
  if (outcome.error !== undefined) throw patchError(patched, strictDecoding(findings));
  recorder.onFindings(findings);
  outcome.warnings.forEach(recorder.warn);
  return draft.object;
}

function patchError(text: string, problem: string): StatusError {
  return invalid({ group: "", kind: "" }, "", [invalidField(newPath("patch"), text, problem)]);
}

/** Built-in kinds are refused by the router, which says less. */
export function unsupportedPatch(endpoint: Endpoint): StatusError {
  if (endpoint.type.isCustom) return unsupportedMediaType(endpoint.type.patchTypes);
  const message = "415: Unsupported Media Type";
  return new StatusError({ code: 415, reason: "UnsupportedMediaType", message, details: {} });
}
