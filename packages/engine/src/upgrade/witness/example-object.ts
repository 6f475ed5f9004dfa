/**
 * Objects that a CRD accepts: one with only what it requires, and one with as many fields as fit together.
 *
 * Both are made from the schema, repaired until the rules accept them, and then grown or shrunk one field at a time.
 * Every step is run through the same validation as a create, so what is returned is accepted.
 */
import type { FieldError } from "../../field/error.ts";
import type { CustomResource } from "../../review/custom-resource/custom-resource.ts";
import type { Structural } from "../../schema/structural.ts";
import { hasKey, isArray, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { withoutMember } from "../../value/rewrite.ts";
import { type DataStep, setAt, valueAt } from "../place.ts";
import { LocalCheck } from "./local-check.ts";
import { minimize, sizeOf } from "./minimize.ts";
import { badness, editsFor, repair, schemaAt } from "./repair.ts";
import { asResource, isAccepted, Replay } from "./replay.ts";
import { Sampler } from "./sample.ts";

export interface ExampleObjects {
  /** Undefined if no object was found. */
  readonly minimal: JsonObject | undefined;
  readonly full: JsonObject | undefined;
  /** The fields that do not fit to the others. */
  readonly leftOut: readonly LeftOutField[];
}

export interface LeftOutField {
  readonly path: string;
  /** Why the object is refused with the field; undefined if the limit of the search was reached. */
  readonly error: FieldError | undefined;
}

/** A CRD may have thousands of fields: this many objects are validated at most. */
const MAX_RUNS = 4000;
const MAX_DEPTH = 12;
const FIRST_TRIES = 12;
/** Repairs take many runs, so they are made near the root only. */
const MAX_REPAIRED = 2;
/** The members of every object, and the one that controllers write. */
const FIXED: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata", "status"]);

/** Some kinds have a single object, which their rules call `default` or `cluster`. */
const NAMES = ["example", "default", "cluster"];

export function exampleObjects(resource: CustomResource, minor: number): ExampleObjects {
  return new Examples(resource, minor).make();
}

class Examples {
  readonly #resource: CustomResource;
  readonly #sampler: Sampler;
  readonly #replay: Replay;
  readonly #leftOut: LeftOutField[] = [];

  constructor(resource: CustomResource, minor: number) {
    this.#resource = resource;
    this.#sampler = new Sampler(new LocalCheck(minor));
    this.#replay = new Replay(resource, resource);
  }

  make(): ExampleObjects {
    const { schema } = this.#resource;
    const minimal = this.#minimal(schema);
    if (minimal === undefined || schema === undefined) return { minimal, full: minimal, leftOut: [] };
    const full = this.#grow(minimal, [], schema);
    return { minimal, full: this.#withPlainTexts(full), leftOut: this.#leftOut };
  }

  #minimal(schema: Structural | undefined): JsonObject | undefined {
    const samples = schema === undefined ? [newObject()] : this.#sampler.samples(schema, FIRST_TRIES);
    // A rule about all items of a list may read an object that each of them can leave out.
    const larger = schema === undefined ? [] : samples.slice(0, 1).map((each) => this.#withObjects(each, schema));
    const starts = [...samples, ...larger];
    for (const [start, name] of starts.flatMap((each) => NAMES.map((name): [JsonValue, string] => [each, name]))) {
      if (!isObject(start)) continue;
      const object = named(asResource(withoutMember(start, "status"), this.#resource), name);
      const accepted = this.#repaired(object, []);
      if (accepted !== undefined) return this.#withPlainTexts(minimize(accepted, (each) => this.#accepts(each)));
    }
    return undefined;
  }

  /** With the objects that it could have besides. */
  #withObjects(value: JsonValue, schema: Structural): JsonValue {
    const { items, properties } = schema;
    if (isArray(value)) return items === undefined ? value : value.map((each) => this.#withObjects(each, items));
    if (!isObject(value)) return value;
    const larger = Object.assign(newObject(), value);
    for (const [name, member] of properties) {
      const known = value[name];
      const next = known === undefined ? this.#objectOf(member) : this.#withObjects(known, member);
      if (next !== undefined) larger[name] = next;
    }
    return larger;
  }

  #objectOf(schema: Structural): JsonValue | undefined {
    return schema.type === "object" ? this.#sampler.first(schema) : undefined;
  }

  /** Accepted, with a value at the locked place. */
  #repaired(object: JsonObject, locked: readonly DataStep[]): JsonObject | undefined {
    const goal = {
      distance: (each: JsonObject) => badness(this.#replay.create(each, this.#resource)),
      obstacles: (each: JsonObject) =>
        this.#replay.create(each, this.#resource).errors.map((error) => ({ error, resource: this.#resource })),
      locked,
    };
    return repair(object, goal, this.#sampler);
  }

  #accepts(object: JsonObject): boolean {
    return isAccepted(this.#replay.create(object, this.#resource));
  }

  #refusal(object: JsonObject): FieldError | undefined {
    return this.#replay.create(object, this.#resource).errors[0];
  }

  /** Adds what the place may have besides, in the order of the schema. */
  #grow(object: JsonObject, path: readonly DataStep[], schema: Structural): JsonObject {
    const value = valueAt(object, path);
    if (isArray(value) && value.length === 0) return this.#add(object, path, schema);
    if (isArray(value)) return schema.items === undefined ? object : this.#grow(object, [...path, 0], schema.items);
    if (!isObject(value) || path.length > MAX_DEPTH) return object;
    let grown = object;
    for (const [name, member] of schema.properties) {
      if (path.length === 0 && FIXED.has(name)) continue;
      grown = hasKey(value, name)
        ? this.#grow(grown, [...path, name], member)
        : this.#add(grown, [...path, name], member);
    }
    const additional = schema.additionalProperties?.schema;
    if (additional === undefined || Object.keys(value).length > 0) return grown;
    const [key] = this.#sampler.freshKeys([schema], 1);
    return key === undefined ? grown : this.#add(grown, [...path, key], additional);
  }

  /** With everything below it if that fits, otherwise with as much as fits. */
  #add(object: JsonObject, path: readonly DataStep[], schema: Structural): JsonObject {
    if (this.#replay.runs > MAX_RUNS) {
      this.#leftOut.push({ path: textOf(path), error: undefined });
      return object;
    }
    const whole = this.#whole(schema, path.length);
    const withWhole = whole === undefined ? undefined : setAt(object, path, whole);
    if (isObject(withWhole) && this.#accepts(withWhole)) return withWhole;
    for (const small of this.#starts(schema)) {
      const withSmall = setAt(object, path, small);
      if (!isObject(withSmall) || !this.#accepts(withSmall)) continue;
      return isEmpty(small) ? withSmall : this.#grow(withSmall, path, schema);
    }
    const edited = schema.type === "object" ? undefined : this.#edited(object, path, schema);
    if (edited !== undefined) return edited;
    // Rules that both fields take part in may only need other values, in places that are not required by others.
    const [start] = this.#starts(schema);
    const draft = start === undefined ? undefined : setAt(object, path, start);
    const repaired = isObject(draft) && path.length <= MAX_REPAIRED ? this.#repaired(draft, path) : undefined;
    if (repaired !== undefined && sizeOf(repaired) > sizeOf(object)) return this.#grow(repaired, path, schema);
    if (isObject(withWhole)) this.#leftOut.push({ path: textOf(path), error: this.#refusal(withWhole) });
    return object;
  }

  /** With a value that the rule which refuses another one suggests, such as one that it compares with. */
  #edited(object: JsonObject, path: readonly DataStep[], schema: Structural): JsonObject | undefined {
    const [start] = this.#starts(schema);
    const draft = start === undefined ? undefined : setAt(object, path, start);
    const error = isObject(draft) ? this.#refusal(draft) : undefined;
    if (!isObject(draft) || error?.origin !== "rule") return undefined;
    for (const edit of editsFor({ error, resource: this.#resource }, draft, this.#sampler)) {
      if (edit.value === undefined || !path.every((step, index) => step === edit.path[index])) continue;
      const next = setAt(draft, edit.path, edit.value);
      if (isObject(next) && this.#accepts(next)) return next;
    }
    return undefined;
  }

  /** Small values to grow from: those with something in them first. */
  #starts(schema: Structural): readonly JsonValue[] {
    const samples = this.#sampler.samples(schema, 6);
    const items = schema.items === undefined ? [] : this.#sampler.samples(schema.items, 6).map((item) => [item]);
    return [...items, ...samples.filter((each) => !isEmpty(each)), ...samples.filter(isEmpty)];
  }

  /** A value with every field that the schema declares; rules may refuse it. */
  #whole(schema: Structural, depth: number): JsonValue | undefined {
    const value = depth > MAX_DEPTH ? undefined : this.#wholeOfType(schema, depth);
    if (value !== undefined && this.#sampler.check.accepts(schema, value)) return value;
    return this.#sampler.first(schema);
  }

  #wholeOfType(schema: Structural, depth: number): JsonValue | undefined {
    const known = schema.example ?? schema.default;
    if (known !== undefined && known !== null && !isObject(known) && !isArray(known)) return known;
    if (schema.type === "array") {
      const item = schema.items === undefined ? undefined : this.#whole(schema.items, depth + 1);
      return item === undefined ? undefined : [item];
    }
    if (schema.type !== "object" || schema.properties.size + (schema.additionalProperties?.schema ? 1 : 0) === 0)
      return this.#sampler.first(schema);
    const object = newObject();
    for (const [name, member] of schema.properties) {
      const value = this.#whole(member, depth + 1);
      if (value !== undefined) object[name] = value;
    }
    for (const key of this.#sampler.freshKeys([schema], 1)) {
      const additional = schema.additionalProperties?.schema;
      const value = additional === undefined ? undefined : this.#whole(additional, depth + 1);
      if (value !== undefined) object[key] = value;
    }
    return object;
  }

  /** Replaces texts such as `""` and `a` by ones that read like an example, where they are accepted. */
  #withPlainTexts(object: JsonObject): JsonObject {
    const { schema } = this.#resource;
    let better = object;
    for (const path of textPaths(object, [])) {
      const place = schema && schemaAt(schema, path);
      if (place === undefined || FIXED.has(String(path[0])) || place.enum !== undefined) continue;
      if (this.#replay.runs > 2 * MAX_RUNS) return better;
      for (const text of [place.example, place.default, "example"]) {
        if (typeof text !== "string" || text === "") continue;
        const next = setAt(better, path, text);
        if (!isObject(next) || !this.#accepts(next)) continue;
        better = next;
        break;
      }
    }
    return better;
  }
}

function named(object: JsonObject, name: string): JsonObject {
  const renamed = setAt(object, ["metadata", "name"], name);
  return isObject(renamed) ? renamed : object;
}

function isEmpty(value: JsonValue): boolean {
  return isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

/** The places of short texts, which say nothing. */
function* textPaths(value: JsonValue, path: readonly DataStep[]): Generator<readonly DataStep[]> {
  if (typeof value === "string") {
    if (value.length < "example".length) yield path;
  } else if (isArray(value)) {
    for (const [index, item] of value.entries()) yield* textPaths(item, [...path, index]);
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) yield* textPaths(member, [...path, key]);
  }
}

function textOf(path: readonly DataStep[]): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${step}`))
    .join("");
}
