/**
 * What makes a schema structural: every field has its type outside of `allOf`, `anyOf`, `oneOf` and `not`, which only
 * restrict values.
 *
 * Follows apiextensions pkg/apiserver/schema/{convert,validation,complete}.go. The errors are sorted by their text.
 * Whether fields of combinators are also declared outside of them is checked for the combinators of the root alone.
 */
import { compileCached } from "@portcullis/gostd/regexp";
import { compareStrings } from "@portcullis/gostd/utf8";
import { type FieldError, forbidden, invalid, required } from "../../field/error.ts";
import { formatFieldError } from "../../field/format.ts";
import type { FieldPath } from "../../field/path.ts";
import { EMPTY_SCHEMA, type Structural } from "../../schema/structural.ts";
import { append } from "../../value/append.ts";
import * as messages from "../messages.ts";
import { validatePropertyNames } from "./property-names.ts";
import { hasNoOther } from "./schema-walk.ts";

export function validateStructural(schema: Structural, path: FieldPath): FieldError[] {
  const errors = [...checkNode(schema, "root", path), ...checkComplete(schema, path)];
  const texts = new Map(errors.map((error) => [error, formatFieldError(error)]));
  return errors.sort((a, b) => compareStrings(texts.get(a) ?? "", texts.get(b) ?? ""));
}

/** Why the schema cannot even be read as structural; the first reason met. */
export function structuralProblem(schema: Structural): string | undefined {
  const keyword = unsupportedKeyword(schema);
  if (keyword !== undefined) return messages.keywordNotSupported(keyword);
  const branches = [schema.not, ...schema.allOf, ...schema.anyOf, ...schema.oneOf];
  const inBranch = firstProblem(branches);
  if (inBranch !== undefined) return inBranch;
  if (schema.preserveUnknownFields === false) return messages.preserveMustBeTrue();
  if ((schema.unsupported?.itemsList?.length ?? 0) > 0) return messages.itemsNotAList();
  return firstProblem([schema.items, ...schema.properties.values(), schema.additionalProperties?.schema]);
}

