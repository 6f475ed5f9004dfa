/**
 * Lists with two items that agree in every field that a rule reads: rules over lists often ask for items that differ.
 *
 * Optional fields that the rule reads are present, with the values that it compares them with, since such rules mostly
 * begin with `has()` or with a comparison. Items of a map list differ in their keys.
 */
import { type Expr, walk } from "@portcullis/cel/internal";
import { unescapeName } from "../../kubecel/escaping.ts";
import type { CompiledRule } from "../../rules/compile.ts";
import type { Structural } from "../../schema/structural.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import type { Sampler } from "./sample.ts";

const MAX_ITEMS = 24;
const VALUES_PER_FIELD = 3;

export function* twinLists(rule: CompiledRule, list: Structural, sampler: Sampler): Generator<JsonValue> {
  const expr = rule.ast?.checked.expr;
  const { items } = list;
  if (expr === undefined || items === undefined || items.type !== "object") return;
  const { names, texts } = mentioned(expr);
  for (const item of richItems(items, names, texts, sampler)) {
    const twin = list.listType === "map" ? withOtherKeys(item, list, sampler) : item;
    if (twin !== undefined) yield [item, twin];
  }
}

interface Mentioned {
  readonly names: ReadonlySet<string>;
  readonly texts: readonly string[];
}

function mentioned(expr: Expr): Mentioned {
  const names = new Set<string>();
  const texts = new Set<string>();
  walk(expr, (each) => {
    if (each.kind === "select") names.add(unescapeName(each.field) ?? each.field);
    if (each.kind === "literal" && typeof each.value === "string") texts.add(each.value);
  });
  return { names, texts: [...texts] };
}

/** Items with all fields that are mentioned, in combinations of their values. */
function* richItems(
  items: Structural,
  names: ReadonlySet<string>,
  texts: readonly string[],
  sampler: Sampler,
): Generator<JsonObject> {
  const fields = [...items.properties].filter(([name]) => names.has(name));
  const choices = fields.map(([, property]) => {
    const named = texts.filter((text) => text !== "" && sampler.check.accepts(property, text));
    return [...named, ...sampler.samples(property, VALUES_PER_FIELD)].slice(0, VALUES_PER_FIELD + 1);
  });
  const bases = sampler.samples(items, 2).filter(isObject);
  const most = choices.reduce((product, values) => Math.min(MAX_ITEMS, product * Math.max(1, values.length)), 1);
  for (const base of bases.length > 0 ? bases : [newObject()]) {
    for (let number = 0; number < most; number++) {
      const item = Object.assign(newObject(), base);
      let rest = number;
      fields.forEach(([name], index) => {
        const values = choices[index] ?? [];
        const value = values[rest % Math.max(1, values.length)];
        rest = Math.floor(rest / Math.max(1, values.length));
        if (value !== undefined) item[name] = value;
      });
      yield item;
    }
  }
}

/** The same item with other values of the keys; undefined if there are none. */
function withOtherKeys(item: JsonObject, list: Structural, sampler: Sampler): JsonObject | undefined {
  for (const key of list.listMapKeys) {
    const schema = list.items?.properties.get(key);
    const own = item[key];
    const others = schema === undefined ? [] : sampler.samples(schema, VALUES_PER_FIELD + 1);
    const extended = typeof own === "string" ? [`${own}1`, `${own}a`] : [];
    const other = [...extended, ...others].find(
      (value) => value !== own && (schema === undefined || sampler.check.accepts(schema, value)),
    );
    if (other !== undefined) return Object.assign(newObject(), item, { [key]: other });
  }
  return undefined;
}
