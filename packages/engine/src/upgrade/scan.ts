/**
 * Validates real objects against a new CRD: what it refuses, drops and fills in, which writes each object still
 * accepts, and the smallest patch that fixes it.
 */
import type { FieldError } from "../field/error.ts";
import { formatFieldError } from "../field/format.ts";
import { coerceResource, decodeResource } from "../review/custom-resource/coerce.ts";
import type { CustomResource } from "../review/custom-resource/custom-resource.ts";
import { validateCreate } from "../review/custom-resource/validate.ts";
import type { Structural } from "../schema/structural.ts";
import { deepEqual } from "../value/equal.ts";
import { hasKey, isArray, isNumber, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { asFloat } from "../value/number.ts";
import { type BlastRadius, blastRadius } from "./blast-radius.ts";
import { parseDataPath, setAt, valueAt } from "./place.ts";
import { LocalCheck } from "./witness/local-check.ts";
import { editsFor, schemaAt } from "./witness/repair.ts";
import type { Edit } from "./witness/rule-search.ts";
import { Sampler } from "./witness/sample.ts";

export interface ScannedObject {
  readonly errors: readonly FieldError[];
  readonly messages: readonly string[];
  /** Set if the object does not decode. */
  readonly problem: string | undefined;
  /** Paths that are dropped. */
  readonly pruned: readonly string[];
  /** Paths that defaults fill in. */
  readonly defaulted: readonly string[];
  readonly blast: BlastRadius | undefined;
  /** A JSON patch after which the object is valid; undefined if none was found. */
  readonly patch: readonly PatchOperation[] | undefined;
}

export interface PatchOperation {
  readonly op: "add" | "remove" | "replace";
  readonly path: string;
  readonly value?: JsonValue;
}

export class Scanner {
  readonly margins: Margins = new Margins();
  readonly #resource: CustomResource;
  readonly #sampler: Sampler;

  constructor(resource: CustomResource, minor: number) {
    this.#resource = resource;
    this.#sampler = new Sampler(new LocalCheck(minor));
  }

  /** `object` is as a client reads it, in the version of the resource. */
  scan(object: JsonObject): ScannedObject {
    const coerced = coerceResource(object, this.#resource, { fromStorage: true, trackUnknown: true });
    const decoded = decodeResource(object, this.#resource, { fromStorage: true });
    if (coerced.error !== undefined || decoded.error !== undefined) return failed(coerced.error ?? decoded.error ?? "");
    const { errors } = validateCreate(decoded.object, this.#resource);
    if (this.#resource.schema !== undefined) this.margins.observe(this.#resource.schema, decoded.object, "");
    const place = errors[0] === undefined ? [] : parseDataPath(pathText(errors[0]), decoded.object);
    return {
      errors,
      messages: errors.map(formatFieldError),
      problem: undefined,
      pruned: coerced.unknown,
      defaulted: addedPaths(coerced.object, decoded.object, ""),
      blast:
        errors.length === 0
          ? undefined
          : blastRadius({ object: decoded.object, path: place }, this.#resource, this.#sampler),
      patch: errors.length === 0 ? [] : this.#fix(decoded.object),
    };
  }

  #fix(object: JsonObject): readonly PatchOperation[] | undefined {
    let current = object;
    for (let round = 0; round < 20; round++) {
      const { errors } = validateCreate(current, this.#resource);
      if (errors.length === 0) return diffObjects(object, current, "");
      const next = this.#repair(current, errors);
      if (next === undefined) return undefined;
      current = next;
    }
    return undefined;
  }

  /** The first edit that leaves fewer errors. */
  #repair(object: JsonObject, errors: readonly FieldError[]): JsonObject | undefined {
    for (const error of errors.slice(0, 4)) {
      for (const edit of [
        ...this.#nearEdits(error, object),
        ...editsFor({ error, resource: this.#resource }, object, this.#sampler),
      ].slice(0, 40)) {
        const edited = setAt(object, edit.path, edit.value);
        if (isObject(edited) && validateCreate(edited, this.#resource).errors.length < errors.length) return edited;
      }
    }
    return undefined;
  }

  /** The allowed value closest to the current one. */
  #nearEdits(error: FieldError, object: JsonObject): Edit[] {
    const path = parseDataPath(pathText(error), object);
    const schema = this.#resource.schema && schemaAt(this.#resource.schema, path);
    const value = valueAt(object, path);
    return schema === undefined || value === undefined
      ? []
      : nearValues(schema, value).map((each) => ({ path, value: each }));
  }
}

function pathText({ path }: FieldError): string {
  const text = path.toString();
  return text === "<nil>" ? "" : text;
}

function failed(problem: string): ScannedObject {
  return { errors: [], messages: [problem], problem, pruned: [], defaulted: [], blast: undefined, patch: undefined };
}

function nearValues(schema: Structural, value: JsonValue): JsonValue[] {
  if (typeof value === "string") {
    const lower =
      schema.enum?.filter((each) => typeof each === "string" && each.toLowerCase() === value.toLowerCase()) ?? [];
    const cut = schema.maxLength === undefined ? [] : [[...value].slice(0, schema.maxLength).join("")];
    return [...lower, ...cut, value.toLowerCase(), value.trim()];
  }
  if (isNumber(value)) {
    return [schema.minimum, schema.maximum].filter((each) => each !== undefined).filter(Number.isSafeInteger);
  }
  if (isArray(value)) {
    const distinct = value.filter((item, index) => value.findIndex((each) => deepEqual(each, item)) === index);
    return [distinct, ...(schema.maxItems === undefined ? [] : [value.slice(0, schema.maxItems)])];
  }
  return [];
}

function addedPaths(before: JsonValue, after: JsonValue, path: string): string[] {
  if (isArray(before) && isArray(after))
    return after.flatMap((item, index) => addedPaths(before[index] ?? null, item, `${path}[${index}]`));
  if (!isObject(before) || !isObject(after)) return deepEqual(before, after) ? [] : [path];
  return Object.keys(after).flatMap((key) => {
    const inner = path === "" ? key : `${path}.${key}`;
    return hasKey(before, key) ? addedPaths(before[key] as JsonValue, after[key] as JsonValue, inner) : [inner];
  });
}

function diffObjects(before: JsonValue, after: JsonValue, path: string): PatchOperation[] {
  if (deepEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ op: "replace", path, value: after }];
  const pointer = (key: string): string => `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key): PatchOperation[] => {
    if (!hasKey(after, key)) return [{ op: "remove", path: pointer(key) }];
    if (!hasKey(before, key)) return [{ op: "add", path: pointer(key), value: after[key] as JsonValue }];
    return diffObjects(before[key] as JsonValue, after[key] as JsonValue, pointer(key));
  });
}

export interface Margin {
  readonly path: string;
  readonly keyword: string;
  readonly bound: number;
  readonly observed: number;
}

/** How close the objects are to each bound. */
class Margins {
  readonly #seen = new Map<string, Margin>();

  list(): readonly Margin[] {
    return [...this.#seen.values()];
  }

  observe(schema: Structural, value: JsonValue, path: string): void {
    const note = (keyword: string, bound: number | undefined, observed: number, isUpper: boolean): void => {
      if (bound === undefined) return;
      const key = `${path} ${keyword}`;
      const known = this.#seen.get(key)?.observed;
      const extreme = known === undefined ? observed : isUpper ? Math.max(known, observed) : Math.min(known, observed);
      this.#seen.set(key, { path: path === "" ? "." : path, keyword, bound, observed: extreme });
    };
    if (typeof value === "string") {
      const length = [...value].length;
      note("maxLength", schema.maxLength, length, true);
      note("minLength", schema.minLength, length, false);
    } else if (isNumber(value)) {
      note("maximum", schema.maximum, asFloat(value), true);
      note("minimum", schema.minimum, asFloat(value), false);
    } else if (isArray(value)) {
      note("maxItems", schema.maxItems, value.length, true);
      note("minItems", schema.minItems, value.length, false);
      if (schema.items !== undefined) for (const item of value) this.observe(schema.items, item, `${path}[*]`);
    } else if (isObject(value)) {
      note("maxProperties", schema.maxProperties, Object.keys(value).length, true);
      note("minProperties", schema.minProperties, Object.keys(value).length, false);
      this.#members(schema, value, path);
    }
  }

  #members(schema: Structural, object: JsonObject, path: string): void {
    for (const key of Object.keys(object)) {
      const property = schema.properties.get(key);
      const additional = schema.additionalProperties?.schema;
      if (property !== undefined) this.observe(property, object[key] as JsonValue, `${path}.${key}`);
      else if (additional !== undefined) this.observe(additional, object[key] as JsonValue, `${path}{*}`);
    }
  }
}
