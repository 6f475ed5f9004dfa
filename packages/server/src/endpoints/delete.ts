/** DELETE of one object, or of all that a selector picks. */

import { decodeGo } from "@portcullis/engine/internal/field/go-decode";
import {
  field,
  goBool,
  goInt64,
  goList,
  goString,
  goStruct,
  pointerField,
} from "@portcullis/engine/internal/field/go-shape";
import type { BodyFormat } from "@portcullis/engine/internal/review/decode";
import { parseBody } from "@portcullis/engine/internal/review/decode";
import { checkKey } from "@portcullis/engine/internal/review/prepare";
import { readTypeMeta } from "@portcullis/engine/internal/review/type-meta";
import type { DeleteOptions } from "@portcullis/engine/internal/review/write";
import { badRequest, bareError, StatusError } from "@portcullis/engine/internal/status/error";
import { isObject, newObject } from "@portcullis/engine/internal/value/json";
import { metaText } from "@portcullis/engine/internal/value/metadata";
import { since } from "@portcullis/engine/internal/value/server-version";
import type { ApiResponse } from "../http/exchange.ts";
import { deleteObject } from "../registry/delete.ts";
import { inputFormat, readBody } from "./body.ts";
import { byRules, type Call, nameOf, writeBase, writeCall } from "./call.ts";
import { listObjects, respondObjects, transformFields } from "./list.ts";
import { isSliced } from "./list-text.ts";
import * as messages from "./messages.ts";
import { negotiate } from "./negotiate.ts";
import { checkDelete, type DeleteRequest, readDeleteQuery, readListRequest } from "./options.ts";
import { transform } from "./output.ts";
import { respondObject } from "./respond.ts";

export async function handleDelete(call: Call): Promise<ApiResponse> {
  const { endpoint, info, now } = call;
  const name = nameOf(call);
  const output = negotiate(call);
  const options = await readOptions(call);
  const write = deleteWrite(call, name, options);
  checkKey(write);
  const { result, isGone } = await deleteObject(write, writeCall(call));
  const isAccepted = !isGone && options.orphanDependents === false;
  const shown = transform(result, { type: endpoint.type, output, query: info.query, now: now() });
  return respondObject(isAccepted ? 202 : 200, shown, output);
}

/** Answers with the list of what was deleted. */
export async function handleDeleteCollection(call: Call): Promise<ApiResponse> {
  const { endpoint, info } = call;
  const output = negotiate(call);
  const selection = transformFields(readListRequest(info.query), endpoint.type);
  const options = await readOptions(call);
  // Upstream lists in pages, and a page is of exactly the version it is asked for.
  const limit = selection.limit > 0 ? selection.limit : Number.MAX_SAFE_INTEGER;
  const list = await listObjects(call, { ...selection, limit, isWatch: false }, !isSliced(output));
  for (let i = 0; i < list.count; i++) await deleteIfThere(call, metaText(list.objectAt(i), "name"), options);
  return respondObjects(call, list, output);
}

async function deleteIfThere(call: Call, name: string, options: DeleteRequest): Promise<void> {
  try {
    const { server, warnings, annotate } = call;
    // Not weighed: a request that has deleted something cannot start over on another thread.
    const deletion = { server, warn: warnings.add, annotate };
    await deleteObject(deleteWrite(call, name, { ...options, isCollection: true }), deletion);
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== "NotFound") throw error;
  }
}

function deleteWrite(call: Call, name: string, deletion: DeleteRequest & Pick<DeleteOptions, "isCollection">) {
  const { isDryRun, json } = deletion;
  const options = { isDryRun, fieldManager: "", fieldValidation: "Ignore", force: undefined, json } as const;
  return { ...writeBase(call, options), verb: "delete", name, deletion } as const;
}

const deleteOptions = goStruct("v1.DeleteOptions", () => ({
  kind: field(goString),
  apiVersion: field(goString),
  gracePeriodSeconds: pointerField(goInt64),
  preconditions: pointerField(
    goStruct("v1.Preconditions", () => ({ uid: pointerField(goString), resourceVersion: pointerField(goString) })),
  ),
  orphanDependents: pointerField(goBool),
  propagationPolicy: pointerField(goString),
  dryRun: field(goList(goString)),
}));

const DELETE_OPTIONS = { group: "", version: "v1", kind: "DeleteOptions" };

/** From the body, or from the query if there is none; then the media type does not matter either. */
async function readOptions(call: Call): Promise<DeleteRequest> {
  const bytes = await readBody(call);
  if (bytes.length === 0) return byRules(call, () => readDeleteQuery(call.info.query));
  const format = inputFormat(call.request, false);
  return byRules(call, () => decodeOptions(bytes, format));
}

function decodeOptions(bytes: Uint8Array, format: BodyFormat): DeleteRequest {
  const body = parseBody(bytes, format, { duplicates: false, expected: DELETE_OPTIONS });
  if (body.error !== undefined) throw undecodable(body.error);
  const meta = readTypeMeta(body);
  if (meta.error !== undefined) throw undecodable(meta.error);
  if (meta.kind !== "" && meta.kind !== "DeleteOptions") {
    throw undecodable(messages.notDeleteOptions(meta.kind, meta.apiVersion));
  }
  const { value, error } = decodeGo(body.value, deleteOptions);
  if (error !== undefined) throw undecodable(error);
  return checkDelete(isObject(value) ? value : newObject());
}

/** Up to 1.34 an error of the server. */
function undecodable(error: string): StatusError {
  return since("1.35") ? badRequest(error) : bareError(error);
}
