/**
 * The built-in kinds, each with all the server needs to serve it: what discovery says of it, and the functions that decide
 * what a write makes of it.
 *
 * Objects given to and got from these functions are as Go writes them; none of the functions changes what it is given.
 */
import type { FieldValidation } from "../codec/strict.ts";
import type { FieldError } from "../field/error.ts";
import { decodeGo } from "../field/go-decode.ts";
import type { GoDecodeOptions } from "../field/go-decode-state.ts";
import { fitGo } from "../field/go-fit.ts";
import { normalizeGo } from "../field/go-normalize.ts";
import type { GoStruct } from "../field/go-shape.ts";
import type { NameCheck } from "../schema/object-meta.ts";
import { deepCopy } from "../value/copy.ts";
import { deepEqual } from "../value/equal.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import type { ColumnDefinition } from "./columns/column.ts";
import { columnsOf } from "./columns/table.ts";
import { fromHub, hubOf, toHub } from "./convert.ts";
import { type DecodedObject, decodeTyped, type Kind, type TypedBody } from "./decode.ts";
import { applyDefaults, fillDefaults } from "./defaults/apply.ts";
import { type Draft, inner } from "./defaults/draft.ts";
import { metaOf, numberOf, objectOf } from "./object.ts";
import { type ResourceInfo, resourceInfos } from "./resources.ts";
import { type FieldSelectors, selectorsOf } from "./selectors.ts";
import { shapeOf } from "./shapes.ts";
import { asStored } from "./stored.ts";
import { dropDisabledPodFields } from "./strategies/disabled.ts";
import type { PrepareContext, Strategy } from "./strategies/strategy.ts";
import { strategyOf } from "./strategies/table.ts";
import { type StructType, structOfKind } from "./types.ts";
import { validateObject, validateObjectStatus, validateObjectUpdate } from "./validate/object.ts";
import { warningsOf } from "./warnings/table.ts";

export interface BuiltinResource extends ResourceInfo {
  /** A request body, defaulted. Throws the API server's refusal where it is no object of this kind. */
  decode(body: TypedBody, fieldValidation: FieldValidation): DecodedObject;
  /** JSON that is known to be of this kind, defaulted; for callers that judge the header and findings themselves. */
  decodeFields(json: JsonObject, options?: GoDecodeOptions): DecodedFields;
  /** The Go type of the kind. */
  readonly shape: GoStruct;
  /** Metadata has its name, namespace and uid already. */
  prepareCreate(object: JsonObject, context: PrepareContext): JsonObject;
  /** System metadata is kept by the caller; generation is settled here. */
  prepareUpdate(object: JsonObject, old: JsonObject, context: PrepareContext): JsonObject;
  prepareStatusUpdate(object: JsonObject, old: JsonObject, context: PrepareContext): JsonObject;
  /** All findings, those about metadata among them. */
  validateCreate(object: JsonObject): FieldError[];
  /**
   * Whether JSON of this kind, once `complete` has seen to its metadata, becomes a new object without a single error or warning.
   * False also where only the functions above can tell; they take several times as long.
   */
  passesCreate(json: JsonObject, complete: (meta: Draft) => void, context: PrepareContext): boolean;
  /** All findings of the kind's own rules; the generic checks of metadata come before them, and find some of them too. */
  validateUpdate(object: JsonObject, old: JsonObject): FieldError[];
  /** Of a write to the status alone. */
  validateStatusUpdate(object: JsonObject, old: JsonObject): FieldError[];
  /** What is said about a new object that is accepted, about a changed one, and about a changed status. */
  warningsOnCreate(object: JsonObject): readonly string[];
  warningsOnUpdate(object: JsonObject, old: JsonObject): readonly string[];
  warningsOnStatusUpdate(object: JsonObject): readonly string[];
  /** What is stored, as it is read from there again: with the defaults that reading applies. */
  encode(object: JsonObject): JsonObject;
  /** Sent with every answer where the kind is deprecated. */
  readonly deprecationWarning: string | undefined;
  /** The form in which objects are stored, and the ways there and back; mostly their own form. */
  readonly hub: Kind;
  toHub(object: JsonObject): JsonObject;
  fromHub(hub: JsonObject): JsonObject;
  readonly checkName: NameCheck;
  /** The group that refusals name; events of both groups are one kind inside. */
  readonly statusGroup: string;
  readonly unconditionalUpdate: boolean;
  readonly createOnUpdate: boolean;
  readonly returnsDeletedObject: boolean;
  /** Undefined where the table has the name and the age only. */
  readonly tableColumns: readonly ColumnDefinition[] | undefined;
  readonly fieldSelectors: FieldSelectors;
}

