/** Manifests with fields that the old CRD drops and a rule of the new one reads. */
import { walk } from "@portcullis/cel/internal";
import { escapeName } from "../../kubecel/escaping.ts";
import type { CompiledRule } from "../../rules/compile.ts";
import type { Structural } from "../../schema/structural.ts";
import { isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import type { NodePair } from "../pairs.ts";
import { type DataStep, type Placed, placeValue, setAt } from "../place.ts";
import type { Sampler } from "./sample.ts";

export interface WithDropped {
  readonly object: JsonObject;
  /** The same object without the fields. */
  readonly before: JsonObject;
  /** The place of the rule. */
  readonly path: readonly DataStep[];
  /** The place of a field that must stay. */
  readonly locked: readonly DataStep[];
}

const MAX_FIELDS = 4;

/** One field at a time, then all of them together. */
export function* objectsWithDropped(
  pair: NodePair,
  rule: CompiledRule,
  root: Structural,
  sampler: Sampler,
): Generator<WithDropped> {
  const names = pair.added.filter((name) => isRead(rule, name)).slice(0, MAX_FIELDS);
  const additions = [...names.map((name) => [name]), ...(names.length > 1 ? [names] : [])];
  if (additions.length === 0) return;
  for (const base of sampler.samples(pair.old, 3).filter(isObject)) {
    const [placed] = placeValue(root, pair.path, base, sampler);
    if (placed === undefined) continue;
    for (const added of additions) yield* withFields(placed, added, pair.new, sampler);
  }
}

function* withFields(
  { value, path }: Placed,
  names: readonly string[],
  schema: Structural,
  sampler: Sampler,
): Generator<WithDropped> {
  const options = names.map((name) => valuesOf(schema.properties.get(name), sampler));
  const most = Math.max(...options.map((values) => values.length));
  for (let turn = 0; turn < most; turn++) {
    let object = value;
    for (const [index, name] of names.entries()) {
      const values = options[index] ?? [];
      object = setAt(object, [...path, name], values[Math.min(turn, values.length - 1)]);
    }
    const locked = [...path, ...names.slice(0, 1)];
    if (isObject(object) && isObject(value)) yield { object, before: value, path, locked };
  }
}

function valuesOf(schema: Structural | undefined, sampler: Sampler): readonly JsonValue[] {
  if (schema === undefined) return [];
  const numbers = schema.type === "integer" || schema.type === "number" ? [-1, 0, 1] : [];
  return [...sampler.samples(schema, 6), ...numbers, ...(schema.type === "string" ? ["", "a"] : [])];
}

/** Whether the rule mentions a field of this name. */
function isRead({ ast }: CompiledRule, name: string): boolean {
  if (ast === undefined) return false;
  const escaped = escapeName(name) ?? name;
  let isFound = false;
  walk(ast.checked.expr, (each) => {
    if (each.kind === "select" && each.field === escaped) isFound = true;
  });
  return isFound;
}
