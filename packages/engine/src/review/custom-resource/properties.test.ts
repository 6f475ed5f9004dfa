/** What holds for every schema and object. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeJson, encodeJson } from "../../codec/json.ts";
import { formatFieldError } from "../../field/format.ts";
import { resourceSchema, valueFor } from "../../schema/schema.testing.ts";
import { deepCopy } from "../../value/copy.ts";
import { deepEqual } from "../../value/equal.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { decodeResource } from "./coerce.ts";
import type { CustomResource } from "./custom-resource.ts";
import { widget, widgetResource } from "./resource.testing.ts";
import { validateCreate, validateUpdate } from "./validate.ts";

interface Sample {
  readonly resource: CustomResource;
  readonly object: JsonObject;
}

const sample: fc.Arbitrary<Sample> = resourceSchema.chain((schema) => {
  const properties = isObject(schema["properties"]) ? schema["properties"] : newObject();
  return valueFor(properties["spec"]).map((spec) => ({ resource: widgetResource(schema), object: widget(spec) }));
});

/** Undefined if the object cannot be decoded: then there is nothing to say about it. */
function decode({ resource, object }: Sample): JsonObject | undefined {
  const decoded = decodeResource(object, resource);
  return decoded.error === undefined ? decoded.object : undefined;
}

function forAll(check: (sample: Sample) => void): void {
  fc.assert(fc.property(sample, check), { numRuns: 400 });
}

test("pruning, coercing and defaulting are idempotent", () => {
  forAll(({ resource, object }) => {
    const once = decode({ resource, object });
    if (once === undefined) return;
    const twice = decode({ resource, object: once });
    expect(twice !== undefined && deepEqual(once, twice)).toBe(true);
  });
});

test("an outline does not change the result", () => {
  forAll(({ resource, object }) => {
    const decoded = decodeJson(encodeJson(object));
    if (decoded.error !== undefined || !isObject(decoded.value)) return;
    const value = decoded.value;
    const findingsFor = (outline: typeof decoded.outline) => {
      const { object: made, ...rest } = {
        object: null,
        ...decodeResource(value, resource, { trackUnknown: true, outline }),
      };
      return { ...rest, text: encodeJson(made) };
    };
    expect(decoded.outline).toBeDefined();
    expect(findingsFor(decoded.outline)).toEqual(findingsFor(undefined));
  });
});

test("decoding and validating do not change the object", () => {
  forAll(({ resource, object }) => {
    const copy = deepCopy(object);
    freeze(object);
    const draft = decode({ resource, object });
    if (draft !== undefined) {
      freeze(draft);
      validateCreate(draft, resource);
      validateUpdate(draft, draft, resource);
    }
    expect(deepEqual(object, copy)).toBe(true);
  });
});

test("an object that can be created can be updated without a change", () => {
  forAll(({ resource, object }) => {
    const draft = decode({ resource, object });
    if (draft === undefined || validateCreate(draft, resource).errors.length > 0) return;
    expect(validateUpdate(draft, deepCopy(draft), resource).errors.map(formatFieldError)).toEqual([]);
  });
});

test("errors in an unchanged spec are ratcheted", () => {
  forAll(({ resource, object }) => {
    const draft = decode({ resource, object });
    if (draft === undefined || !isFullyKnown(draft["spec"], resource.schema?.properties.get("spec"))) return;
    const errors = validateUpdate(draft, deepCopy(draft), resource).errors.filter(
      ({ origin }) => origin !== "embedded",
    );
    expect(errors.map(formatFieldError)).toEqual([]);
  });
});

test("neither the order of keys nor copying changes the errors of an object", () => {
  forAll(({ resource, object }) => {
    const draft = decode({ resource, object });
    const turned = decode({ resource, object: reversed(object) as JsonObject });
    if (draft === undefined || turned === undefined) {
      expect(draft).toBe(turned);
      return;
    }
    expect(errorTexts(turned, resource)).toEqual(errorTexts(draft, resource));
    expect(errorTexts(deepCopy(draft), resource)).toEqual(errorTexts(draft, resource));
  });
});

function errorTexts(object: JsonObject, resource: CustomResource): string[] {
  return validateCreate(object, resource).errors.map(formatFieldError).sort();
}

/** Objects with members that no schema describes are never known to be unchanged. */
function isFullyKnown(value: JsonValue | undefined, schema: CustomResource["schema"]): boolean {
  if (value === undefined) return true;
  if (schema === undefined) return false;
  // Without a schema for what is inside, lists are compared whole and objects never.
  if (isArray(value)) return value.every((item) => !isObject(item) || isFullyKnown(item, schema.items));
  if (!isObject(value)) return true;
  return Object.keys(value).every((name) => {
    const inner = schema.properties.get(name) ?? schema.additionalProperties?.schema;
    return inner !== undefined && isFullyKnown(value[name], inner);
  });
}

function reversed(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  const object = newObject();
  for (const key of Object.keys(value).reverse()) object[key] = reversed(value[key] as JsonValue);
  return object;
}

function freeze(value: JsonValue): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  if (isArray(value)) value.forEach(freeze);
  else if (isObject(value)) Object.values(value).forEach(freeze);
}
