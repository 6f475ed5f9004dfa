/** Prepares a whole object of a built-in kind for storage: status, generation, then the rules of its kind. */
import { normalizeGo } from "../../field/go-normalize.ts";
import { deepCopy } from "../../value/copy.ts";
import { deepEqual, semanticEqual } from "../../value/equal.ts";
import { isEnabled } from "../../value/gates.ts";
import { isObject, type JsonObject, newObject } from "../../value/json.ts";
import { since } from "../../value/server-version.ts";
import { type Draft, inner } from "../defaults/draft.ts";
import type { BuiltinKind, GenerationRules } from "../kinds/kind.ts";
import { metaOf, numberOf, objectOf } from "../object.ts";
import { shapeOf } from "../shapes.ts";
import type { StructType } from "../types.ts";
import { dropDisabledFields, dropDisabledPodFields } from "./gated-fields.ts";
import type { PrepareContext } from "./strategy.ts";

export function prepareObject(
  object: JsonObject,
  type: StructType,
  kind: BuiltinKind,
  context: PrepareContext,
): JsonObject {
  const draft = deepCopy(object);
  prepareDraft(draft, kind, context, object);
  return inOrder(draft, type, kind.prepareCreate === undefined ? CHANGED_MEMBERS : undefined);
}

/** The same on the draft itself, whose members stay in any order; `decoded` is what it is a copy of, if it is one. */
export function prepareDraft(
  draft: Draft,
  kind: BuiltinKind,
  context: PrepareContext,
  decoded: JsonObject = draft,
): void {
  const generation = generationOf(kind);
  if (ownsStatus(kind)) draft["status"] = newObject();
  if (generation !== undefined && generation.start !== 0) inner(draft, "metadata")["generation"] = 1;
  dropDisabledPodFields(podSpecOf(draft, kind), undefined);
  dropDisabledFields(draft, undefined, kind.key);
  kind.prepareCreate?.(draft, context, decoded);
}

function ownsStatus({ ownsStatus, statusGate }: BuiltinKind): boolean {
  return ownsStatus && (statusGate === undefined || isEnabled(statusGate));
}

function podSpecOf(object: JsonObject, { podSpec }: BuiltinKind): JsonObject | undefined {
  let place: JsonObject | undefined = podSpec === undefined ? undefined : object;
  for (const key of podSpec ?? []) place = objectOf(place, key);
  return place;
}

/** What changes in a kind without a `prepareCreate` of its own. */
const CHANGED_MEMBERS: ReadonlySet<string> = new Set(["metadata", "status"]);

/** The draft as Go writes it; `changed` are the members that may have changed since it was last in that order. */
function inOrder(draft: Draft, type: StructType, changed?: ReadonlySet<string>): JsonObject {
  const ordered = normalizeGo(draft, shapeOf(type), { touched: changed, keepEmpty: true });
  return isObject(ordered) ? ordered : draft;
}

interface Change {
  readonly object: JsonObject;
  readonly old: JsonObject;
}

export function prepareObjectUpdate(
  { object, old }: Change,
  type: StructType,
  kind: BuiltinKind,
  context: PrepareContext,
): JsonObject {
  const draft = deepCopy(object);
  if (ownsStatus(kind)) copyMember(draft, old, "status");
  dropDisabledPodFields(podSpecOf(draft, kind), podSpecOf(old, kind));
  dropDisabledFields(draft, old, kind.key);
  kind.prepareUpdate?.(draft, deepCopy(old), context);
  const prepared = inOrder(draft, type);
  setGeneration(prepared, old, isChanged(kind.generation?.countsDropped === true ? object : prepared, old, kind));
  return prepared;
}

function copyMember(draft: Draft, old: JsonObject, key: string): void {
  const member = objectOf(old, key);
  if (member === undefined) delete draft[key];
  else draft[key] = deepCopy(member);
}

function generationOf({ generation }: BuiltinKind): GenerationRules | undefined {
  return generation?.since === undefined || since(generation.since) ? generation : undefined;
}

function isChanged(object: JsonObject, old: JsonObject, kind: BuiltinKind): boolean {
  const generation = generationOf(kind);
  if (generation === undefined) return false;
  const { members, metadata = [], countsEmpty = false } = generation;
  const isSame = (now: JsonObject, then: JsonObject, key: string): boolean =>
    countsEmpty ? deepEqual(now[key] ?? null, then[key] ?? null) : semanticEqual(now[key], then[key]);
  if (members.some((key) => !isSame(object, old, key))) return true;
  return metadata.some((key) => !isSame(metaOf(object), metaOf(old), key));
}

function setGeneration(draft: Draft, old: JsonObject, isNext: boolean): void {
  const before = numberOf(metaOf(old), "generation");
  const generation = isNext ? before + 1 : before;
  if (generation === 0) delete inner(draft, "metadata")["generation"];
  else inner(draft, "metadata")["generation"] = generation;
}

/** Only the status changes; of metadata what the kind allows. */
export function prepareObjectStatus(
  { object, old }: Change,
  type: StructType,
  kind: BuiltinKind,
  context: PrepareContext,
): JsonObject {
  const draft = newObject();
  for (const [key, value] of Object.entries(object)) if (isWrittenWithStatus(key)) draft[key] = deepCopy(value);
  for (const [key, value] of Object.entries(old)) if (!isWrittenWithStatus(key)) draft[key] = deepCopy(value);
  if (dropsFromStatus(kind.key)) dropDisabledFields(draft, old, kind.key);
  kind.prepareStatusUpdate?.(draft, old, context);
  const prepared = inOrder(draft, type);
  setGeneration(prepared, old, false);
  return prepared;
}

/** Up to 1.32, what a kubelet says about a pod stays, whatever is off. */
function dropsFromStatus(key: string): boolean {
  return key !== "v1/Pod" || since("1.33");
}

function isWrittenWithStatus(key: string): boolean {
  return key === "status" || key === "metadata" || key === "kind" || key === "apiVersion";
}
