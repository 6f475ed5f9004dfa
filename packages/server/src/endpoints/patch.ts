/**
 * PATCH: JSON patch, merge patch, strategic merge patch and apply. Each is a function from the live object to the wanted one, run again when a
 * race is lost.
 *
 * Follows apiserver pkg/endpoints/handlers/patch.go.
 */

import { Panic } from "@portcullis/cel/internal";
import { patchStrategically } from "@portcullis/engine/builtin/strategic";
import { capFindings, readTypedText } from "@portcullis/engine/builtin/strict";
import { decodeJson } from "@portcullis/engine/codec/json";
import { strictDecoding, unknownField } from "@portcullis/engine/codec/messages";
import { applyFieldValidation } from "@portcullis/engine/codec/strict";
import { invalid as invalidField } from "@portcullis/engine/field/error";
import { decodeGo } from "@portcullis/engine/field/go-decode";
import { field, goList, goRaw, goString, goStruct } from "@portcullis/engine/field/go-shape";
import { newPath } from "@portcullis/engine/field/path";
import { applyJsonPatch, readOperations } from "@portcullis/engine/patch/json-patch";
import { applyMergePatch } from "@portcullis/engine/patch/merge-patch";
import * as patchMessages from "@portcullis/engine/patch/messages";
import {
  badRequest,
  invalid,
  notFound,
  requestEntityTooLarge,
  StatusError,
  unsupportedMediaType,
} from "@portcullis/engine/status/error";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/value/json";
import { canonicalJson } from "@portcullis/engine/value/text";
import { decodeUtf8 } from "@portcullis/gostd/utf8";
import { groupResourceOf, kindOf } from "../registry/resource-type.ts";
import { goJsonName } from "../registry/type-meta.ts";
import { updateObject } from "../registry/update.ts";
import { proposeApply } from "./apply.ts";
import { readBody } from "./body.ts";
import { type Call, checkKey, nameOf, writeCall } from "./call.ts";
import type { ApiResponse } from "./exchange.ts";
import { liveText } from "./live-text.ts";
import * as messages from "./messages.ts";
import { negotiate } from "./negotiate.ts";
import { readWriteOptions, type WriteOptions } from "./options.ts";
import { respondWritten } from "./output.ts";

export async function handlePatch(call: Call): Promise<ApiResponse> {
  const { endpoint, request, info, now } = call;
  const { type } = endpoint;
  const patchType = (request.header("content-type") ?? "").replace(/(.);.*$/s, "$1");
  if (!type.patchTypes.includes(patchType)) throw unsupported(call);
  const name = nameOf(call);
  const output = negotiate(call);
  const bytes = await readBody(request);
  const options = readWriteOptions(info.query, "PatchOptions", patchType);
  checkKey(call);
  const written = await updateObject(writeCall(call, options), {
    name,
    propose: proposal(call, patchType, bytes, options),
    createsMissing: patchType === APPLY,
  });
  const shape = { type, output, query: info.query, now: now() };
  return respondWritten(written.isCreated ? 201 : 200, written, shape);
}

const APPLY = "application/apply-patch+yaml";

type Propose = (live: JsonObject | undefined) => Promise<JsonObject>;

function proposal(call: Call, patchType: string, bytes: Uint8Array, options: WriteOptions): Propose {
  if (patchType === APPLY) return proposeApply(call, bytes, options);
  const { endpoint, server } = call;
  const { manager } = writeCall(call, options);
  const propose = proposerOf(call, patchType);
  return async (live) => {
    if (live === undefined) throw notFound(groupResourceOf(endpoint.type), call.info.name);
    const draft = propose(live, bytes, options);
    return server.fieldManager.update(live, draft, { endpoint, manager });
  };
}

type ProposeDraft = (live: JsonObject, bytes: Uint8Array, options: WriteOptions) => JsonObject;

function proposerOf(call: Call, patchType: string): ProposeDraft {
  switch (patchType) {
    case "application/json-patch+json":
      return decodingAfter(call, readJsonPatch);
    case "application/merge-patch+json":
      return decodingAfter(call, readMergePatch);
    case "application/strategic-merge-patch+json":
      return (live, bytes, options) => patchByStrategy(call, live, bytes, options);
    default:
      throw unsupported(call);
  }
}

function decodingAfter(call: Call, read: (bytes: Uint8Array, options: WriteOptions) => ReadPatch): ProposeDraft {
  return (live, bytes, options) => {
    const patch = read(bytes, options);
    const isCustom = call.endpoint.type.isCustom && call.endpoint.subresource?.name !== "scale";
    return decodePatched(call, patch.apply(liveText(live, isCustom)), patch.strictErrors, options);
  };
}

/** Goes from maps to the Go type without being JSON in between, which is why findings read differently. */
function patchByStrategy(call: Call, live: JsonObject, bytes: Uint8Array, options: WriteOptions): JsonObject {
  const { endpoint, warnings } = call;
  const { fieldValidation } = options;
  const decoded = decodeJson(bytes, { duplicates: fieldValidation !== "Ignore" });
  if (decoded.error !== undefined) throw badRequest(decoded.error);
  const patch = decoded.value ?? newObject();
  if (!isObject(patch)) throw badRequest(patchMessages.notAMap(goJsonName(patch)));
  const { strictErrors } = decoded;
  const patched = patchStrategically(live, kindOf(endpoint), { patch, strictErrors, fieldValidation });
  patched.warnings.forEach(warnings.add);
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

function readJsonPatch(bytes: Uint8Array, { fieldValidation }: WriteOptions): ReadPatch {
  const isStrict = fieldValidation !== "Ignore";
  const text = decodeUtf8(bytes);
  const decoded = decodeJson(bytes, { duplicates: isStrict });
  if (decoded.error !== undefined) {
    throw badRequest(isStrict ? patchMessages.decodingPatch(decoded.error) : decoded.error);
  }
  const strictErrors = isStrict ? judgeOperations(decoded.value, decoded.strictErrors, text) : [];
  checkOperations(decoded.value);
  return {
    strictErrors,
    apply: (live) => guardPanic(() => applyJsonPatch(live, readOperations(text))) ?? refusePatch(),
  };
}

/** What is strictly wrong with the operations themselves. */
function judgeOperations(value: JsonValue, duplicates: readonly string[], text: string): string[] {
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

function readMergePatch(bytes: Uint8Array, { fieldValidation }: WriteOptions): ReadPatch {
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
  { endpoint, warnings }: Call,
  patched: string,
  patchErrors: readonly string[],
  { fieldValidation }: WriteOptions,
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
  outcome.warnings.forEach(warnings.add);
  return draft.object;
}

function patchError(text: string, problem: string): StatusError {
  return invalid({ group: "", kind: "" }, "", [invalidField(newPath("patch"), text, problem)]);
}

/** Built-in kinds are refused by the router, which says less. */
function unsupported({ endpoint }: Call): StatusError {
  if (endpoint.type.isCustom) return unsupportedMediaType(endpoint.type.patchTypes);
  const message = "415: Unsupported Media Type";
  return new StatusError({ code: 415, reason: "UnsupportedMediaType", message, details: {} });
}
