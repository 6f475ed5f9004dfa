/** A resource with a given schema, as tests of the pipeline need it. */

import { unknownFieldUnescaped } from "../../codec/messages.ts";
import { readDefinition } from "../../crd/definition.ts";
import { badRequest } from "../../status/error.ts";
import { fromPlain } from "../../value/copy.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { withMember } from "../../value/rewrite.ts";
import { decodeResource } from "./coerce.ts";
import { completeCreate } from "./create.ts";
import { type CustomResource, compileResource, type EngineGates } from "./custom-resource.ts";
import type { WriteRequest } from "./request.ts";
import { completeUpdate } from "./update.ts";

const GATES: EngineGates = { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true };

/** Kind Widget of example.com/v1, namespaced, without subresources. */
export function widgetResource(schema: JsonValue, gates: EngineGates = GATES): CustomResource {
  const version = withMember(
    plain({ name: "v1", served: true, storage: true }),
    "schema",
    withMember(newObject(), "openAPIV3Schema", schema),
  );
  const spec = plain({ group: "example.com", scope: "Namespaced", names: { plural: "widgets", kind: "Widget" } });
  const json = withMember(
    plain({ metadata: { name: "widgets.example.com" } }),
    "spec",
    withMember(spec, "versions", [version]),
  );
  const definition = readDefinition(json);
  const [first] = definition.versions;
  if (first === undefined) throw new Error("a definition without a version");
  return compileResource(definition, first, { version: "1.36", gates });
}

/** A resource whose `spec` has the schema. */
export function specResource(schema: unknown): CustomResource {
  return widgetResource(plain({ type: "object", properties: { spec: schema } }));
}

export function widget(spec: JsonValue): JsonObject {
  const metadata = { name: "a", namespace: "default", uid: "u", resourceVersion: "1", generation: 1 };
  return withMember(plain({ apiVersion: "example.com/v1", kind: "Widget", metadata }), "spec", spec);
}

export function writeRequest(resource: CustomResource, warnings: string[] = []): WriteRequest {
  return {
    resource,
    namespace: "default",
    fieldValidation: "Warn",
    system: { uid: () => "u", now: () => "2026-01-01T00:00:00Z", suffix: () => "abcde" },
    warn: (text) => warnings.push(text),
    refuse: (refusal) => {
      throw refusal;
    },
  };
}

/** Decodes and creates. Throws the refusal. */
export function createObject(object: JsonObject, request: WriteRequest): ReturnType<typeof completeCreate> {
  return completeCreate(decode(object, request), request);
}

export function updateObject(
  object: JsonObject,
  old: JsonObject,
  request: WriteRequest,
): ReturnType<typeof completeUpdate> {
  return completeUpdate(decode(object, request), old, request);
}

function decode(object: JsonObject, { resource, warn }: WriteRequest): JsonObject {
  const decoded = decodeResource(object, resource, { trackUnknown: true });
  if (decoded.error !== undefined) throw badRequest(decoded.error);
  decoded.unknown.map(unknownFieldUnescaped).forEach(warn);
  return decoded.object;
}

function plain(data: unknown): JsonObject {
  const value = fromPlain(data);
  if (!isObject(value)) throw new Error("not an object");
  return value;
}