export interface DecodedFields {
  readonly value: JsonObject;
  /** Paths of unknown fields, in the order they are met. */
  readonly unknown: readonly string[];
  readonly error: string | undefined;
}

const DEPRECATED: Readonly<Record<string, string>> = {
  "/ComponentStatus": "v1 ComponentStatus is deprecated in v1.19+",
  "/Endpoints": "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
};

const NO_WARNINGS: readonly string[] = [];

let all: readonly BuiltinResource[] | undefined;

export function builtinResources(): readonly BuiltinResource[] {
  all ??= resourceInfos().map(toBuiltin);
  return all;
}

export function builtinResource(group: string, version: string, plural: string): BuiltinResource | undefined {
  return builtinResources().find((each) => each.group === group && each.version === version && each.plural === plural);
}

function toBuiltin(info: ResourceInfo): BuiltinResource {
  const strategy = strategyOf(info.group, info.kind);
  const { checkName, unconditionalUpdate, createOnUpdate, returnsDeletedObject } = strategy;
  const warnings = warningsOf(info.group, info.kind);
  return {
    ...info,
    decode: (body, fieldValidation) => decodeObject(body, info, fieldValidation),
    decodeFields: (json, options) => decodeFields(json, info, options),
    get shape() {
      return shapeOf(typeOf(info));
    },
    prepareCreate: (object, context) => prepareCreate(object, info, strategy, context),
    prepareUpdate: (object, old, context) => prepareUpdate({ object, old }, info, strategy, context),
    prepareStatusUpdate: (object, old, context) => prepareStatusUpdate({ object, old }, info, strategy, context),
    validateCreate: (object) => validateObject(object, info, strategy),
    passesCreate: (json, complete, context) =>
      passesCreate(json, info, strategy, { complete, context, warningsOf: warnings?.create }),
    validateUpdate: (object, old) => validateObjectUpdate(object, old, info, strategy),
    validateStatusUpdate: (object, old) => validateObjectStatus(object, old, info),
    warningsOnCreate: (object) => warnings?.create?.(object) ?? NO_WARNINGS,
    warningsOnUpdate: (object, old) => warnings?.update?.(object, old) ?? NO_WARNINGS,
    warningsOnStatusUpdate: (object) => warnings?.status?.(object) ?? NO_WARNINGS,
    encode: (object) => asStored(settle(deepCopy(object), info), typeOf(info)),
    deprecationWarning: DEPRECATED[`${info.group}/${info.kind}`],
    hub: hubOf(info),
    toHub: (object) => toHub(object, info),
    fromHub: (hub) => fromHub(hub, info),
    checkName,
    statusGroup: info.group === "events.k8s.io" ? "" : info.group,
    unconditionalUpdate,
    createOnUpdate,
    returnsDeletedObject,
    tableColumns: columnsOf(info.group, info.kind),
    fieldSelectors: selectorsOf(info.group, info.kind),
  };
}

function decodeObject(body: TypedBody, info: ResourceInfo, fieldValidation: FieldValidation): DecodedObject {
  const { object, warnings } = decodeTyped(body, info, fieldValidation);
  return { object: applyDefaults(object, info), warnings };
}

function decodeFields(json: JsonObject, info: ResourceInfo, options: GoDecodeOptions = {}): DecodedFields {
  const { value, unknown, error } = decodeGo(json, shapeOf(typeOf(info)), options);
  const object = isObject(value) ? value : newObject();
  return {
    value: error === undefined ? applyDefaults(object, info) : object,
    unknown,
    error,
  };
}

const types = new WeakMap<ResourceInfo, StructType>();

function typeOf(info: ResourceInfo): StructType {
  const type = types.get(info) ?? structOfKind(info.group, info.version, info.kind);
  if (type === undefined) throw new Error(`no built-in kind ${info.kind}`);
  types.set(info, type);
  return type;
}

/** What is stored is read again, and reading applies defaults: they see what was prepared, in the form that is stored. */
function settle(draft: Draft, info: ResourceInfo): JsonObject {
  return fromHub(applyDefaults(toHub(draft, info), hubOf(info)), info);
}

function prepareCreate(
  object: JsonObject,
  info: ResourceInfo,
  strategy: Strategy,
  context: PrepareContext,
): JsonObject {
  const draft = deepCopy(object);
  prepareDraft(draft, strategy, context);
  return inOrder(draft, info, strategy.prepareCreate === undefined ? TOUCHED : undefined);
}

