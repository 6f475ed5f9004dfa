/**
 * List, map and struct literals.
 *
 * A literal stops at the first element that is an error: the later ones are neither evaluated nor charged, but the
 * literal itself is charged. Literals of constants are built once, during planning, and cost nothing.
 */
import type { ListExpr, MapExpr, StructExpr } from "../ast/expr.ts";
import { ArrayList } from "../values/list.ts";
import { EntryMap } from "../values/map.ts";
import { Panic } from "../values/panic.ts";
import { displayText } from "../values/text.ts";
import { Bytes, CelError, OptionalValue, type Value } from "../values/value.ts";
import type { Frame, Run } from "./frame.ts";
import { notAnOptionalElement, notAnOptionalEntry, unhashable, unknownType } from "./messages.ts";
import { constantPlan, type Plan, PlanFailure, type Planning } from "./plan.ts";
import { LIST_COST, MAP_COST, STRUCT_COST } from "./price.ts";

export function planList(planning: Planning, expr: ListExpr): Plan {
  const elements = expr.elements.map((element) => planning.plan(element));
  const optional = new Set(expr.optionalIndices);
  const flags = elements.map((_, index) => optional.has(index));
  const run = optional.size === 0 ? listRun(elements) : optionalListRun(elements, flags);
  return literalPlan(planning, run, LIST_COST, elements);
}

function listRun(elements: readonly Plan[]): Run {
  const runs = elements.map((element) => element.run);
  const unused = unusedAfter(elements);
  const first = runs[0];
  if (runs.length === 1 && first !== undefined) {
    return (frame) => {
      const value = first(frame);
      return value instanceof CelError ? value : new ArrayList([value]);
    };
  }
  return (frame) => {
    const values: Value[] = [];
    for (let index = 0; index < runs.length; index++) {
      const value = runs[index]?.(frame) ?? null;
      if (value instanceof CelError) return refund(frame, unused[index], value);
      values.push(value);
    }
    return new ArrayList(values);
  };
}

function optionalListRun(elements: readonly Plan[], flags: readonly boolean[]): Run {
  const unused = unusedAfter(elements);
  return (frame) => {
    const values: Value[] = [];
    for (const [index, element] of elements.entries()) {
      const value = element.run(frame);
      if (value instanceof CelError) return refund(frame, unused[index], value);
      const kept = flags[index] ? unwrapElement(value) : value;
      if (kept instanceof CelError) return refund(frame, unused[index], kept);
      if (kept !== undefined) values.push(kept);
    }
    return new ArrayList(values);
  };
}

function unwrapElement(value: Value): Value | undefined {
  return value instanceof OptionalValue ? value.value : notAnOptionalElement(displayText(value));
}

export function planMap(planning: Planning, expr: MapExpr): Plan {
  const parts = expr.entries.flatMap(({ key, value }) => [planning.plan(key), planning.plan(value)]);
  const flags = expr.entries.map((entry) => entry.optional);
  return literalPlan(planning, mapRun(parts, flags), MAP_COST, parts);
}

/** `parts` has keys and values in turn. */
function mapRun(parts: readonly Plan[], flags: readonly boolean[]): Run {
  const unused = unusedAfter(parts);
  const runs = parts.map((part) => part.run);
  return (frame) => {
    const entries: (readonly [Value, Value])[] = [];
    let dropped = false;
    for (let index = 0; index < runs.length; index += 2) {
      const key = runs[index]?.(frame) ?? null;
      if (key instanceof CelError) return refund(frame, unused[index], key);
      const value = runs[index + 1]?.(frame) ?? null;
      if (value instanceof CelError) return refund(frame, unused[index + 1], value);
      if (key instanceof Bytes) throw new Panic(unhashable("types.Bytes"));
      const kept = flags[index / 2] ? unwrapEntry(key, value) : value;
      if (kept instanceof CelError) return refund(frame, unused[index + 1], kept);
      if (kept === undefined) dropped = true;
      entries.push([key, kept === undefined ? ABSENT : kept]);
    }
    return EntryMap.of(dropped ? withoutAbsent(entries) : entries);
  };
}

function unwrapEntry(key: Value, value: Value): Value | undefined {
  return value instanceof OptionalValue ? value.value : notAnOptionalEntry(displayText(key), displayText(value));
}

/** Marks an optional entry without a value, which also removes an earlier entry of the same key. */
const ABSENT = new CelError("absent");

function withoutAbsent(entries: readonly (readonly [Value, Value])[]): (readonly [Value, Value])[] {
  const last = EntryMap.of(entries);
  const kept: (readonly [Value, Value])[] = [];
  for (const key of last.keys()) {
    const value = last.get(key);
    if (value !== undefined && value !== ABSENT) kept.push([key, value]);
  }
  return kept;
}

export function planStruct(planning: Planning, expr: StructExpr): Plan {
  const construct = planning.environment.construct;
  if (construct === undefined) throw new PlanFailure(unknownType(expr.typeName));
  const values = expr.fields.map((field) => planning.plan(field.value));
  const unused = unusedAfter(values);
  const run: Run = (frame) => {
    const fields = new Map<string, Value>();
    for (const [index, { name, optional }] of expr.fields.entries()) {
      const value = values[index]?.run(frame) ?? null;
      if (value instanceof CelError) return refund(frame, unused[index], value);
      const kept = optional ? unwrapEntry(name, value) : value;
      if (kept instanceof CelError) return refund(frame, unused[index], kept);
      if (kept === undefined) fields.delete(name);
      else fields.set(name, kept);
    }
    const value = construct(expr.typeName, fields);
    return value === undefined ? unknownType(expr.typeName) : value;
  };
  return planning.node(run, STRUCT_COST, values);
}

function literalPlan(planning: Planning, run: Run, cost: number, parts: readonly Plan[]): Plan {
  if (parts.every((part) => part.constant !== undefined)) return constantPlan(run(planning.constantFrame));
  return planning.node(run, cost, parts);
}

/** At index i: the fixed cost of the parts after i. */
export function unusedAfter(parts: readonly Plan[]): readonly number[] {
  const unused = new Array<number>(parts.length).fill(0);
  for (let index = parts.length - 2; index >= 0; index--) {
    unused[index] = (unused[index + 1] ?? 0) + (parts[index + 1]?.fixed ?? 0);
  }
  return unused;
}

function refund(frame: Frame, unused: number | undefined, error: CelError): CelError {
  frame.cost -= unused ?? 0;
  return error;
}
