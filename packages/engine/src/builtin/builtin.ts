/**
 * The built-in kinds, each with all that is needed to serve it: how discovery lists it, and the functions that decode,
 * prepare and validate a write. The rules of each kind are in its module below `kinds`.
 *
 * Objects given to and returned by these functions are as Go writes them; none of the functions changes its arguments.
 */
import type { FieldValidation } from "../codec/strict.ts";
import type { FieldError } from "../field/error.ts";
import { decodeGo } from "../field/go-decode.ts";
import type { GoDecodeOptions } from "../field/go-decode-state.ts";
import { fitGo } from "../field/go-fit.ts";
import type { GoStruct } from "../field/go-shape.ts";
import type { NameCheck } from "../schema/object-meta.ts";
import { deepCopy } from "../value/copy.ts";
import { isEnabled } from "../value/gates.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import { since } from "../value/server-version.ts";
import type { ColumnDefinition } from "./columns/column.ts";
import { fromHub, toHub } from "./convert.ts";
import { type DecodedObject, decodeTyped, type Kind, type TypedBody } from "./decode.ts";
import { applyDefaults, fillDefaults } from "./defaults/apply.ts";
import { type Draft, inner } from "./defaults/draft.ts";
import type { BuiltinKind, DependentsPolicy, FieldNames } from "./kinds/kind.ts";
import { builtinKind } from "./kinds/kinds.ts";
import { prereleaseInfos } from "./prerelease-versions.ts";
import { type ResourceInfo, resourceInfos } from "./resources.ts";
import { type FieldSelectors, fieldSelectors } from "./selectors.ts";
import { shapeOf } from "./shapes.ts";
import { asStored } from "./stored.ts";
import { prepareDraft, prepareObject, prepareObjectStatus, prepareObjectUpdate } from "./strategies/prepare.ts";
import type { ServiceNetwork } from "./strategies/service-network.ts";
import type { PrepareContext } from "./strategies/strategy.ts";
import { type StructType, structOfKind } from "./types.ts";
import { asPrinted } from "./validate/go-values.ts";
import { validateObject, validateObjectStatus, validateObjectUpdate } from "./validate/object.ts";

export interface BuiltinResource extends ResourceInfo {
  /** A request body, defaulted. Throws the API server's refusal where it is not an object of this kind. */
  decode(body: TypedBody, fieldValidation: FieldValidation): DecodedObject;
  /** JSON that is known to be of this kind, defaulted; for callers that check the header and the findings themselves. */
  decodeFields(json: JsonObject, options?: GoDecodeOptions): DecodedFields;
  /** The Go type of the kind. */
  readonly shape: GoStruct;
  /** Metadata has its name, namespace and uid already. */
  prepareCreate(object: JsonObject, context: PrepareContext): JsonObject;
  /** System metadata is kept by the caller; generation is set here. */
  prepareUpdate(object: JsonObject, old: JsonObject, context: PrepareContext): JsonObject;
  prepareStatusUpdate(object: JsonObject, old: JsonObject, context: PrepareContext): JsonObject;
  /** All findings, those about metadata among them. */
  validateCreate(object: JsonObject, network?: ServiceNetwork): FieldError[];
  /**
   * Whether JSON of this kind, once `complete` has set its metadata, becomes a new object without a single error or
   * warning. False also where only the functions above can decide; they take several times as long.
   */
  passesCreate(json: JsonObject, complete: (meta: Draft) => void, context: PrepareContext): boolean;
  /** Of an update: what is checked before everything else. If there is something, nothing else is reported. */
  validateFirst(object: JsonObject, old: JsonObject, network?: ServiceNetwork): FieldError[];
  /** All findings of the kind's own rules; the generic checks of metadata come before them, and find some of them too. */
  validateUpdate(object: JsonObject, old: JsonObject, network?: ServiceNetwork): FieldError[];
  /** Of a write to the status alone. */
  validateStatusUpdate(object: JsonObject, old: JsonObject): FieldError[];
  /** For objects that are accepted: new ones, changed ones, and those whose status changes. */
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
  /** What a delete without options means for dependents; undefined deletes them in the background. */
  readonly dependentsPolicy: DependentsPolicy | undefined;
  /** Undefined if the table has the name and the age only. */
  readonly tableColumns: readonly ColumnDefinition[] | undefined;
  readonly fieldSelectors: FieldSelectors;
  /** Where objects are stored, such as `/registry/pods/`. */
  readonly storagePrefix: string;
  /** Paths whose ownership a write gives up; the subresource is "" for the object itself. */
  resetFields(subresource: string): readonly FieldNames[];
}

export interface DecodedFields {
  readonly value: JsonObject;
  /** Paths of unknown fields, in the order they are met. */
  readonly unknown: readonly string[];
  readonly error: string | undefined;
}

const NO_WARNINGS: readonly string[] = [];

const resourcesByInfos = new WeakMap<readonly ResourceInfo[], readonly BuiltinResource[]>();
const resourceByInfo = new WeakMap<ResourceInfo, BuiltinResource>();

/** Those of the version whose rules apply. */
export function builtinResources(): readonly BuiltinResource[] {
  const infos = resourceInfos();
  const known = resourcesByInfos.get(infos);
  if (known !== undefined) return known;
  const resources = infos.map(builtinResourceOf);
  resourcesByInfos.set(infos, resources);
  return resources;
}

/** Beta and alpha versions of some of them, which are served only where they are asked for. */
export function prereleaseResources(): readonly BuiltinResource[] {
  return prereleaseInfos(resourceInfos()).map(builtinResourceOf);
}

export function builtinResource(group: string, version: string, plural: string): BuiltinResource | undefined {
  const info = resourceInfos().find(
    (each) => each.group === group && each.version === version && each.plural === plural,
  );
  return info && builtinResourceOf(info);
}

