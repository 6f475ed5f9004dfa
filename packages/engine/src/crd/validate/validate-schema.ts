/**
 * The rules every node of an OpenAPI schema must keep, and the walk that also checks extensions and CEL rules.
 *
 * Follows ValidateCustomResourceDefinitionOpenAPISchema of apiextensions. Rules are compiled only where neither the node
 * nor anything below it has an error of the schema. Properties are visited in the order of the schema; upstream's order
 * is random.
 */
import { type FieldError, forbidden, notSupported } from "../../field/error.ts";
import type { FieldPath } from "../../field/path.ts";
import { isMetaField, type Structural } from "../../schema/structural.ts";
import { append } from "../../value/append.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import * as messages from "../messages.ts";
import type { Switches } from "./ratchet.ts";
import { childContext, keyContext, type RuleContext, type RuleStep, validateRules } from "./rule-context.ts";
import { SCHEMA_TYPES, validateExtensions } from "./validate-extensions.ts";
import { validateRuleTexts } from "./validate-rule-texts.ts";

export interface SchemaErrors {
  readonly schema: readonly FieldError[];
  readonly rules: readonly FieldError[];
}

export interface SchemaSetting {
  readonly switches: Switches;
  readonly suppressRuleCost: boolean;
  /** Undefined if rules are not to be compiled. */
  readonly rules: RuleContext | undefined;
}

export function validateSchema(
  schema: Structural,
  json: JsonObject,
  path: FieldPath,
  setting: SchemaSetting,
): SchemaErrors {
  const found = { schema: [], rules: [] };
  visit({ schema, json, path, isRoot: true, rules: setting.rules, ...ROOT }, setting, found);
  return found;
}

/** What the way to a node forbids. */
interface SchemaContext {
  /** Why the node may have no default; undefined if it may. */
  readonly noDefaults: string | undefined;
  readonly insideMeta: boolean;
  /** The outermost ancestor whose children have no old value. */
  readonly uncorrelatable: FieldPath | undefined;
}

const ROOT: SchemaContext = { noDefaults: undefined, insideMeta: false, uncorrelatable: undefined };

interface Node extends SchemaContext {
  readonly schema: Structural;
  readonly json: JsonObject;
  readonly path: FieldPath;
  readonly isRoot: boolean;
  readonly rules: RuleContext | undefined;
}

