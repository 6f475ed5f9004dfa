/**
 * A schema as text that is equal for equal meaning: without documentation, in one order, and without values that have
 * no effect (an atomic list, a granular map, a format that is not enforced).
 */
import { isEnforcedFormat } from "../schema/keywords/format.ts";
import type { Structural, ValidationRule } from "../schema/structural.ts";
import type { JsonValue } from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";

/**
 * The keywords of the node itself with their values; keywords without an effect are absent. Children are not included.
 */
export function nodeKeywords(schema: Structural, minor: number): ReadonlyMap<string, string> {
  const known = keywords.get(schema);
  if (known?.minor === minor) return known.texts;
  const entries = Object.entries(keywordTexts(schema, minor)).filter(([, text]) => text !== undefined);
  const texts = new Map(entries as [string, string][]);
  keywords.set(schema, { minor, texts });
  return texts;
}

const keywords = new WeakMap<Structural, { readonly minor: number; readonly texts: ReadonlyMap<string, string> }>();

function keywordTexts(schema: Structural, minor: number): Readonly<Record<string, string | undefined>> {
  const additional = schema.additionalProperties;
  return {
    type: textOf(schema.type),
    "x-kubernetes-int-or-string": flagOf(schema.intOrString),
    nullable: flagOf(schema.nullable),
    default: jsonOf(schema.default),
    format: textOf(enforcedFormat(schema, minor)),
    minimum: jsonOf(schema.minimum),
    maximum: jsonOf(schema.maximum),
    exclusiveMinimum: flagOf(schema.exclusiveMinimum && schema.minimum !== undefined),
    exclusiveMaximum: flagOf(schema.exclusiveMaximum && schema.maximum !== undefined),
    multipleOf: jsonOf(schema.multipleOf),
    minLength: countOf(schema.minLength),
    maxLength: jsonOf(schema.maxLength),
    pattern: textOf(schema.pattern),
    minItems: countOf(schema.minItems),
    maxItems: jsonOf(schema.maxItems),
    minProperties: countOf(schema.minProperties),
    maxProperties: jsonOf(schema.maxProperties),
    required: listOf([...new Set(schema.required)].sort()),
    enum:
      schema.enum === undefined
        ? undefined
        : jsonList([...new Set(schema.enum.map((each) => canonicalJson(each)))].sort()),
    allOf: branchesOf(schema.allOf, minor),
    anyOf: branchesOf(schema.anyOf, minor),
    oneOf: branchesOf(schema.oneOf, minor),
    not: schema.not && schemaText(schema.not, minor),
    "x-kubernetes-preserve-unknown-fields": flagOf(schema.preserveUnknownFields === true),
    "x-kubernetes-embedded-resource": flagOf(schema.embeddedResource),
    "x-kubernetes-list-type": schema.listType === "atomic" ? undefined : schema.listType,
    "x-kubernetes-list-map-keys": listOf([...schema.listMapKeys].sort()),
    "x-kubernetes-map-type": schema.mapType === "granular" ? undefined : schema.mapType,
    "x-kubernetes-validations": listOf(schema.validations.map(ruleText).sort()),
    "x-kubernetes-property-names": schema.propertyNames && schemaText(schema.propertyNames, minor),
    additionalProperties:
      additional === undefined ? undefined : additional.schema === undefined ? String(additional.allows) : "schema",
  };
}

export function ruleText({ rule, optionalOldSelf }: ValidationRule): string {
  return optionalOldSelf === true ? `${rule.trim()} (optionalOldSelf)` : rule.trim();
}

export function enforcedFormat(schema: Structural, minor: number): string {
  const types = schema.intOrString ? ["integer", "string"] : schema.type === "" ? [] : [schema.type];
  return isEnforcedFormat(schema.format, types, minor) ? schema.format.replaceAll("-", "") : "";
}

/** The keywords in which two whole schemas differ, from their texts; children are keywords here. */
export function differingKeywords(one: string, other: string): readonly string[] {
  const [left, right] = [partsOf(one), partsOf(other)];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  return names.filter((name) => left.get(name) !== right.get(name));
}

/** Splits the text of a schema at its own level: nested schemas stand between marks of their own. */
function partsOf(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  let [depth, start] = [0, 1];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\u0002") depth++;
    const isEnd = (text[at] === "\u0003" && depth === 1) || (text[at] === "\u0004" && depth-- === 1);
    if (!isEnd) continue;
    const part = text.slice(start, at);
    const mark = part.indexOf("\u0001");
    if (mark !== -1) parts.set(part.slice(0, mark), part.slice(mark + 1));
    start = at + 1;
  }
  return parts;
}

const texts = new WeakMap<Structural, string>();

/** The whole schema, children included. */
export function schemaText(schema: Structural, minor: number): string {
  const known = texts.get(schema);
  if (known !== undefined) return known;
  // Joined rather than encoded as JSON: nested strings would be escaped again at every level.
  const parts = [...nodeKeywords(schema, minor)].map(([keyword, value]) => `${keyword}\u0001${value}`);
  if (schema.items !== undefined) parts.push(`items\u0001${schemaText(schema.items, minor)}`);
  const additional = schema.additionalProperties?.schema;
  if (additional !== undefined) parts.push(`values\u0001${schemaText(additional, minor)}`);
  for (const name of [...schema.properties.keys()].sort()) {
    const property = schema.properties.get(name);
    if (property !== undefined) parts.push(`property ${name}\u0001${schemaText(property, minor)}`);
  }
  const text = `\u0002${parts.join("\u0003")}\u0004`;
  texts.set(schema, text);
  return text;
}

function textOf(text: string): string | undefined {
  return text === "" ? undefined : text;
}

function flagOf(flag: boolean): string | undefined {
  return flag ? "true" : undefined;
}

function jsonOf(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : canonicalJson(value);
}

/** A minimum of zero has no effect. */
function countOf(value: number | undefined): string | undefined {
  return value === undefined || value <= 0 ? undefined : String(value);
}

function listOf(items: readonly string[]): string | undefined {
  return items.length === 0 ? undefined : JSON.stringify(items);
}

function branchesOf(branches: readonly Structural[], minor: number): string | undefined {
  return branches.length === 0
    ? undefined
    : branches
        .map((each) => schemaText(each, minor))
        .sort()
        .join("");
}

/** The items are JSON already. */
function jsonList(items: readonly string[]): string | undefined {
  return items.length === 0 ? undefined : `[${items.join(",")}]`;
}
