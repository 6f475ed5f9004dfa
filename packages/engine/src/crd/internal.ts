/**
 * A definition as upstream's validation sees it: what all versions have in common has moved to the top.
 *
 * Schema, subresources, columns and selectable fields move each by itself, so errors in the schema of a CRD with a
 * single version are reported at `spec.validation`, never at `spec.versions[0].schema`. Follows apiextensions
 * pkg/apis/apiextensions/v1/conversion.go.
 */
import { withoutPropertyNames } from "../schema/property-names.ts";
import type { Structural } from "../schema/structural.ts";
import { deepEqual } from "../value/equal.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { withoutMember } from "../value/rewrite.ts";
import { encodeDefinition } from "./decode.ts";
import {
  type CustomResourceDefinition,
  type DefinitionVersion,
  type PrinterColumn,
  readDefinition,
  type Subresources,
} from "./definition.ts";

export interface InternalDefinition {
  readonly definition: CustomResourceDefinition;
  /** The name of the first version; "" without any. */
  readonly version: string;
  readonly top: Hoistable;
  readonly versions: readonly InternalVersion[];
  /** The versions as they are printed; undefined if the list is nil. */
  readonly versionsJson: readonly JsonObject[] | undefined;
}

export interface Hoistable {
  readonly validation: Validation | undefined;
  readonly subresources: Subresources | undefined;
  readonly columns: readonly PrinterColumn[];
  readonly selectableFields: readonly string[];
}

export interface InternalVersion extends Hoistable {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning: string | undefined;
}

/** `schema: {}` is a validation without a schema. */
export interface Validation {
  readonly schema: Structural | undefined;
  readonly json: JsonObject | undefined;
  /** Without empty lists and maps: equal where upstream finds schemas equal. */
  readonly normal: JsonValue;
}

export interface InternalOptions {
  /** With the gate off, schemas of keys are as if they were not there. */
  readonly CRDPropertyNameSchemas: boolean;
}

interface Remembered extends InternalOptions {
  readonly internal: InternalDefinition;
}

/** What is stored is looked at with every update of it. */
const known = new WeakMap<JsonObject, Remembered>();

/** `json` is a decoded definition. */
export function toInternal(json: JsonObject, options: InternalOptions): InternalDefinition {
  const { CRDPropertyNameSchemas } = options;
  const before = known.get(json);
  if (before?.CRDPropertyNameSchemas === CRDPropertyNameSchemas) return before.internal;
  const internal = makeInternal(json, options);
  known.set(json, { CRDPropertyNameSchemas, internal });
  return internal;
}

function makeInternal(json: JsonObject, options: InternalOptions): InternalDefinition {
  const definition = readDefinition(json);
  const given = versionObjects(json);
  const normal = versionObjects(encodeDefinition(json)) ?? [];
  const hoisted = new Set(HOISTABLE.filter((key) => isSameInAll(normal, key)));
  const all = definition.versions.map((version, index) => toVersion(version, given?.[index], normal[index], options));
  const [first] = all;
  return {
    definition,
    version: first?.name ?? "",
    top: first === undefined ? NOTHING : withoutFields(first, (key) => !hoisted.has(key)),
    versions: all.map((version) => ({ ...version, ...withoutFields(version, (key) => hoisted.has(key)) })),
    versionsJson: given?.map((version) => [...hoisted].reduce(withoutMember, version)),
  };
}

const NOTHING: Hoistable = { validation: undefined, subresources: undefined, columns: [], selectableFields: [] };

const HOISTABLE = ["schema", "subresources", "additionalPrinterColumns", "selectableFields"] as const;
type HoistableKey = (typeof HOISTABLE)[number];

function isSameInAll(versions: readonly JsonObject[], key: HoistableKey): boolean {
  const first = versions[0]?.[key] ?? null;
  return versions.every((version) => deepEqual(version[key] ?? null, first));
}

function withoutFields(from: Hoistable, isCleared: (key: HoistableKey) => boolean): Hoistable {
  return {
    validation: isCleared("schema") ? undefined : from.validation,
    subresources: isCleared("subresources") ? undefined : from.subresources,
    columns: isCleared("additionalPrinterColumns") ? [] : from.columns,
    selectableFields: isCleared("selectableFields") ? [] : from.selectableFields,
  };
}

function toVersion(
  version: DefinitionVersion,
  given: JsonObject | undefined,
  normal: JsonObject | undefined,
  options: InternalOptions,
): InternalVersion {
  const { schema: declared, ...rest } = version;
  const schema = declared && (options.CRDPropertyNameSchemas ? declared : withoutPropertyNames(declared));
  const json = given?.["schema"];
  const props = isObject(json) ? json["openAPIV3Schema"] : undefined;
  const validation = isObject(json)
    ? { schema, json: isObject(props) ? props : undefined, normal: normal?.["schema"] ?? null }
    : undefined;
  return { ...rest, validation };
}

function versionObjects(json: JsonObject): JsonObject[] | undefined {
  const spec = json["spec"];
  const versions = isObject(spec) ? spec["versions"] : undefined;
  return isArray(versions) ? versions.filter(isObject) : undefined;
}

/** Every validation of a definition: the common one, then those of versions. */
function validationsOf({ top, versions }: InternalDefinition): Validation[] {
  return [top.validation, ...versions.map(({ validation }) => validation)].filter((each) => each !== undefined);
}

export function schemasOf(definition: InternalDefinition): Structural[] {
  return validationsOf(definition)
    .map(({ schema }) => schema)
    .filter((schema) => schema !== undefined);
}

/** The validation of one version, wherever it stands; an error of the lookup is undefined. */
export function validationFor(
  { top, versions }: InternalDefinition,
  name: string,
): { readonly normal: JsonValue } | undefined {
  if (versions.every(({ validation }) => validation === undefined)) return { normal: top.validation?.normal ?? null };
  const version = versions.find((each) => each.name === name);
  return version && { normal: version.validation?.normal ?? null };
}

/** The subresources that hold for a version. */
export function subresourcesFor({ top, versions }: InternalDefinition, name: string): Subresources | undefined {
  if (versions.every(({ subresources }) => subresources === undefined)) return top.subresources;
  return versions.find((each) => each.name === name)?.subresources;
}