interface Found {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

function visit(node: Node, setting: SchemaSetting, found: Found): void {
  const { schema, json, path } = node;
  const before = found.schema.length;
  append(found.schema, checkNode(node, setting.switches));
  for (const child of children(node)) visit(child, setting, found);
  append(found.schema, [
    ...validateExtensions(schema, json, path, setting.switches),
    ...validateRuleTexts(schema, path),
  ]);
  const isClean = found.schema.length === before;
  if (isClean && node.rules !== undefined && schema.validations.length > 0) {
    append(found.rules, validateRules(node.rules, path, { ...setting, uncorrelatable: node.uncorrelatable }));
  }
}

function checkNode(node: Node, switches: Switches): FieldError[] {
  const { schema, path } = node;
  const errors: FieldError[] = [];
  const refuse = (keyword: string, detail: string): void => {
    errors.push(forbidden(path.child(keyword), detail, keyword));
  };
  if (switches.requireKnownType && schema.type !== "" && !SCHEMA_TYPES.includes(schema.type)) {
    errors.push(notSupported(path.child("type"), schema.type, SCHEMA_TYPES, "type"));
  }
  if (schema.default !== undefined && node.noDefaults !== undefined) {
    refuse("default", messages.defaultForbidden(node.noDefaults));
  }
  for (const keyword of unsupportedKeywords(schema)) refuse(keyword, messages.notSupported(keyword));
  if (schema.type === "null") refuse("type", messages.nullType());
  if ((schema.unsupported?.itemsList?.length ?? 0) > 0) refuse("items", messages.itemsList());
  if (node.insideMeta && schema.embeddedResource) {
    refuse("x-kubernetes-embedded-resource", messages.noEmbeddedInMeta());
  }
  if (schema.uniqueItems) refuse("uniqueItems", messages.noUniqueItems());
  if (isMapAndStruct(schema)) refuse("additionalProperties", messages.mutuallyExclusive());
  return errors;
}

/** `$schema` alone is not in the list: it makes the schema non-structural instead. */
function unsupportedKeywords({ unsupported }: Structural): string[] {
  if (unsupported === undefined) return [];
  const used: [string, boolean][] = [
    ["id", unsupported.id !== ""],
    ["additionalItems", unsupported.additionalItems !== undefined],
    ["patternProperties", unsupported.patternProperties.size > 0],
    ["definitions", unsupported.definitions.size > 0],
    ["dependencies", unsupported.dependencies !== undefined],
    ["$ref", unsupported.ref !== undefined],
  ];
  return used.filter(([, isUsed]) => isUsed).map(([keyword]) => keyword);
}

/** `additionalProperties: true` beside properties is accepted. */
function isMapAndStruct({ additionalProperties, properties }: Structural): boolean {
  if (additionalProperties === undefined || properties.size === 0) return false;
  return !additionalProperties.allows || additionalProperties.schema !== undefined;
}

function children(node: Node): Node[] {
  return [
    ...additionalChild(node),
    ...keyChild(node),
    ...propertyChildren(node),
    ...branchChildren(node),
    ...itemChildren(node),
    ...dependencyChildren(node),
  ];
}

function additionalChild(node: Node): Node[] {
  const schema = node.schema.additionalProperties?.schema;
  if (schema === undefined) return [];
  const json = object(node.json["additionalProperties"]);
  const child = below(node, schema, json, node.path.child("additionalProperties"), { kind: "additional" });
  return [node.insideMeta ? { ...child, noDefaults: messages.inMetadataMap() } : child];
}

function keyChild(node: Node): Node[] {
  const { propertyNames } = node.schema;
  if (propertyNames === undefined) return [];
  const path = node.path.child("x-kubernetes-property-names");
  const json = object(node.json["x-kubernetes-property-names"]);
  const rules = node.rules && keyContext(node.rules, propertyNames);
  // A key that was there before equals itself, so an old key would say nothing.
  const uncorrelatable = node.uncorrelatable ?? path;
  return [{ ...node, schema: propertyNames, json, path, isRoot: false, rules, uncorrelatable }];
}

function propertyChildren(node: Node): Node[] {
  const { schema, path } = node;
  const properties = object(node.json["properties"]);
  const isResource = node.isRoot || schema.embeddedResource;
  const uncorrelatable = isKnownMapType(schema.mapType) ? node.uncorrelatable : (node.uncorrelatable ?? path);
  return [...schema.properties].map(([name, property]) => {
    const at = path.child("properties").key(name);
    const child = {
      ...below(node, property, object(properties[name]), at, { kind: "property", name }),
      uncorrelatable,
    };
    if (!isResource || !isMetaField(name)) return child;
    const noDefaults = node.isRoot ? messages.inTopLevel(name) : child.noDefaults;
    return { ...child, insideMeta: true, noDefaults };
  });
}

/** An unknown map type has been refused, but its children are still validated with it. */
function isKnownMapType(mapType: string | undefined): boolean {
  return mapType === undefined || mapType === "granular" || mapType === "atomic";
}

/** Rules are not compiled inside combinators. */
function branchChildren(node: Node): Node[] {
  const { schema, json, path } = node;
  const branches: Node[] = [];
  const add = (inner: Structural, innerJson: JsonValue | undefined, at: FieldPath): void => {
    branches.push({ ...node, schema: inner, json: object(innerJson), path: at, isRoot: false, rules: undefined });
  };
  if (schema.not !== undefined) add(schema.not, json["not"], path.child("not"));
  for (const keyword of ["allOf", "oneOf", "anyOf"] as const) {
    for (const [index, inner] of schema[keyword].entries()) {
      add(inner, at(json[keyword], index), path.child(keyword).index(index));
    }
  }
  for (const [name, inner] of schema.unsupported?.definitions ?? []) {
    add(inner, object(json["definitions"])[name], path.child("definitions").key(name));
  }
  return branches;
}

/** Only the items of a list of type `map` have old values. */
function itemChildren(node: Node): Node[] {
  const { schema, json } = node;
  const path = node.path.child("items");
  const uncorrelatable = schema.listType === "map" ? node.uncorrelatable : (node.uncorrelatable ?? node.path);
  const child = (inner: Structural, innerJson: JsonValue | undefined, at: FieldPath): Node => ({
    ...below(node, inner, object(innerJson), at, { kind: "items" }),
    uncorrelatable,
  });
  if (schema.items !== undefined) return [child(schema.items, json["items"], path)];
  const list = schema.unsupported?.itemsList ?? [];
  return list.map((inner, index) => child(inner, at(json["items"], index), path.index(index)));
}

function dependencyChildren(node: Node): Node[] {
  const dependencies = [...(node.schema.unsupported?.dependencies ?? [])];
  return dependencies.flatMap(([name, { schema }]) => {
    if (schema === undefined) return [];
    const json = object(object(node.json["dependencies"])[name]);
    const path = node.path.child("dependencies").key(name);
    return [{ ...node, schema, json, path, isRoot: false, rules: undefined }];
  });
}

function below(parent: Node, schema: Structural, json: JsonObject, path: FieldPath, step: RuleStep): Node {
  const rules = parent.rules && childContext(parent.rules, schema, step);
  return { ...parent, schema, json, path, isRoot: false, rules };
}

function at(json: JsonValue | undefined, index: number): JsonValue | undefined {
  return isArray(json) ? json[index] : undefined;
}

function object(json: JsonValue | undefined): JsonObject {
  return isObject(json) ? json : newObject();
}
