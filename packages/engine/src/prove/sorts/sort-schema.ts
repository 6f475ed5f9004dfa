/**
 * The sorts of a custom resource, from its schema: the values after pruning, defaulting and validation.
 *
 * INVARIANT: keywords that are not modelled (combinators, rules, formats) widen the sort and never narrow it.
 */
import type { Structural } from "../../schema/structural.ts";
import { Float64, isNumber, type JsonValue } from "../../value/json.ts";
import {
  type Alternative,
  ANY,
  type DoubleAlternative,
  type IntAlternative,
  type ListAlternative,
  lazySort,
  type MapAlternative,
  optional,
  type Premise,
  type Property,
  type Sort,
  type TextAlternative,
} from "./sort.ts";

const known = new WeakMap<Structural, Sort>();

export function schemaSort(schema: Structural): Sort {
  const made = known.get(schema) ?? lazySort(() => alternativesOf(schema), ["schema"]);
  known.set(schema, made);
  return made;
}

function alternativesOf(schema: Structural): readonly Alternative[] {
  const kinds = kindsOf(schema).filter((each) => isListed(each, schema));
  return schema.nullable ? [...kinds, { kind: "null" }] : kinds;
}

function kindsOf(schema: Structural): readonly Alternative[] {
  if (schema.intOrString) return [...integers(schema), { kind: "double", integral: false }, textOf(schema)];
  switch (schema.type) {
    case "integer":
      return integers(schema);
    case "number":
      return [...integers(schema), fractions(schema)];
    case "string":
      return [textOf(schema)];
    case "boolean":
      return [{ kind: "bool", only: onlyBool(schema) }];
    case "array":
      return [listOf(schema)];
    case "object":
      return [mapOf(schema)];
    default:
      return ANY.alternatives();
  }
}

function listOf(schema: Structural): ListAlternative {
  const { minItems = 0, maxItems, listType, listMapKeys } = schema;
  const [key, ...more] = listType === "map" ? listMapKeys : [];
  const uniqueBy = listType === "set" ? "" : more.length === 0 ? key : undefined;
  return { kind: "list", item: () => itemSort(schema), min: minItems, max: maxItems, uniqueBy };
}

function itemSort({ items }: Structural): Sort {
  return items === undefined ? ANY : schemaSort(items);
}

/** A whole number arrives as an int or, written as 4.0, as a double. */
function integers(schema: Structural): Alternative[] {
  const { multipleOf } = schema;
  const step = multipleOf !== undefined && Number.isInteger(multipleOf) ? BigInt(multipleOf) : undefined;
  const [min, max] = [lowest(schema), highest(schema)];
  const listed = listedNumbers(schema);
  const int: IntAlternative = {
    kind: "int",
    // For an int the validator cuts the fraction of a bound: 1 passes a minimum of 1.5.
    min: min === undefined ? undefined : BigInt(Math.trunc(min)),
    max: max === undefined ? undefined : BigInt(Math.trunc(max)),
    multipleOf: step,
    listed: listed === undefined ? undefined : [...listed.filter(Number.isInteger).map(BigInt), ...codePoints(schema)],
  };
  // For a double the validator rounds: 1000000001.0 passes a multipleOf of 2.
  return [int, { kind: "double", integral: true, min, max, listed }];
}

function fractions(schema: Structural): DoubleAlternative {
  return {
    kind: "double",
    integral: false,
    min: schema.minimum,
    max: schema.maximum,
    listed: listedNumbers(schema),
  };
}

/** Bounds beyond what a double holds exactly are left out. */
function lowest({ minimum, exclusiveMinimum }: Structural): number | undefined {
  if (minimum === undefined || !Number.isSafeInteger(Math.floor(minimum))) return undefined;
  return exclusiveMinimum && Number.isInteger(minimum) ? minimum + 1 : minimum;
}

function highest({ maximum, exclusiveMaximum }: Structural): number | undefined {
  if (maximum === undefined || !Number.isSafeInteger(Math.ceil(maximum))) return undefined;
  return exclusiveMaximum && Number.isInteger(maximum) ? maximum - 1 : maximum;
}

/** The validator converts an int to a string to compare it: 65 is one of `["A"]`. */
function codePoints({ enum: values = [] }: Structural): bigint[] {
  return values.flatMap((value) =>
    typeof value === "string" && [...value].length === 1 ? BigInt(value.codePointAt(0) ?? 0) : [],
  );
}

function listedNumbers({ enum: values }: Structural): number[] | undefined {
  if (values === undefined || values.length === 0) return undefined;
  return values.filter(isNumber).map((value) => Number(value instanceof Float64 ? value.value : value));
}

function textOf(schema: Structural): TextAlternative {
  const { pattern, minLength, maxLength, enum: values } = schema;
  const isText = (value: JsonValue): value is string => typeof value === "string";
  const listed = values === undefined || values.length === 0 ? undefined : values.filter(isText);
  return { kind: "string", patterns: pattern === "" ? [] : [pattern], minLength, maxLength, listed };
}

function onlyBool({ enum: values }: Structural): boolean | undefined {
  const [first, ...rest] = values ?? [];
  return typeof first === "boolean" && rest.every((each) => each === first) ? first : undefined;
}

/** With an enum, kinds without a listed value never occur. */
function isListed(alternative: Alternative, { enum: values }: Structural): boolean {
  if (values === undefined || values.length === 0) return true;
  if (alternative.kind === "int") return values.some((value) => typeof value === "string" || isNumber(value));
  if (alternative.kind === "string") return values.some((value) => typeof value === "string");
  return true;
}

function mapOf(schema: Structural): MapAlternative {
  const { properties, additionalProperties, preserveUnknownFields, embeddedResource } = schema;
  const extra = additionalProperties?.schema;
  const isOpen = extra !== undefined || additionalProperties?.allows === true || preserveUnknownFields === true;
  const open = isOpen || embeddedResource ? extra && schemaSort(extra) : undefined;
  const value = open ?? ANY;
  return {
    kind: "map",
    property: (key) => propertyOf(schema, key) ?? (isOpen || embeddedResource ? optional(value) : undefined),
    open: isOpen || embeddedResource ? { key: { kind: "string" }, value: () => value } : undefined,
    min: schema.minProperties ?? 0,
    max: schema.maxProperties,
    keys: () => [...properties.keys()],
  };
}

/** A default fills in an absent value, in every object that has the parent. */
function propertyOf({ properties, required }: Structural, key: string): Property | undefined {
  const schema = properties.get(key);
  if (schema === undefined) return undefined;
  const isDefaulted = schema.default !== undefined && schema.default !== null;
  const relies: Premise[] = isDefaulted ? ["schema", "default"] : ["schema"];
  return { sort: schemaSort(schema), presence: isDefaulted || required.includes(key) ? "always" : "optional", relies };
}