function firstProblem(schemas: readonly (Structural | undefined)[]): string | undefined {
  for (const schema of schemas) {
    const problem = schema && structuralProblem(schema);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function unsupportedKeyword({ unsupported }: Structural): string | undefined {
  if (unsupported === undefined) return undefined;
  if (unsupported.id !== "") return "id";
  if (unsupported.schema !== "") return "schema";
  if ((unsupported.ref ?? "") !== "") return "$ref";
  if (unsupported.patternProperties.size > 0) return "patternProperties";
  if ((unsupported.dependencies?.size ?? 0) > 0) return "dependencies";
  if (unsupported.additionalItems !== undefined) return "additionalItems";
  return unsupported.definitions.size > 0 ? "definitions" : undefined;
}

type Level = "root" | "item" | "field";

function checkNode(schema: Structural, level: Level, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.type === "array" && schema.items === undefined) {
    errors.push(required(path.child("items"), messages.mustBeSpecified(), "structural"));
  }
  if (schema.items !== undefined) append(errors, checkNode(schema.items, "item", path.child("items")));
  for (const [name, property] of schema.properties) {
    append(errors, checkNode(property, "field", path.child("properties").key(name)));
  }
  append(errors, checkAdditional(schema, level, path));
  if (schema.propertyNames !== undefined) {
    const at = path.child("x-kubernetes-property-names");
    append(errors, [...validatePropertyNames(schema, path), ...checkBranches(schema.propertyNames, NO_SKIPS, at)]);
  }
  return [
    ...errors,
    ...checkIntOrString(schema, path),
    ...checkBranches(schema, intOrStringSkips(schema), path),
    ...checkTypes(schema, level, path),
    ...checkMetaFields(schema, level, path),
    ...checkEmbeddedProperties(schema, path),
  ];
}

function checkAdditional(schema: Structural, level: Level, path: FieldPath): FieldError[] {
  const { additionalProperties } = schema;
  if (additionalProperties === undefined) return [];
  const at = path.child("additionalProperties");
  const errors = level === "root" ? [forbidden(at, messages.notAtRoot(), "structural")] : [];
  if (additionalProperties.schema !== undefined) {
    append(errors, checkNode(additionalProperties.schema, "field", at));
  }
  if (schema.embeddedResource) errors.push(forbidden(at, messages.notInEmbedded(), "structural"));
  return errors;
}

function checkIntOrString(schema: Structural, path: FieldPath): FieldError[] {
  if (!schema.intOrString) return [];
  const errors: FieldError[] = [];
  const refuse = (keyword: string): void => {
    errors.push(invalid(path.child(keyword), true, messages.notWithIntOrString(), "structural"));
  };
  if (schema.preserveUnknownFields === true) refuse("x-kubernetes-preserve-unknown-fields");
  if (schema.embeddedResource) refuse("x-kubernetes-embedded-resource");
  return errors;
}

function checkTypes(schema: Structural, level: Level, path: FieldPath): FieldError[] {
  const at = path.child("type");
  const { type } = schema;
  const errors: FieldError[] = [];
  if (schema.embeddedResource && type !== "object") {
    const detail = messages.embeddedObject();
    errors.push(type === "" ? required(at, detail, "structural") : invalid(at, type, detail, "structural"));
  } else if (type === "" && !schema.intOrString && schema.preserveUnknownFields !== true) {
    errors.push(required(at, messages.typeEmptyAt[level], "structural"));
  }
  if (level === "root" && type !== "" && type !== "object") {
    errors.push(invalid(at, type, messages.objectAtRoot(), "structural"));
  }
  return errors;
}

function checkMetaFields(schema: Structural, level: Level, path: FieldPath): FieldError[] {
  const isResource = level === "root" || schema.embeddedResource;
  const errors: FieldError[] = [];
  const checkType = (name: string, type: string): void => {
    const property = schema.properties.get(name);
    if (!isResource || property === undefined || property.type === type) return;
    const at = path.child("properties").key(name).child("type");
    errors.push(invalid(at, property.type, messages.mustBeType(type), "structural"));
  };
  checkType("kind", "string");
  checkType("apiVersion", "string");
  checkType("metadata", "object");
  const metadata = schema.properties.get("metadata");
  if (level === "root" && metadata !== undefined && !restrictsNameOnly(metadata)) {
    const at = path.child("properties").key("metadata");
    errors.push(forbidden(at, messages.onlyNameInMetadata(), "structural"));
  }
  return errors;
}

const TYPE_AND_DEFAULT: ReadonlySet<keyof Structural> = new Set(["type", "default", "unsupported"] as const);
const AND_PROPERTIES: ReadonlySet<keyof Structural> = new Set([...TYPE_AND_DEFAULT, "properties"] as const);

function restrictsNameOnly(metadata: Structural): boolean {
  const names = [...metadata.properties.keys()];
  const areNames = names.every((name) => name === "name" || name === "generateName");
  return hasNoOther(metadata, areNames ? AND_PROPERTIES : TYPE_AND_DEFAULT);
}

function checkEmbeddedProperties(schema: Structural, path: FieldPath): FieldError[] {
  const isEmpty = schema.embeddedResource && schema.preserveUnknownFields !== true && schema.properties.size === 0;
  return isEmpty ? [required(path.child("properties"), messages.embeddedProperties(), "structural")] : [];
}

/** Where the two spellings of int-or-string excuse the types in an `anyOf`. */
interface Skips {
  readonly anyOf: boolean;
  readonly anyOfInFirstAllOf: boolean;
}

const NO_SKIPS: Skips = { anyOf: false, anyOfInFirstAllOf: false };

/** Excused on any schema, whether it says int-or-string or not. */
function intOrStringSkips(schema: Structural): Skips {
  return { anyOf: isIntOrString(schema.anyOf), anyOfInFirstAllOf: isIntOrString(schema.allOf[0]?.anyOf ?? []) };
}

function isIntOrString(branches: readonly Structural[]): boolean {
  const [first, second] = branches;
  return branches.length === 2 && isBareType(first, "integer") && isBareType(second, "string");
}

// What is left of unsupported keywords at this point is empty.
const TYPE_ONLY: ReadonlySet<keyof Structural> = new Set(["type", "unsupported"] as const);
const TYPE_AND_CLOSED: ReadonlySet<keyof Structural> = new Set([...TYPE_ONLY, "additionalProperties"] as const);

function isBareType(schema: Structural | undefined, type: string): boolean {
  if (schema?.type !== type || schema.properties !== EMPTY_SCHEMA.properties) return false;
  return hasNoOther(schema, schema.additionalProperties?.allows === false ? TYPE_AND_CLOSED : TYPE_ONLY);
}

function checkBranches(schema: Structural, skips: Skips, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const checkAll = (keyword: "anyOf" | "allOf" | "oneOf"): void => {
    for (const [index, branch] of schema[keyword].entries()) {
      const anyOf = keyword === "allOf" && index === 0 && skips.anyOfInFirstAllOf;
      append(errors, checkBranch(branch, { ...NO_SKIPS, anyOf }, path.child(keyword).index(index)));
    }
  };
  if (!skips.anyOf) checkAll("anyOf");
  checkAll("allOf");
  checkAll("oneOf");
  if (schema.not !== undefined) append(errors, checkBranch(schema.not, NO_SKIPS, path.child("not")));
  if (schema.pattern !== "") append(errors, checkPattern(schema.pattern, path.child("pattern")));
  return errors;
}

function checkPattern(pattern: string, path: FieldPath): FieldError[] {
  const compiled = compileCached(pattern);
  return compiled.error === undefined ? [] : [invalid(path, pattern, messages.badPattern(compiled.error), "pattern")];
}

function checkBranch(branch: Structural, skips: Skips, path: FieldPath): FieldError[] {
  const errors = checkBranches(branch, skips, path);
  if (branch.items !== undefined) append(errors, checkBranch(branch.items, NO_SKIPS, path.child("items")));
  for (const [name, property] of branch.properties) {
    append(errors, checkBranch(property, NO_SKIPS, path.child("properties").key(name)));
  }
  for (const { keyword, isSet, mustBe } of FORBIDDEN_IN_BRANCHES) {
    if (isSet(branch)) errors.push(forbidden(path.child(keyword), messages.toBeStructural(mustBe), "structural"));
  }
  if (branch.properties.has("metadata")) {
    const at = path.child("properties").key("metadata");
    errors.push(forbidden(at, messages.noNestedMetadata(), "structural"));
  }
  return errors;
}

interface ForbiddenKeyword {
  readonly keyword: string;
  readonly isSet: (branch: Structural) => boolean;
  readonly mustBe: "empty" | "undefined" | "false";
}

// `additionalProperties: false` is let through here, and enforced on values.
// biome-ignore format: a table
const FORBIDDEN_IN_BRANCHES: readonly ForbiddenKeyword[] = [
  { keyword: "type", isSet: ({ type }) => type !== "", mustBe: "empty" },
  { keyword: "additionalProperties", isSet: (branch) => branch.additionalProperties?.allows === true, mustBe: "undefined" },
  { keyword: "default", isSet: (branch) => branch.default !== undefined, mustBe: "undefined" },
  { keyword: "title", isSet: ({ title }) => title !== "", mustBe: "empty" },
  { keyword: "description", isSet: ({ description }) => description !== "", mustBe: "empty" },
  { keyword: "nullable", isSet: ({ nullable }) => nullable, mustBe: "false" },
  { keyword: "x-kubernetes-preserve-unknown-fields", isSet: (branch) => branch.preserveUnknownFields === true, mustBe: "false" },
  { keyword: "x-kubernetes-embedded-resource", isSet: ({ embeddedResource }) => embeddedResource, mustBe: "false" },
  { keyword: "x-kubernetes-int-or-string", isSet: ({ intOrString }) => intOrString, mustBe: "false" },
  { keyword: "x-kubernetes-list-map-keys", isSet: ({ listMapKeys }) => listMapKeys.length > 0, mustBe: "empty" },
  { keyword: "x-kubernetes-list-type", isSet: ({ listType }) => listType !== undefined, mustBe: "undefined" },
  { keyword: "x-kubernetes-map-type", isSet: ({ mapType }) => mapType !== undefined, mustBe: "undefined" },
  { keyword: "x-kubernetes-validations", isSet: ({ validations }) => validations.length > 0, mustBe: "empty" },
  { keyword: "x-kubernetes-property-names", isSet: ({ propertyNames }) => propertyNames !== undefined, mustBe: "undefined" },
];

/** What the combinators of `branch` speak of must be declared in `schema`. */
function checkComplete(schema: Structural, path: FieldPath): FieldError[] {
  return checkBranchesComplete(schema, schema, path, path);
}

function checkBranchesComplete(
  branch: Structural,
  schema: Structural,
  schemaPath: FieldPath,
  branchPath: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const descend = (inner: Structural, at: FieldPath): void => {
    append(errors, checkBranchComplete(inner, schema, schemaPath, at));
  };
  if (branch.not !== undefined) descend(branch.not, branchPath.child("not"));
  for (const keyword of ["allOf", "anyOf", "oneOf"] as const) {
    for (const [index, inner] of branch[keyword].entries()) descend(inner, branchPath.child(keyword).index(index));
  }
  return errors;
}

function checkBranchComplete(
  branch: Structural,
  schema: Structural | undefined,
  schemaPath: FieldPath,
  branchPath: FieldPath,
): FieldError[] {
  if (schema === undefined) return [required(schemaPath, messages.definedIn(branchPath.toString()), "structural")];
  const errors = checkBranchesComplete(branch, schema, schemaPath, branchPath);
  if (branch.items !== undefined) {
    const [at, inBranch] = [schemaPath.child("items"), branchPath.child("items")];
    append(errors, checkBranchComplete(branch.items, schema.items, at, inBranch));
  }
  for (const [name, property] of branch.properties) {
    const [at, inBranch] = [schemaPath.child("properties").key(name), branchPath.child("properties").key(name)];
    append(errors, checkBranchComplete(property, schema.properties.get(name), at, inBranch));
  }
  return errors;
}
