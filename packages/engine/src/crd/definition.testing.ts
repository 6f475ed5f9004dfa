/** Definitions for tests: a small valid one, with parts replaced. */
import { formatFieldError } from "../field/format.ts";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import { decodeDefinition } from "./decode.ts";
import { prepareForCreate, prepareForUpdate } from "./prepare.ts";
import { type DefinitionGates, type DefinitionOptions, validateDefinition } from "./validate/validate.ts";

export const GATES: DefinitionGates = { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true };
export const OPTIONS: DefinitionOptions = { version: "1.36", gates: GATES };

type Plain = { readonly [key: string]: unknown };

export function jsonObject(plain: Plain): JsonObject {
  const json = fromPlain(plain);
  if (!isObject(json)) throw new Error("not an object");
  return json;
}

export function versionWith(parts: Plain): Plain {
  return { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } }, ...parts };
}

/** A definition of widgets with parts of its spec replaced. */
export function definitionWith(spec: Plain, rest: Plain = {}): JsonObject {
  const names = { plural: "widgets", kind: "Widget" };
  return jsonObject({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: { group: "example.com", scope: "Namespaced", names, versions: [versionWith({})], ...spec },
    ...rest,
  });
}

/** A definition with one version of a schema. */
export function definitionOf(schema: Plain, version: Plain = {}): JsonObject {
  return definitionWith({ versions: [versionWith({ schema: { openAPIV3Schema: schema }, ...version })] });
}

/** A schema of a resource whose `spec` is the one given. */
export function specOf(schema: Plain): Plain {
  return { type: "object", properties: { spec: schema } };
}

export function createErrors(json: JsonObject, options: DefinitionOptions = OPTIONS): string[] {
  const prepared = prepareForCreate(decodeDefinition(json).value, options.gates);
  return validateDefinition(prepared, undefined, options).errors.map(formatFieldError);
}

/** Errors of an update of a stored definition, which need not be valid. */
export function updateErrors(old: JsonObject, json: JsonObject, options: DefinitionOptions = OPTIONS): string[] {
  const before = decodeDefinition(withVersion(old)).value;
  const prepared = prepareForUpdate(decodeDefinition(withVersion(json)).value, before, options.gates);
  return validateDefinition(prepared, before, options).errors.map(formatFieldError);
}

function withVersion(json: JsonObject): JsonObject {
  const metadata = isObject(json["metadata"]) ? json["metadata"] : {};
  return { ...json, metadata: { ...metadata, resourceVersion: "1" } };
}

export const ESTABLISHED = { conditions: [{ type: "Established", status: "True" }], storedVersions: ["v1"] };
/** Where the errors of a single version's schema are found. */
export const ROOT = "spec.validation.openAPIV3Schema";
