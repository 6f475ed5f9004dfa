/** Limits of what one object may ask for. Follows ValidateLimitRange of core/validation. */
import { duplicate, type FieldError, forbidden, invalid, required } from "../../../field/error.ts";
import { checkQualifiedName } from "../../../field/names.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { compareQuantities, formatQuantity, type Quantity } from "../../../value/quantity.ts";
import { has, objectOf, textOf } from "../../object.ts";
import { eachOf } from "../checks.ts";
import { quantityValue } from "../go-values.ts";
import {
  amountsOf,
  containerResourceName,
  isOvercommitAllowed,
  milliValue,
  quantityOf,
  resourceName,
} from "../quantities.ts";
import * as messages from "./messages.ts";

const SPEC = newPath("spec");
const TYPES = ["Pod", "Container", "PersistentVolumeClaim"];

export function validateLimitRange(range: JsonObject): FieldError[] {
  const seen = new Set<string>();
  return eachOf(objectOf(range, "spec"), "limits", SPEC, (limit, path) => {
    const type = textOf(limit, "type");
    const isRepeated = seen.has(type);
    seen.add(type);
    return [
      ...limitType(type, path.child("type")),
      ...(isRepeated ? [duplicate(path.child("type"), type)] : []),
      ...names(limit, type, path),
      ...namesOf(limit).flatMap((name) => amounts(limit, name, path)),
    ];
  });
}

function limitType(type: string, path: FieldPath): FieldError[] {
  const errors = checkQualifiedName(type).map((problem) => invalid(path, type, problem));
  if (errors.length > 0 || type.includes("/") || TYPES.includes(type)) return errors;
  return [invalid(path, type, messages.limitType())];
}

const MEMBERS = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"];

function names(limit: JsonObject, type: string, path: FieldPath): FieldError[] {
  const check = type === "Pod" || type === "Container" ? containerResourceName : resourceName;
  const listed = (key: string): FieldError[] =>
    amountsOf(objectOf(limit, key)).flatMap(([name]) => check(name, path.child(key).key(name)));
  const defaults = ["default", "defaultRequest"];
  const isEmpty = !has(objectOf(limit, "min"), "storage") && !has(objectOf(limit, "max"), "storage");
  return [
    ...listed("max"),
    ...listed("min"),
    ...(type === "Pod"
      ? defaults
          .filter((key) => Object.keys(objectOf(limit, key) ?? {}).length > 0)
          .map((key) => forbidden(path.child(key), messages.notForPods()))
      : defaults.flatMap(listed)),
    ...(type === "PersistentVolumeClaim" && isEmpty ? [required(path.child("limits"), messages.storageNeeded())] : []),
    ...listed("maxLimitRequestRatio"),
  ];
}

function namesOf(limit: JsonObject): string[] {
  return [...new Set(MEMBERS.flatMap((key) => Object.keys(objectOf(limit, key) ?? {})))].sort();
}

/** Two amounts of one resource, of which the first may not exceed the second. */
interface Pair {
  readonly lower: string;
  readonly upper: string;
  /** Where it is said, and which of the two is shown. */
  readonly at: string;
  readonly shown: "lower" | "upper";
  readonly names: readonly [string, string];
}

const PAIRS: readonly Pair[] = [
  { lower: "min", upper: "max", at: "min", shown: "lower", names: ["min", "max"] },
  {
    lower: "min",
    upper: "defaultRequest",
    at: "defaultRequest",
    shown: "upper",
    names: ["min", "default request"],
  },
  { lower: "defaultRequest", upper: "max", at: "defaultRequest", shown: "lower", names: ["default request", "max"] },
  {
    lower: "defaultRequest",
    upper: "default",
    at: "defaultRequest",
    shown: "lower",
    names: ["default request", "default limit"],
  },
  { lower: "min", upper: "default", at: "default", shown: "lower", names: ["min", "default"] },
  { lower: "default", upper: "max", at: "default", shown: "upper", names: ["default", "max"] },
];

function amounts(limit: JsonObject, name: string, path: FieldPath): FieldError[] {
  const isPod = textOf(limit, "type") === "Pod";
  const amount = (key: string): Quantity | undefined =>
    isPod && key.startsWith("default") ? undefined : quantityOf(objectOf(limit, key), name);
  return [
    ...PAIRS.flatMap(({ lower, upper, at, shown, names }) => {
      const [low, high] = [amount(lower), amount(upper)];
      if (low === undefined || high === undefined || compareQuantities(low, high) <= 0) return [];
      const detail = messages.isGreater(names[0], formatQuantity(low), names[1], formatQuantity(high));
      return [invalid(path.child(at).key(name), quantityValue(formatQuantity(shown === "lower" ? low : high)), detail)];
    }),
    ...ratio(amount, path.child("maxLimitRequestRatio").key(name)),
    ...equalDefaults(amount, name, path.child("defaultRequest").key(name)),
  ];
}

type Amount = (key: string) => Quantity | undefined;

function ratio(amount: Amount, path: FieldPath): FieldError[] {
  const [most, min, max] = [amount("maxLimitRequestRatio"), amount("min"), amount("max")];
  if (most === undefined) return [];
  const text = formatQuantity(most);
  const errors = milliValue(most) < 1000n ? [invalid(path, quantityValue(text), messages.ratioBelowOne(text))] : [];
  if (min === undefined || max === undefined) return errors;
  const limit = Number(milliValue(max)) / Number(milliValue(min));
  const isHigh = Number(milliValue(most)) / 1000 > limit;
  return isHigh ? [...errors, invalid(path, quantityValue(text), messages.ratioAboveMax(text, limit))] : errors;
}

function equalDefaults(amount: Amount, name: string, path: FieldPath): FieldError[] {
  const [limit, request] = [amount("default"), amount("defaultRequest")];
  if (limit === undefined || request === undefined || isOvercommitAllowed(name)) return [];
  if (compareQuantities(limit, request) === 0) return [];
  const text = formatQuantity(request);
  return [invalid(path, text, messages.equalDefaults(formatQuantity(limit), text, name))];
}
