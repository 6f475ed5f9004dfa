/**
 * Between objects and what is stored. The stored text has no resourceVersion: that is the revision of the entry.
 *
 * Entries that were decoded lately are kept in that form, for each kind that reads them, since versions show them
 * differently.
 */
import { encodeProtobuf } from "@portcullis/engine/internal/builtin/protobuf/envelope";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import type { Converting, ResourceKind } from "@portcullis/engine/internal/review/kind";
import { invalidKey, storageTooLarge } from "@portcullis/engine/internal/review/messages";
import { StatusError } from "@portcullis/engine/internal/status/error";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { withMeta } from "@portcullis/engine/internal/value/metadata";
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import type { Entry, StoreEvent } from "../storage/store.ts";
import { DecodedEntries } from "./decoded-entries.ts";
import { StoredText } from "./stored-text.ts";

const decoded = new DecodedEntries();

/** Entries of kinds that are converted outside must have been through `prepareEntries` before. */
export function decodeEntry(entry: Entry, type: ResourceKind): JsonObject {
  let object = decoded.get(entry, type);
  if (object === undefined) {
    object = type.strategy.read(withRevision(parseStored(entry), entry.revision));
    decoded.add(entry, type, object);
  }
  return object;
}

/** The same for one entry of any kind, converted again if conversion is external. */
export async function readEntry(entry: Entry, type: ResourceKind): Promise<JsonObject> {
  const { converting } = type.strategy;
  if (converting !== undefined) await convertEntry(entry, type, converting);
  return decodeEntry(entry, type);
}

/** Conversions under way, which everybody who wants the same waits for. */
const pending = new WeakMap<Entry, WeakMap<ResourceKind, Promise<void>>>();
/** At a time. */
const CONVERSIONS = 16;

/**
 * Makes entries ready for `decodeEntry`; undefined if nothing has to be waited for. What has been converted once stays
 * so: watches of many clients share it.
 */
export function prepareEntries(entries: readonly (Entry | undefined)[], type: ResourceKind): Promise<void> | undefined {
  const { converting } = type.strategy;
  if (converting === undefined) return undefined;
  const missing = entries
    .filter((entry) => entry !== undefined)
    .filter((entry) => decoded.get(entry, type) === undefined);
  return missing.length === 0 ? undefined : convertEntries(missing, type, converting);
}

/** The first that fails is the one reported. */
async function convertEntries(entries: readonly Entry[], type: ResourceKind, converting: Converting): Promise<void> {
  for (let start = 0; start < entries.length; start += CONVERSIONS) {
    const part = entries.slice(start, start + CONVERSIONS);
    const outcomes = await Promise.allSettled(part.map((entry) => sharedConversion(entry, type, converting)));
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  }
}

function sharedConversion(entry: Entry, type: ResourceKind, converting: Converting): Promise<void> {
  const byType = conversionsOf(entry);
  let conversion = byType.get(type);
  if (conversion === undefined) {
    conversion = convertEntry(entry, type, converting).finally(() => byType.delete(type));
    byType.set(type, conversion);
  }
  return conversion;
}

async function convertEntry(entry: Entry, type: ResourceKind, converting: Converting): Promise<void> {
  const object = await converting.read(parseStored(entry));
  decoded.addConverted(entry, type, withRevision(object, entry.revision));
}

function conversionsOf(entry: Entry): WeakMap<ResourceKind, Promise<void>> {
  let byType = pending.get(entry);
  if (byType === undefined) {
    byType = new WeakMap();
    pending.set(entry, byType);
  }
  return byType;
}

/** `replaced` is the entry that an update overwrites. */
export async function encodeObject(object: JsonObject, type: ResourceKind, replaced?: Entry): Promise<StoredText> {
  const { converting, carryOver } = type.strategy;
  const written = converting ? await converting.write(withoutRevision(object)) : type.strategy.write(object);
  const isKept = replaced !== undefined && carryOver !== undefined;
  return new StoredText(isKept ? carryOver(written, parseStored(replaced)) : written);
}

/** What etcd accepts in one request. */
const MAX_STORED = 1.5 * 1024 * 1024;

export interface LimitedOptions {
  /** The entry that an update overwrites. */
  readonly replaced?: Entry;
  /** Whether managed fields must be stored, as after an apply. */
  readonly needsManagedFields: boolean;
  /** The size of values that the store refuses. */
  readonly maxValue: number | undefined;
  /** What is not stored may be of any size. */
  readonly isDryRun: boolean;
}

