/**
 * GET of a collection: selectors, pages, and what a resourceVersion means.
 *
 * Pages of one list show one revision. A page ends where the limit is reached; whether more follows is a question of
 * stored entries, not of matching ones, so the last page may be empty.
 */

import { apiVersionOf, type ResourceKind } from "@portcullis/engine/internal/review/kind";
import { fieldNotSupported } from "@portcullis/engine/internal/review/messages";
import { type FieldSelector, matchesFields } from "@portcullis/engine/internal/selector/fields";
import { matchesLabels } from "@portcullis/engine/internal/selector/labels";
import {
  badRequest,
  bareError,
  resourceExpired,
  type StatusError,
  tooLargeResourceVersion,
} from "@portcullis/engine/internal/status/error";
import { isArray, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { labelsOf, metaText, objectOf } from "@portcullis/engine/internal/value/metadata";
import { since } from "@portcullis/engine/internal/value/server-version";
import { parseUint } from "@portcullis/gostd/strconv";
import type { ApiResponse } from "../http/exchange.ts";
import type { ServerContext } from "../registry/context.ts";
import { decodeEntry, prefixOf, prepareEntries } from "../registry/object-codec.ts";
import { Compacted, type Entry, type EntryList } from "../storage/store.ts";
import { byRules, type Call } from "./call.ts";
import { decodeContinue, encodeContinue } from "./continue-token.ts";
import { ListExpired } from "./list-expired.ts";
import { isSliced, respondList } from "./list-text.ts";
import * as messages from "./messages.ts";
import { negotiate, type Output } from "./negotiate.ts";
import type { ListRequest } from "./options.ts";
import { transform } from "./output.ts";
import { respondObject } from "./respond.ts";

export async function handleList(call: Call, selection: ListRequest): Promise<ApiResponse> {
  const output = negotiate(call);
  const list = await listObjects(call, selection, !isSliced(output));
  return respondObjects(call, list, output);
}

/** Answers with a list. What is not written item by item is made of all objects at once. */
export async function respondObjects(call: Call, list: ObjectList, output: Output): Promise<ApiResponse> {
  const { endpoint, info, now } = call;
  const { type } = endpoint;
  const options = { type, output, query: info.query, now: now() };
  const shownOf = (objects: readonly JsonObject[], withHeaders: boolean): JsonObject =>
    transform(listResult(type, list, objects), { ...options, withHeaders });
  if (!isSliced(output)) return respondObject(200, shownOf(await allObjects(call, list), true), output);
  const member = output.convert?.kind === "Table" ? "rows" : "items";
  const itemAt = (index: number): JsonValue => {
    const object = list.objectAt(index);
    if (output.convert === undefined) return type.itemsNameKind ? object : withoutKind(object);
    const items = shownOf([object], false)[member];
    return isArray(items) ? (items[0] ?? null) : null;
  };
  return respondList({ frame: shownOf([], true), member, count: list.count, itemAt }, output, call);
}

async function allObjects({ pause }: Call, { count, objectAt }: ObjectList): Promise<JsonObject[]> {
  const objects: JsonObject[] = [];
  for (let i = 0; i < count; i++) {
    const pausing = pause();
    if (pausing !== undefined) await pausing;
    objects.push(objectAt(i));
  }
  return objects;
}

/** Objects are decoded when they are needed: all of a large list at once would take several times the memory of its text. */
export interface ObjectList {
  readonly count: number;
  readonly objectAt: (index: number) => JsonObject;
  /** Undefined for what is not stored. */
  readonly revision: number | undefined;
  readonly continue: string;
  readonly remaining: number | undefined;
}

function listResult(type: ResourceKind, list: ObjectList, objects: readonly JsonObject[]): JsonObject {
  const metadata = objectOf({
    // Lists of custom resources always say it.
    continue: list.continue === "" && !type.isCustom ? undefined : list.continue,
    remainingItemCount: list.remaining,
    resourceVersion: list.revision === undefined ? undefined : String(list.revision),
  });
  const items = type.itemsNameKind ? [...objects] : objects.map(withoutKind);
  return objectOf({ kind: type.listKind, apiVersion: apiVersionOf(type), metadata, items });
}

function withoutKind(object: JsonObject): JsonObject {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return objectOf(rest);
}

/** Field selectors may only ask for what the kind offers. */
export function transformFields(selection: ListRequest, type: ResourceKind): ListRequest {
  for (const { field } of selection.fields) {
    const isKnown = field === "metadata.name" || (field === "metadata.namespace" && type.namespaced);
    if (!isKnown && !type.fields.has(field)) {
      throw badRequest(type.fields.refuse?.(field) ?? fieldNotSupported(field));
    }
  }
  return selection;
}

export function matches(object: JsonObject, selection: ListRequest, type: ResourceKind): boolean {
  if (!selection.hasSelector) return true;
  if (selection.labels.length > 0 && !matchesLabels(selection.labels, labelsOf(object))) return false;
  return matchesSelectedFields(object, selection.fields, type);
}

function matchesSelectedFields(object: JsonObject, fields: FieldSelector, type: ResourceKind): boolean {
  return matchesFields(fields, (field) => {
    if (field === "metadata.name" || field === "metadata.namespace") return metaText(object, field.slice(9));
    return type.fields.read(object, field);
  });
}

/** `isWhole`: the answer is made of all objects at once, which another thread has to do for a large list. */
export async function listObjects(call: Call, selection: ListRequest, isWhole: boolean): Promise<ObjectList> {
  const { type } = call.endpoint;
  if (type.computed !== undefined) {
    const objects = (await type.computed()).filter((object) => matches(object, selection, type));
    return { ...listOf(objects, (object) => object), revision: undefined, continue: "", remaining: undefined };
  }
  const prefix = prefixOf(type, call.info.namespace);
  const place = await findPlace(call, selection, prefix);
  const limit = selection.resourceVersion === "0" || selection.limit <= 0 ? undefined : selection.limit;
  const { found, revision, last, remaining } = await readPage(call, selection, { prefix, place, limit, isWhole });
  const isMore = remaining > 0;
  return {
    ...listOf(found, (entry) => decodeEntry(entry, type)),
    revision,
    continue: isMore ? encodeContinue({ revision, start: `${last.slice(prefix.length)}\0` }) : "",
    remaining: isMore && !selection.hasSelector ? remaining : undefined,
  };
}

function listOf<T>(found: readonly T[], read: (item: T) => JsonObject): Pick<ObjectList, "count" | "objectAt"> {
  return { count: found.length, objectAt: (index) => read(found[index] as T) };
}

interface Place {
  readonly start?: string;
  readonly revision?: number;
}

/** Up to 1.32 the cache did not answer with a status; lists that it does not serve were checked below it. */
function badVersion({ resourceVersionMatch, limit }: ListRequest, problem: string): StatusError {
  const isCached = limit <= 0 && resourceVersionMatch !== "Exact";
  return isCached && !since("1.33") ? bareError(problem) : badRequest(messages.invalidVersion(problem));
}

async function findPlace(call: Call, selection: ListRequest, prefix: string): Promise<Place> {
  if (selection.continue !== "") return continuePlace(selection, prefix);
  const { resourceVersion, resourceVersionMatch, limit } = selection;
  if (resourceVersion === "") return {};
  const parsed = parseUint(resourceVersion, 10, 64);
  if (parsed.error !== undefined) {
    throw byRules(call, () => badVersion(selection, messages.badVersion(resourceVersion, parsed.error ?? "")));
  }
  if (parsed.value === 0n) return {};
  const isExact = resourceVersionMatch === "Exact" || (resourceVersionMatch === "" && limit > 0);
  if (isExact) await checkRevision(call.server, parsed.value);
  else await waitForRevision(call, parsed.value);
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

/** What is asked for exactly is not waited for. */
async function checkRevision({ store }: ServerContext, wanted: bigint): Promise<void> {
  const current = BigInt(await store.revision());
  if (wanted > current) throw tooLargeResourceVersion(wanted, current, 0);
}

/** A revision that another server may be about to write is waited for, but not for long. */
export async function waitForRevision({ server }: Call, wanted: bigint): Promise<void> {
  for (let waited = 0; ; waited += POLL_MS) {
    const current = BigInt(await server.store.revision());
    if (current >= wanted) return;
    if (waited >= WAIT_MS) throw tooLargeResourceVersion(wanted, current, 1);
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
  /** What matches. */
  readonly found: Entry[];
  readonly revision: number;
  /** The last key that was looked at. */
  readonly last: string;
  /** How many entries follow it. */
  readonly remaining: number;
}

interface PageRequest {
  readonly prefix: string;
  readonly place: Place;
  readonly limit: number | undefined;
  readonly isWhole: boolean;
}

/** How many entries are read and made ready at once: a page may be full long before the last entry. */
const CHUNK = 512;

/** A list is made faster than an object of its size is reviewed, so it may be larger. */
const LIST_FACTOR = 16;
/** An object is read and written faster than it is reviewed. */
const LARGE_FACTOR = 8;

async function readPage(call: Call, selection: ListRequest, request: PageRequest): Promise<Page> {
  const { prefix, place, limit, isWhole } = request;
  const { type } = call.endpoint;
  const found: Entry[] = [];
  const chunk = limit === undefined || selection.hasSelector ? CHUNK : Math.min(limit, CHUNK);
  let [fetched, evaluated] = [0, 0];
  for (let from = place; ; ) {
    const { entries, revision, remaining } = await readEntries(call, prefix, { ...from, limit: chunk }, selection);
    if (isWhole && from === place) call.weigh(sizeOf(entries, Math.min(remaining, limit ?? remaining)) / LIST_FACTOR);
    await prepareEntries(entries, type);
    const taken = await take(entries, { found, limit, selection, type, pause: call.pause, weigh: call.weigh });
    const last = taken?.key ?? "";
    const isFull = found.length === limit;
    const left = isFull && taken !== undefined ? entries.length - 1 - entries.indexOf(taken) : 0;
    fetched += entries.length;
    evaluated += entries.length - left;
    if (isFull || remaining === 0) {
      call.server.metrics.storage.listed(type.group, type.plural, { fetched, evaluated, returned: found.length });
      return { found, revision, last, remaining: left + remaining };
    }
    from = { start: `${last}\0`, revision };
  }
}

/** Of the entries and as many more of their kind. */
function sizeOf(entries: readonly Entry[], more: number): number {
  const known = entries.reduce((sum, { value }) => sum + value.length, 0);
  return known + (entries.length === 0 ? 0 : (known / entries.length) * more);
}

interface Taking {
  readonly found: Entry[];
  readonly limit: number | undefined;
  readonly selection: ListRequest;
  readonly type: ResourceKind;
  readonly pause: Call["pause"];
  readonly weigh: Call["weigh"];
}

/** Takes what matches until the limit is reached; the last entry that was looked at. */
async function take(
  entries: readonly Entry[],
  { found, limit, selection, type, pause, weigh }: Taking,
): Promise<Entry | undefined> {
  for (const entry of entries) {
    weigh(entry.value.length / LARGE_FACTOR);
    const pausing = pause();
    if (pausing !== undefined) await pausing;
    if (!selection.hasSelector || matches(decodeEntry(entry, type), selection, type)) found.push(entry);
    if (found.length === limit) return entry;
  }
  return entries.at(-1);
}
