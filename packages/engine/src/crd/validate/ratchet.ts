/**
 * Checks that apply to an update only if the stored CRD already satisfied them, so that CRDs older than a check can
 * still be changed.
 *
 * Follows `validationOptions` of apiextensions pkg/apis/apiextensions/validation/validation.go.
 */
import { nilPath } from "../../field/path.ts";
import { pruneDefaults } from "../../schema/prune-defaults.ts";
import type { Structural } from "../../schema/structural.ts";
import { deepEqual } from "../../value/equal.ts";
import type { JsonValue } from "../../value/json.ts";
import { since } from "../../value/server-version.ts";
import { hasAcceptedReviewVersion, isCaBundleValid, readConversion } from "../conversion.ts";
import type { CustomResourceDefinition } from "../definition.ts";
import { type InternalDefinition, schemasOf, validationFor } from "../internal.ts";
import { forEachSchema, schemaHas } from "./schema-walk.ts";
import { hasLooseListKeys, hasNonAtomicSet, SCHEMA_TYPES } from "./validate-extensions.ts";
import { structuralProblem, validateStructural } from "./validate-structural.ts";

export const MAX_SELECTABLE_FIELDS = 8;

export interface Switches {
  readonly requireReviewVersion: boolean;
  readonly requireImmutableNames: boolean;
  readonly requireSchema: boolean;
  readonly requireKnownType: boolean;
  readonly requireStructural: boolean;
  readonly requirePrunedDefaults: boolean;
  readonly requireAtomicSets: boolean;
  readonly requireListKeys: boolean;
  readonly allowBadCaBundle: boolean;
  /** Expressions that were there before compile with all that any version knew. */
  readonly isStored: (expression: string) => boolean;
  /** Versions whose schema does not change: the limit for single expressions does not apply to them. */
  readonly unchanged: ReadonlySet<string>;
  /** By version name, "" for the common list. */
  readonly allowManySelectable: ReadonlySet<string>;
}

export const CREATE: Switches = {
  requireReviewVersion: true,
  requireImmutableNames: false,
  requireSchema: true,
  requireKnownType: true,
  requireStructural: true,
  requirePrunedDefaults: true,
  requireAtomicSets: true,
  requireListKeys: true,
  allowBadCaBundle: true,
  isStored: () => false,
  unchanged: new Set(),
  allowManySelectable: new Set(),
};

export function updateSwitches(definition: InternalDefinition, old: InternalDefinition): Switches {
  const schemas = schemasOf(old);
  const none = (test: (schema: Structural) => boolean): boolean => !schemas.some((schema) => schemaHas(schema, test));
  const expressions = expressionsOf(schemas);
  const reviewVersions = readConversion(old.definition.conversion)?.reviewVersions ?? [];
  return {
    requireReviewVersion: reviewVersions.length === 0 || hasAcceptedReviewVersion(reviewVersions),
    requireImmutableNames: isEstablished(old.definition),
    requireSchema: hasSchemaInAll(old),
    requireKnownType: none(({ type }) => type !== "" && !SCHEMA_TYPES.includes(type)),
    requireStructural: !schemas.some(isNonStructural),
    requirePrunedDefaults: !schemas.some(hasUnprunedDefault),
    requireAtomicSets: none(hasNonAtomicSet),
    requireListKeys: none(hasLooseListKeys),
    allowBadCaBundle: allowsBadCaBundle(old.definition),
    isStored: (expression) => expressions.has(expression),
    unchanged: unchangedVersions(definition, old),
    allowManySelectable: unchangedSelectable(definition, old),
  };
}

function isEstablished({ conditions }: CustomResourceDefinition): boolean {
  return conditions.find((condition) => condition["type"] === "Established")?.["status"] === "True";
}

function expressionsOf(schemas: readonly Structural[]): ReadonlySet<string> {
  const expressions = new Set<string>();
  for (const schema of schemas) {
    forEachSchema(schema, ({ validations }) => {
      for (const { rule, messageExpression } of validations) {
        expressions.add(rule);
        if (messageExpression !== "") expressions.add(messageExpression);
      }
    });
  }
  return expressions;
}

function hasSchemaInAll({ top, versions }: InternalDefinition): boolean {
  return top.validation?.schema !== undefined || versions.every(({ validation }) => validation?.schema !== undefined);
}

function isNonStructural(schema: Structural): boolean {
  return structuralProblem(schema) !== undefined || validateStructural(schema, nilPath).length > 0;
}

function hasUnprunedDefault(schema: Structural): boolean {
  if (isNonStructural(schema)) return false;
  return !deepEqual(defaultsOf(schema), defaultsOf(pruneDefaults(schema)));
}

function defaultsOf(schema: Structural): JsonValue[] {
  const defaults: JsonValue[] = [];
  forEachSchema(schema, (each) => {
    if (each.default !== undefined) defaults.push(each.default);
  });
  return defaults;
}

function allowsBadCaBundle(old: CustomResourceDefinition): boolean {
  if (!isEstablished(old)) return true;
  const bundle = readConversion(old.conversion)?.client?.caBundle ?? "";
  return bundle !== "" && !isCaBundleValid(bundle);
}

function unchangedVersions(definition: InternalDefinition, old: InternalDefinition): ReadonlySet<string> {
  const names = definition.versions.map(({ name }) => name);
  return new Set(
    names.filter((name) => {
      const [now, before] = [validationFor(definition, name), validationFor(old, name)];
      return now !== undefined && before !== undefined && deepEqual(now.normal, before.normal);
    }),
  );
}

function unchangedSelectable(definition: InternalDefinition, old: InternalDefinition): ReadonlySet<string> {
  const allowed = new Set<string>();
  if (!since("1.35")) return allowed;
  const isUnchanged = (now: readonly string[], before: readonly string[]): boolean =>
    before.length > MAX_SELECTABLE_FIELDS && deepEqual([...now], [...before]);
  if (isUnchanged(definition.top.selectableFields, old.top.selectableFields)) allowed.add("");
  for (const { name, selectableFields } of definition.versions) {
    const before = old.versions.find((version) => version.name === name)?.selectableFields ?? [];
    if (isUnchanged(selectableFields, before)) allowed.add(name);
  }
  return allowed;
}

/** Whether the definition uses what only structural schemas may use. */
export function needsStructural(definition: InternalDefinition): boolean {
  if (!definition.definition.preserveUnknownFields || hasDefaults(definition)) return true;
  return schemasOf(definition).some((schema) => schemaHas(schema, hasExtension));
}

export function hasDefaults(definition: InternalDefinition): boolean {
  return schemasOf(definition).some((schema) => schemaHas(schema, (each) => each.default !== undefined));
}

/** `x-kubernetes-map-type` does not count. */
function hasExtension(schema: Structural): boolean {
  return (
    schema.embeddedResource ||
    schema.preserveUnknownFields !== undefined ||
    schema.intOrString ||
    schema.listMapKeys.length > 0 ||
    schema.listType !== undefined ||
    schema.validations.length > 0 ||
    schema.propertyNames !== undefined
  );
}
