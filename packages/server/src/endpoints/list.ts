/**
 * GET of a collection: selectors, pages, and what a resourceVersion means.
 *
 * Pages of one list show one revision. A page ends where the limit is reached; whether more follows is a question of
 * stored entries, not of matching ones, so the last page may be empty.
 */
import { type FieldSelector, matchesFields } from "@portcullis/engine/selector/fields";
import { matchesLabels } from "@portcullis/engine/selector/labels";
import { badRequest, resourceExpired, tooLargeResourceVersion } from "@portcullis/engine/status/error";
import type { JsonObject } from "@portcullis/engine/value/json";
import { parseUint } from "@portcullis/gostd/strconv";
import { fieldNotSupported } from "../registry/messages.ts";
import { labelsOf, metaText, objectOf } from "../registry/meta.ts";
import { decodeEntry, prefixOf, prepareEntries } from "../registry/object-codec.ts";
import { apiVersionOf, type ResourceType } from "../registry/resource-type.ts";
import { Compacted, type Entry, type EntryList } from "../storage/store.ts";
import type { Call } from "./call.ts";
import { decodeContinue, encodeContinue } from "./continue-token.ts";
import type { ApiResponse } from "./exchange.ts";
import { ListExpired } from "./list-expired.ts";
import * as messages from "./messages.ts";
import { negotiate } from "./negotiate.ts";
import type { ListRequest } from "./options.ts";
import { transform } from "./output.ts";
import { respondObject } from "./respond.ts";

export async function handleList(call: Call, selection: ListRequest): Promise<ApiResponse> {
  const { endpoint, info, now } = call;
  const output = negotiate(call);
  const list = await listObjects(call, selection);
  const result = listResult(endpoint.type, list);
  return respondObject(200, transform(result, { type: endpoint.type, output, query: info.query, now: now() }), output);
}

export interface ObjectList {
  readonly objects: readonly JsonObject[];
  readonly revision: number;
  readonly continue: string;
  readonly remaining: number | undefined;
}

export function listResult(type: ResourceType, list: ObjectList): JsonObject {
  const metadata = objectOf({
    // Lists of custom resources always say it.
    continue: list.continue === "" && !type.isCustom ? undefined : list.continue,
    remainingItemCount: list.remaining,
    resourceVersion: String(list.revision),
  });
  const items = type.itemsNameKind ? [...list.objects] : list.objects.map(withoutKind);
  return objectOf({ kind: type.listKind, apiVersion: apiVersionOf(type), metadata, items });
}

function withoutKind(object: JsonObject): JsonObject {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return objectOf(rest);
}

/** Field selectors may only ask for what the kind offers. */
export function transformFields(selection: ListRequest, type: ResourceType): ListRequest {
  for (const { field } of selection.fields) {
    const isKnown = field === "metadata.name" || (field === "metadata.namespace" && type.namespaced);
    if (!isKnown && !type.fields.has(field)) throw badRequest(fieldNotSupported(field));
  }
  return selection;
}

export function matches(object: JsonObject, selection: ListRequest, type: ResourceType): boolean {
  if (!selection.hasSelector) return true;
  if (selection.labels.length > 0 && !matchesLabels(selection.labels, labelsOf(object))) return false;
  return matchesSelectedFields(object, selection.fields, type);
}

function matchesSelectedFields(object: JsonObject, fields: FieldSelector, type: ResourceType): boolean {
  return matchesFields(fields, (field) => {
    if (field === "metadata.name" || field === "metadata.namespace") return metaText(object, field.slice(9));
    return type.fields.read(object, field);
  });
}

export async function listObjects(call: Call, selection: ListRequest): Promise<ObjectList> {
  const { type } = call.endpoint;
  const prefix = prefixOf(type, call.info.namespace);
  const place = await findPlace(call, selection, prefix);
  const limit = selection.resourceVersion === "0" || selection.limit <= 0 ? undefined : selection.limit;
  const options = selection.hasSelector || limit === undefined ? {} : { limit };
  const list = await readEntries(call, prefix, { ...place, ...options }, selection);
  const page = await selectPage(list, selection, type, limit);
  const isMore = page.last !== undefined;
  return {
    objects: page.objects,
    revision: list.revision,
    continue: isMore ? encodeContinue({ revision: list.revision, start: `${page.last?.slice(prefix.length)}\0` }) : "",
    remaining: isMore && !selection.hasSelector ? list.remaining : undefined,
  };
}

interface Place {
  readonly start?: string;
  readonly revision?: number;
}

async function findPlace(call: Call, selection: ListRequest, prefix: string): Promise<Place> {
  if (selection.continue !== "") return continuePlace(selection, prefix);
  const { resourceVersion, resourceVersionMatch, limit } = selection;
  if (resourceVersion === "") return {};
  const parsed = parseUint(resourceVersion, 10, 64);
  if (parsed.error !== undefined) {
    throw badRequest(messages.invalidVersion(messages.badVersion(resourceVersion, parsed.error)));
  }
  if (parsed.value === 0n) return {};
  await waitForRevision(call, parsed.value);
  const isExact = resourceVersionMatch === "Exact" || (resourceVersionMatch === "" && limit > 0);
  return isExact ? { revision: Number(parsed.value) } : {};
}

function continuePlace(selection: ListRequest, prefix: string): Place {
  const token = decodeContinue(selection.continue);
  if ("error" in token) throw badRequest(messages.badContinue(token.error));
  if (selection.resourceVersion !== "" && selection.resourceVersion !== "0") {
    throw badRequest(messages.versionWithContinue());
  }
  const start = prefix + token.start;
  return token.revision < 0 ? { start } : { start, revision: token.revision };
}

const WAIT_MS = 3000;
const POLL_MS = 100;

/** A revision that another server may be about to write is waited for, but not for long. */
async function waitForRevision({ server, now }: Call, wanted: bigint): Promise<void> {
  const deadline = now() + WAIT_MS;
  for (;;) {
    const current = BigInt(await server.store.revision());
    if (current >= wanted) return;
    if (now() >= deadline) throw tooLargeResourceVersion(wanted, current, 1);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function readEntries(
  call: Call,
  prefix: string,
  options: Place & { readonly limit?: number },
  selection: ListRequest,
): Promise<EntryList> {
  const { store } = call.server;
  try {
    return await store.list(prefix, options);
  } catch (error) {
    if (!(error instanceof Compacted)) throw error;
    if (selection.continue === "") throw resourceExpired(messages.listTooOld());
    const start = options.start?.slice(prefix.length) ?? "";
    throw new ListExpired(messages.continueTooOld(), encodeContinue({ revision: -1, start }));
  }
}

interface Page {
  readonly objects: readonly JsonObject[];
  /** The key that the next page starts behind; undefined where nothing follows. */
  readonly last: string | undefined;
}

/** How many are made ready at once: a page may be full long before the last entry. */
const CHUNK = 128;

async function selectPage(
  list: EntryList,
  selection: ListRequest,
  type: ResourceType,
  limit: number | undefined,
): Promise<Page> {
  const objects: JsonObject[] = [];
  let last: Entry | undefined;
  for (const [index, entry] of list.entries.entries()) {
    if (limit !== undefined && objects.length >= limit) return { objects, last: last?.key };
    if (index % CHUNK === 0) await prepareEntries(list.entries.slice(index, index + CHUNK), type);
    last = entry;
    const object = decodeEntry(entry, type);
    if (matches(object, selection, type)) objects.push(object);
  }
  return { objects, last: list.remaining > 0 ? last?.key : undefined };
}
