/**
 * Defaults of built-in kinds: each Go type has its own function, called wherever the type occurs in the object, the outer
 * type before the inner. Fields with a default in the schema are filled the same way.
 */
import { normalizeGo } from "../../field/go-normalize.ts";
import { isArray, isObject, type JsonValue } from "../../value/json.ts";
import { formatQuantity, parseQuantity, type Quantity } from "../../value/quantity.ts";
import type { Kind } from "../decode.ts";
import { builtinKind, filledTypes } from "../kinds/kinds.ts";
import { shapeOf } from "../shapes.ts";
import { type StructField, type StructType, structAt, structOfKind, type TypeExpr } from "../types.ts";
import { type Draft, type Fillers, fill, fillZero } from "./draft.ts";

/** `object` has been decoded and is not shared; the result is as Go writes it. */
export function applyDefaults(object: Draft, kind: Kind): Draft {
  const type = structOfKind(kind.group, kind.version, kind.kind);
  if (type === undefined) throw new Error(`no built-in kind ${kind.kind}`);
  fillDefaults(object, type, builtinKind(kind.group, kind.version, kind.kind)?.defaults);
  const normalized = normalizeGo(object, shapeOf(type), { keepEmpty: true });
  return isObject(normalized) ? normalized : object;
}

/** The same without the order of Go, for callers that only validate the result. */
export function fillDefaults(object: Draft, type: StructType, fillers: Fillers | undefined): void {
  fillStruct(object, type, fillers ?? NO_FILLERS);
}

const NO_FILLERS: Fillers = {};

function fillStruct(draft: Draft, type: StructType, fillers: Fillers): void {
  fillers[type.go]?.(draft);
  const { defaults, leading } = planOf(type);
  for (let index = 0; index < defaults.length; index++) {
    const entry = defaults[index] as FillPlan["defaults"][number];
    fillField(draft, entry[0], entry[1]);
  }
  for (const name in draft) {
    const inner = leading.get(name);
    if (inner !== undefined) fillValue(draft[name] ?? null, inner, fillers);
  }
}

/** Most fields are plain and never touched. */
interface FillPlan {
  readonly defaults: readonly (readonly [string, StructField])[];
  /** The types of members that lead to others. */
  readonly leading: ReadonlyMap<string, TypeExpr>;
}

const plans = new WeakMap<StructType, FillPlan>();

function planOf(type: StructType): FillPlan {
  const known = plans.get(type);
  if (known !== undefined) return known;
  const members = [...type.members];
  const plan = {
    defaults: members.filter(([, field]) => hasDefault(field)),
    leading: new Map(
      members.filter(([, field]) => leadsOn(field.type, new Set())).map(([name, field]) => [name, field.type]),
    ),
  };
  plans.set(type, plan);
  return plan;
}

function hasDefault({ type, default: value }: StructField): boolean {
  if (value === undefined || isObject(value)) return false;
  return type.kind === "pointer" || (value !== "" && value !== 0 && value !== false);
}

/** Of runtime classes, whose amounts upstream leaves as they are. */
const UNROUNDED = "v1.Overhead";

/** Whether anything is filled in below; `seen` are the structs on the way, as a type may contain itself. */
function leadsOn(type: TypeExpr, seen: Set<number>): boolean {
  if (type.kind === "pointer") return leadsOn(type.to, seen);
  if (type.kind === "list") return leadsOn(type.of, seen);
  if (type.kind === "map") return type.go === "v1.ResourceList" || leadsOn(type.of, seen);
  if (type.kind !== "struct" || seen.has(type.index)) return false;
  seen.add(type.index);
  const struct = structAt(type.index);
  if (struct.go === UNROUNDED) return false;
  if (isFilled(struct)) return true;
  for (const field of struct.members.values()) if (hasDefault(field) || leadsOn(field.type, seen)) return true;
  return false;
}

/** In any kind: plans are shared by all. */
function isFilled({ go }: StructType): boolean {
  return filledTypes().has(go);
}

/** A default that is the zero value of a field that is no pointer only says that the field is always written. */
function fillField(draft: Draft, name: string, { type, default: value }: StructField): void {
  if (value === undefined) return;
  if (type.kind === "pointer") fill(draft, name, value);
  else fillZero(draft, name, value);
}

function fillValue(value: JsonValue, type: TypeExpr, fillers: Fillers): void {
  switch (type.kind) {
    case "pointer":
      fillValue(value, type.to, fillers);
      return;
    case "struct":
      if (isObject(value)) fillStruct(value, structAt(type.index), fillers);
      return;
    case "list":
      if (isArray(value)) for (const item of value) fillValue(item, type.of, fillers);
      return;
    case "map":
      if (type.go === "v1.ResourceList" && isObject(value)) roundResources(value);
      else if (isObject(value)) for (const key in value) fillValue(value[key] ?? null, type.of, fillers);
  }
}

const MILLI = -3;

/** Amounts finer than a thousandth are rounded up. */
function roundResources(list: Draft): void {
  for (const [name, text] of Object.entries(list)) {
    const quantity = typeof text === "string" ? parseQuantity(text).value : undefined;
    if (quantity !== undefined && quantity.exponent < MILLI) list[name] = formatQuantity(roundUp(quantity));
  }
}

function roundUp({ unscaled, exponent, decimal, format }: Quantity): Quantity {
  const divisor = 10n ** BigInt(MILLI - exponent);
  const rounded = unscaled / divisor + (unscaled % divisor > 0n ? 1n : 0n);
  return { unscaled: rounded, exponent: MILLI, decimal, format };
}
