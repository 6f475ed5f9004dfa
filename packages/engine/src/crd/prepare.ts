/**
 * What the API server settles itself before a definition is validated: its status, its generation, and fields that a
 * feature gate takes away.
 *
 * A field behind a closed gate stays where the stored definition already uses it. Follows apiextensions
 * pkg/registry/customresourcedefinition/strategy.go.
 */
import { parseSchema } from "../schema/parse.ts";
import type { Structural } from "../schema/structural.ts";
import { deepEqual } from "../value/equal.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { rewriteItems, rewriteMembers, withMember, withoutMember } from "../value/rewrite.ts";
import { encodeDefinition, storageVersion } from "./decode.ts";
import { coerceDefaults } from "./validate/coerce-defaults.ts";
import { schemaHas } from "./validate/schema-walk.ts";
import type { DefinitionGates } from "./validate/validate.ts";

/** Definitions are given decoded. */
export function prepareForCreate(json: JsonObject, gates: DefinitionGates): JsonObject {
  const fresh = withMember(withGeneration(json, 1), "status", newObject());
  return prepareSchemas(addStorageVersion(fresh), undefined, gates);
}

export function prepareForUpdate(json: JsonObject, old: JsonObject, gates: DefinitionGates): JsonObject {
  const generation = generationOf(old);
  const isChanged = !deepEqual(specOf(encodeDefinition(old)), specOf(encodeDefinition(json)));
  const prepared = withGeneration(json, isChanged ? next(generation) : generation);
  const withStatus = withMember(prepared, "status", old["status"] ?? newObject());
  return prepareSchemas(addStorageVersion(withStatus), old, gates);
}

/** The spec stays; metadata may change with the status. */
export function prepareStatusUpdate(json: JsonObject, old: JsonObject): JsonObject {
  return withGeneration(withMember(json, "spec", specOf(old)), generationOf(old));
}

function specOf(json: JsonObject): JsonObject {
  return isObject(json["spec"]) ? json["spec"] : newObject();
}

function metaOf(json: JsonObject): JsonObject {
  return isObject(json["metadata"]) ? json["metadata"] : newObject();
}

function generationOf(json: JsonObject): number | bigint {
  const generation = metaOf(json)["generation"];
  return typeof generation === "number" || typeof generation === "bigint" ? generation : 0;
}

function next(generation: number | bigint): number | bigint {
  return typeof generation === "bigint" ? generation + 1n : generation + 1;
}

function withGeneration(json: JsonObject, generation: number | bigint): JsonObject {
  return withMember(json, "metadata", withMember(metaOf(json), "generation", generation));
}

/** Versions that were ever used for storage are remembered. */
function addStorageVersion(json: JsonObject): JsonObject {
  const status = isObject(json["status"]) ? json["status"] : newObject();
  const stored = isArray(status["storedVersions"]) ? status["storedVersions"] : [];
  const storage = storageVersion(specOf(json));
  if (storage === undefined || stored.includes(storage)) return json;
  return withMember(json, "status", withMember(status, "storedVersions", [...stored, storage]));
}

function prepareSchemas(json: JsonObject, old: JsonObject | undefined, gates: DefinitionGates): JsonObject {
  return rewriteRoots(dropDisabledFields(json, old, gates), coerceDefaults);
}

function dropDisabledFields(json: JsonObject, old: JsonObject | undefined, gates: DefinitionGates): JsonObject {
  return DROPS.reduce((kept, { isOn, isUsed, drop }) => {
    const stays = isOn(gates) || (old !== undefined && isUsed(old));
    return stays ? kept : drop(kept);
  }, json);
}

interface Drop {
  readonly isOn: (gates: DefinitionGates) => boolean;
  readonly isUsed: (json: JsonObject) => boolean;
  readonly drop: (json: JsonObject) => JsonObject;
}

const DROPS: readonly Drop[] = [
  {
    isOn: (gates) => gates.CRDValidationRatcheting,
    isUsed: (json) =>
      anySchema(json, ({ validations }) => validations.some((rule) => rule.optionalOldSelf !== undefined)),
    drop: (json) => rewriteSchemas(json, withoutOptionalOldSelf),
  },
  {
    isOn: (gates) => gates.CustomResourceFieldSelectors !== false,
    isUsed: (json) => versionsOf(json).some((version) => version["selectableFields"] !== undefined),
    drop: (json) => rewriteVersions(json, (version) => withoutMember(version, "selectableFields")),
  },
  {
    isOn: (gates) => gates.CRDObservedGenerationTracking !== false,
    isUsed: (json) => !deepEqual(json, withoutObservedGeneration(json)),
    drop: withoutObservedGeneration,
  },
  {
    isOn: (gates) => gates.CRDPropertyNameSchemas,
    // Neither bodies nor reads have it then; what is stored of it is carried over when the CRD is written.
    isUsed: () => false,
    drop: (json) => rewriteSchemas(json, (schema) => withoutMember(schema, "x-kubernetes-property-names")),
  },
];

function versionsOf(json: JsonObject): JsonObject[] {
  const versions = specOf(json)["versions"];
  return isArray(versions) ? versions.filter(isObject) : [];
}

function anySchema(json: JsonObject, test: (schema: Structural) => boolean): boolean {
  return versionsOf(json).some((version) => {
    const schema = isObject(version["schema"]) ? version["schema"]["openAPIV3Schema"] : undefined;
    return isObject(schema) && schemaHas(parseSchema(schema), test);
  });
}

function rewriteVersions(json: JsonObject, change: (version: JsonObject) => JsonObject): JsonObject {
  const versions = specOf(json)["versions"];
  if (!isArray(versions)) return json;
  const changed = rewriteItems(versions, (version) => (isObject(version) ? change(version) : version));
  return changed === versions ? json : withMember(json, "spec", withMember(specOf(json), "versions", changed));
}

/** Changes every schema that holds values: not those in combinators, as upstream has it. */
function rewriteSchemas(json: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  return rewriteRoots(json, (schema) => rewriteSchema(schema, change));
}

function rewriteRoots(json: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  return rewriteVersions(json, (version) =>
    rewriteMembers(version, (member, key) => {
      if (key !== "schema" || !isObject(member)) return member;
      return rewriteMembers(member, (schema) => (isObject(schema) ? change(schema) : schema));
    }),
  );
}

function rewriteSchema(schema: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  const descend = (json: JsonValue): JsonValue => (isObject(json) ? rewriteSchema(json, change) : json);
  return rewriteMembers(change(schema), (member, key) => {
    if (key === "properties" && isObject(member)) return rewriteMembers(member, descend);
    if (key === "items" && isArray(member)) return rewriteItems(member, descend);
    return key === "items" || key === "additionalProperties" ? descend(member) : member;
  });
}

function withoutOptionalOldSelf(schema: JsonObject): JsonObject {
  return rewriteMembers(schema, (member, key) => {
    if (key !== "x-kubernetes-validations" || !isArray(member)) return member;
    return rewriteItems(member, (rule) => (isObject(rule) ? withoutMember(rule, "optionalOldSelf") : rule));
  });
}

function withoutObservedGeneration(json: JsonObject): JsonObject {
  return rewriteMembers(json, (status, key) => {
    if (key !== "status" || !isObject(status)) return status;
    return rewriteMembers(withoutMember(status, "observedGeneration"), (member, name) => {
      if (name !== "conditions" || !isArray(member)) return member;
      const drop = (each: JsonValue): JsonValue => (isObject(each) ? withoutMember(each, "observedGeneration") : each);
      return rewriteItems(member, drop);
    });
  });
}