/**
 * The same for the object of a client. One that is too large is stored without its managed fields, and refused where
 * that is not enough or not allowed. Built-in kinds are measured in protobuf, in which upstream stores them, unless the
 * store itself refuses the longer text.
 */
export async function encodeWithinLimit(
  object: JsonObject,
  type: ResourceKind,
  { replaced, needsManagedFields, maxValue = Number.POSITIVE_INFINITY, isDryRun }: LimitedOptions,
): Promise<Encoded> {
  if (isDryRun) return { object, text: await encodeObject(object, type, replaced) };
  const encoded = async (written: JsonObject): Promise<Encoded | undefined> => {
    const text = await encodeObject(written, type, replaced);
    const size = sizeOf(text);
    const isShort = size <= MAX_STORED || (!type.isCustom && (encodeProtobuf(written)?.length ?? size) <= MAX_STORED);
    return isShort && size <= maxValue ? { object: written, text } : undefined;
  };
  const bare = withMeta(object, { managedFields: undefined });
  const found = (await encoded(object)) ?? (needsManagedFields ? undefined : await encoded(bare));
  if (found === undefined) throw new StatusError({ code: 500, reason: "", message: storageTooLarge() });
  return found;
}

/** An object and its text. */
export interface Encoded {
  readonly object: JsonObject;
  readonly text: StoredText;
}

/** In bytes, or less than the limit where that is certain: a character takes three bytes at most. */
function sizeOf(text: StoredText): number {
  const plain = text.plain();
  return plain.length * 3 > MAX_STORED ? encodeUtf8(plain).length : plain.length;
}

/** An object after a write, and its text in JSON where that is known without another walk over it. */
export interface Written {
  readonly object: JsonObject;
  readonly text?: string;
}

/** The one number that is written in a way that is not how it is read: as 0. */
const NEGATIVE_ZERO = /[:[,]-0[,}\]]/;

/** What a write has stored, as it would be read back. */
export async function readWritten(
  entry: Entry,
  type: ResourceKind,
  { object, text }: { readonly object: JsonObject; readonly text: StoredText },
): Promise<Written> {
  const isSame = type.strategy.staysSame?.(object) === true && !NEGATIVE_ZERO.test(entry.value);
  if (!isSame) return { object: await readEntry(entry, type) };
  return { object: withRevision(object, entry.revision), text: text.withRevision(entry.revision) };
}

/** What would be read back: stored versions and defaults have their say in a dry run too. */
export async function asStored(object: JsonObject, type: ResourceKind): Promise<JsonObject> {
  const { converting } = type.strategy;
  if (converting === undefined) return type.strategy.read(type.strategy.write(object));
  return converting.read(await converting.write(withoutRevision(object)));
}

function withoutRevision(object: JsonObject): JsonObject {
  return withMeta(object, { resourceVersion: undefined, selfLink: undefined });
}

function withRevision(object: JsonObject, revision: number): JsonObject {
  return withMeta(object, { resourceVersion: String(revision) });
}

/** The object as it was when it was deleted, at the revision of its deletion. */
export function decodeDeleted(event: StoreEvent, type: ResourceKind): JsonObject | undefined {
  if (event.previous === undefined) return undefined;
  return withRevision(decodeEntry(event.previous, type), event.revision);
}

export function parseStored(entry: Entry): JsonObject {
  const parsed = decodeJson(entry.value);
  if (parsed.error !== undefined || !isObject(parsed.value))
    throw new Error(`stored object ${entry.key} is unreadable`);
  return parsed.value;
}

export function keyOf(type: ResourceKind, namespace: string, name: string): string {
  checkPlace(type, namespace, `/${name}`);
  return type.namespaced ? `${type.storagePrefix}${namespace}/${name}` : `${type.storagePrefix}${name}`;
}

/** What all objects of a namespace, or of the whole kind, have in common. */
export function prefixOf(type: ResourceKind, namespace: string): string {
  checkPlace(type, namespace, "");
  return type.namespaced && namespace !== "" ? `${type.storagePrefix}${namespace}/` : type.storagePrefix;
}

/** The namespace of a URL is not validated before a key is made from it. */
function checkPlace({ namespaced, storagePrefix }: ResourceKind, namespace: string, rest: string): void {
  if (!namespaced || (namespace !== "." && namespace !== "..")) return;
  const message = invalidKey(`${storagePrefix.slice(STORAGE_ROOT.length)}${namespace}${rest}`);
  throw new StatusError({ code: 500, reason: "", message });
}

const STORAGE_ROOT = "/registry";