/** Made when it is first needed: the browser loads the rules of most kinds only then. */
export function builtinResourceOf(info: ResourceInfo): BuiltinResource {
  const known = resourceByInfo.get(info);
  if (known !== undefined) return known;
  const made = toBuiltin(info);
  resourceByInfo.set(info, made);
  return made;
}

function toBuiltin(info: ResourceInfo): BuiltinResource {
  const kind = builtinKind(info.group, info.version, info.kind);
  if (kind === undefined) throw new Error(`no built-in kind ${info.kind}`);
  const { checkName, unconditionalUpdate, createOnUpdate, returnsDeletedObject, warnings, hub } = kind;
  return {
    ...info,
    decode: (body, fieldValidation) => decodeObject(body, info, fieldValidation),
    decodeFields: (json, options) => decodeFields(json, info, options),
    get shape() {
      return shapeOf(typeOf(info));
    },
    prepareCreate: (object, context) => prepareObject(object, typeOf(info), kind, context),
    prepareUpdate: (object, old, context) => prepareObjectUpdate({ object, old }, typeOf(info), kind, context),
    prepareStatusUpdate: (object, old, context) => prepareObjectStatus({ object, old }, typeOf(info), kind, context),
    validateCreate: (object, network) => asPrinted(validateObject(object, info, kind, { network })),
    passesCreate: (json, complete, context) => passesCreate(json, info, kind, { complete, context }),
    validateFirst: (object, old, network) => asPrinted(kind.validateFirst?.(object, old, network) ?? []),
    validateUpdate: (object, old, network) => asPrinted(validateObjectUpdate({ object, old }, info, kind, network)),
    validateStatusUpdate: (object, old) => asPrinted(validateObjectStatus(object, old, kind)),
    warningsOnCreate: (object) => createWarnings(object, kind),
    warningsOnUpdate: (object, old) => warnings?.update?.(object, old) ?? NO_WARNINGS,
    warningsOnStatusUpdate: (object) => warnings?.statusUpdate?.(object) ?? NO_WARNINGS,
    encode: (object) => asStored(readAgain(deepCopy(object), info, kind), typeOf(info)),
    deprecationWarning: since(kind.deprecatedSince ?? "1.30") ? kind.deprecation : undefined,
    hub: hub?.kind ?? { group: info.group, version: info.version, kind: info.kind },
    toHub: (object) => toHub(object, hub),
    fromHub: (stored) => fromHub(stored, info, hub),
    checkName,
    statusGroup: kind.statusGroup ?? info.group,
    unconditionalUpdate,
    createOnUpdate,
    returnsDeletedObject,
    dependentsPolicy: kind.dependentsPolicy,
    tableColumns: kind.columns,
    fieldSelectors: fieldSelectors(kind.selectableFields),
    storagePrefix: `/registry/${kind.storagePrefix ?? info.plural}/`,
    resetFields: (subresource) => resetFields(kind, info, subresource),
  };
}

function resetFields(kind: BuiltinKind, info: ResourceInfo, subresource: string): readonly FieldNames[] {
  const { resetsSince, statusGate, statusResetsMetadataSince } = kind;
  if (resetsSince !== undefined && !since(resetsSince)) return [];
  if (subresource === "" && statusGate !== undefined && !isEnabled(statusGate)) return [];
  const hasDefaults =
    subresource === "status" && statusResetsMetadataSince !== undefined && !since(statusResetsMetadataSince);
  const own = hasDefaults ? undefined : kind.resetFields?.[subresource];
  return own ?? defaultResetFields(info, subresource);
}

function defaultResetFields({ subresources }: ResourceInfo, subresource: string): readonly FieldNames[] {
  if (subresource === "status") return [["spec"]];
  return subresources.some(({ name }) => name === "status") ? [["status"]] : [];
}

function decodeObject(body: TypedBody, info: ResourceInfo, fieldValidation: FieldValidation): DecodedObject {
  const { object, warnings } = decodeTyped(body, info, fieldValidation, isKept(info));
  return { object: applyDefaults(object, info), warnings };
}

/** Whether objects are stored: answers are written as they are in memory. */
function isKept({ verbs }: ResourceInfo): boolean {
  return verbs.includes("watch");
}

function decodeFields(json: JsonObject, info: ResourceInfo, options: GoDecodeOptions = {}): DecodedFields {
  const { value, unknown, error } = decodeGo(json, shapeOf(typeOf(info)), { keepEmpty: isKept(info), ...options });
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

/** What is stored is read again, and reading applies defaults: to what was prepared, in the form that is stored. */
function readAgain(draft: Draft, info: ResourceInfo, { hub }: BuiltinKind): JsonObject {
  return fromHub(applyDefaults(toHub(draft, hub), hub?.kind ?? info), info, hub);
}

function createWarnings(object: JsonObject, { warnings }: BuiltinKind): readonly string[] {
  return warnings?.create?.(object) ?? NO_WARNINGS;
}

interface Completion {
  readonly complete: (meta: Draft) => void;
  readonly context: PrepareContext;
}

/** Validation does not depend on the order of members, so the draft stays unordered. Nobody else holds it. */
function passesCreate(
  json: JsonObject,
  info: ResourceInfo,
  kind: BuiltinKind,
  { complete, context }: Completion,
): boolean {
  const type = typeOf(info);
  const draft = fitGo(json, shapeOf(type));
  if (draft === undefined) return false;
  fillDefaults(draft, type, kind.defaults);
  complete(inner(draft, "metadata"));
  prepareDraft(draft, kind, context);
  return (
    validateObject(draft, info, kind, { network: context.network }).length === 0 &&
    createWarnings(draft, kind).length === 0
  );
}