function prepareDraft(draft: Draft, strategy: Strategy, context: PrepareContext): void {
  if (strategy.ownsStatus) draft["status"] = newObject();
  if (strategy.generation !== undefined && strategy.startsUncounted !== true)
    inner(draft, "metadata")["generation"] = 1;
  dropDisabledPodFields(podSpecOf(draft, strategy), undefined);
  strategy.prepareCreate?.(draft, context);
}

interface Completion {
  readonly complete: (meta: Draft) => void;
  readonly context: PrepareContext;
  readonly warningsOf: ((object: JsonObject) => readonly string[]) | undefined;
}

/** The order of members decides nothing, so nothing is put in order, and nobody else holds the draft. */
function passesCreate(
  json: JsonObject,
  info: ResourceInfo,
  strategy: Strategy,
  { complete, context, warningsOf }: Completion,
): boolean {
  const type = typeOf(info);
  const draft = fitGo(json, shapeOf(type));
  if (draft === undefined) return false;
  fillDefaults(draft, type, info.group);
  complete(inner(draft, "metadata"));
  prepareDraft(draft, strategy, context);
  return validateObject(draft, info, strategy).length === 0 && (warningsOf?.(draft) ?? NO_WARNINGS).length === 0;
}

function podSpecOf(object: JsonObject, { podSpec }: Strategy): JsonObject | undefined {
  let place: JsonObject | undefined = podSpec === undefined ? undefined : object;
  for (const key of podSpec ?? []) place = objectOf(place, key);
  return place;
}

/** What is prepared of a kind that has nothing of its own to prepare. */
const TOUCHED: ReadonlySet<string> = new Set(["metadata", "status"]);

/** A draft of ours, as Go writes it; `touched` are the members that may have changed since it was that before. */
function inOrder(draft: Draft, info: ResourceInfo, touched?: ReadonlySet<string>): JsonObject {
  const settled = normalizeGo(draft, shapeOf(typeOf(info)), touched);
  return isObject(settled) ? settled : draft;
}

interface Change {
  readonly object: JsonObject;
  readonly old: JsonObject;
}

function prepareUpdate(
  { object, old }: Change,
  info: ResourceInfo,
  strategy: Strategy,
  context: PrepareContext,
): JsonObject {
  const draft = deepCopy(object);
  if (strategy.ownsStatus) copyMember(draft, old, "status");
  dropDisabledPodFields(podSpecOf(draft, strategy), podSpecOf(old, strategy));
  strategy.prepareUpdate?.(draft, deepCopy(old), context);
  const settled = inOrder(draft, info);
  setGeneration(settled, old, isChanged(settled, old, strategy));
  return settled;
}

function isChanged(object: JsonObject, old: JsonObject, { generation }: Strategy): boolean {
  if (generation === undefined) return false;
  const { members, metadata = [] } = generation;
  if (members.some((key) => !sameMember(object, old, key))) return true;
  return metadata.some((key) => !sameMember(metaOf(object), metaOf(old), key));
}

/** A list without items is one that is not there. */
function sameMember(object: JsonObject, old: JsonObject, key: string): boolean {
  const [now, then] = [object[key] ?? null, old[key] ?? null];
  return deepEqual(now, then) || (isNothing(now) && isNothing(then));
}

function isNothing(value: JsonValue): boolean {
  return value === null || (isArray(value) && value.length === 0);
}

function setGeneration(draft: Draft, old: JsonObject, isNext: boolean): void {
  const before = numberOf(metaOf(old), "generation");
  const generation = isNext ? before + 1 : before;
  if (generation === 0) delete inner(draft, "metadata")["generation"];
  else inner(draft, "metadata")["generation"] = generation;
}

/** Only the status changes; of metadata what the kind allows. */
function prepareStatusUpdate(
  { object, old }: Change,
  info: ResourceInfo,
  strategy: Strategy,
  context: PrepareContext,
): JsonObject {
  const draft = newObject();
  for (const key of Object.keys(object)) if (isOwnOfStatus(key)) draft[key] = deepCopy(object[key] as JsonValue);
  for (const key of Object.keys(old)) if (!isOwnOfStatus(key)) draft[key] = deepCopy(old[key] as JsonValue);
  strategy.prepareStatusUpdate?.(draft, old, context);
  const settled = inOrder(draft, info);
  setGeneration(settled, old, false);
  return settled;
}

function isOwnOfStatus(key: string): boolean {
  return key === "status" || key === "metadata" || key === "kind" || key === "apiVersion";
}

function copyMember(draft: Draft, old: JsonObject, key: string): void {
  const member = objectOf(old, key);
  if (member === undefined) delete draft[key];
  else draft[key] = deepCopy(member);
}
