/** Our engine's result for a recorded question. */
import { readDefinition } from "@portcullis/engine/internal/crd/definition";
import type { FieldError } from "@portcullis/engine/internal/field/error";
import { errorBody } from "@portcullis/engine/internal/field/format";
import { decodeResource } from "@portcullis/engine/internal/review/custom-resource/coerce";
import {
  type CustomResource,
  compileResource,
  type EngineOptions,
} from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { finalizerWarnings } from "@portcullis/engine/internal/review/custom-resource/finalizers";
import {
  prepareCreate,
  prepareStatusUpdate,
  prepareUpdate,
} from "@portcullis/engine/internal/review/custom-resource/prepare";
import {
  type ValidationResult,
  validateCreate,
  validateStatusUpdate,
  validateUpdate,
} from "@portcullis/engine/internal/review/custom-resource/validate";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { deepEqual } from "@portcullis/engine/internal/value/equal";
import { isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { RECORDED_VERSION } from "../recorded-version.ts";
import type { Answer, EngineCase, Finding } from "./case.ts";

const OPTIONS: EngineOptions = {
  version: RECORDED_VERSION,
  gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true },
};
const SYSTEM = { uid: () => "u", now: () => "2026-01-01T00:00:00Z", suffix: () => "abcde" };
const NAMESPACE = "default";
const NOTHING: Answer = { unknown: [], errors: [], warnings: [], costs: [] };

export function answerValue(asked: EngineCase): Answer {
  const resource = resourceFor(asked);
  const accepted = accept(asked.object, asked, resource);
  if (accepted.object === undefined) return accepted.answer;
  const object = prepareCreate(accepted.object, resource, NAMESPACE, SYSTEM);
  return conclude(accepted.answer, validateCreate(object, resource), finalizerWarnings(object, undefined));
}

export function answerUpdate(asked: EngineCase): Answer {
  const resource = resourceFor(asked);
  const { object: old } = accept(asked.old, asked, resource);
  const { object, answer } = accept(asked.object, asked, resource);
  if (object === undefined || old === undefined) return answer;
  if (asked.isStatus) {
    return conclude(answer, validateStatusUpdate(prepareStatusUpdate(object, old), old, resource), []);
  }
  const draft = prepareUpdate(object, old, resource, NAMESPACE);
  return conclude(answer, validateUpdate(draft, old, resource), finalizerWarnings(draft, old));
}

function conclude(decoded: Answer, result: ValidationResult, warnings: readonly string[]): Answer {
  return { ...decoded, errors: result.errors.map(toFinding), warnings: [...result.warnings, ...warnings] };
}

export function toFinding(error: FieldError): Finding {
  return { type: error.type, field: error.path.toString(), text: errorBody(error) };
}

/** Questions about one schema are consecutive. */
const last: { key: JsonValue | undefined; resource: CustomResource | undefined } = {
  key: undefined,
  resource: undefined,
};

function resourceFor(asked: EngineCase): CustomResource {
  const key = [asked.schema ?? null, asked.isRoot, asked.subresources ?? null];
  if (last.resource === undefined || last.key === undefined || !deepEqual(last.key, key)) {
    last.resource = newResource(asked);
    last.key = key;
  }
  return last.resource;
}

function newResource(asked: EngineCase): CustomResource {
  const definition = readDefinition(definitionFor(asked));
  const [first] = definition.versions;
  if (first === undefined) throw new Error("a definition without a version");
  return compileResource(definition, first, OPTIONS);
}

/** The CRD that has the schema of a case. */
export function definitionFor(asked: EngineCase): JsonObject {
  const schema = asked.isRoot ? asked.schema : ofSpec(asked.schema ?? null);
  const version = plainObject({ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: {} } });
  if (isObject(version["schema"])) version["schema"]["openAPIV3Schema"] = schema ?? newObject();
  if (asked.subresources !== undefined) version["subresources"] = asked.subresources;
  const spec = plainObject({ group: "example.com", scope: "Namespaced", names: { plural: "widgets", kind: "Widget" } });
  spec["versions"] = [version];
  return withMember(plainObject({ metadata: { name: "widgets.example.com" } }), "spec", spec);
}

function ofSpec(schema: JsonValue): JsonObject {
  const root = plainObject({ type: "object", properties: {} });
  if (isObject(root["properties"])) root["properties"]["spec"] = schema;
  return root;
}

interface Accepted {
  readonly object: JsonObject | undefined;
  readonly answer: Answer;
}

function accept(given: JsonValue | undefined, asked: EngineCase, resource: CustomResource): Accepted {
  const whole = wrap(given, asked);
  const decoded = decodeResource(whole, resource, { trackUnknown: true });
  if (decoded.error !== undefined) return { object: undefined, answer: { ...NOTHING, decode: decoded.error } };
  const { object, unknown } = decoded;
  const [before, after] = [visible(whole, asked), visible(object, asked)];
  return { object, answer: { ...NOTHING, unknown, object: deepEqual(before, after) ? undefined : after } };
}

/** The whole object that a case is about. */
export function wrap(given: JsonValue | undefined, asked: EngineCase): JsonObject {
  if (asked.isRoot) return isObject(given) ? given : newObject();
  const metadata = { name: "a", namespace: NAMESPACE, resourceVersion: "1" };
  const object = plainObject({ apiVersion: "example.com/v1", kind: "Widget", metadata });
  return given === undefined ? object : withMember(object, "spec", given);
}

/** The part of an object that a case is about. */
function visible(object: JsonObject, asked: EngineCase): JsonObject {
  if (asked.isRoot) return object;
  const part = newObject();
  for (const [key, value] of Object.entries(object)) {
    if (key !== "apiVersion" && key !== "kind" && key !== "metadata") part[key] = value;
  }
  return part;
}

function plainObject(plain: unknown): JsonObject {
  const value = fromPlain(plain);
  return isObject(value) ? value : newObject();
}
