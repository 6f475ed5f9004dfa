/** When a job has failed or succeeded before all its pods have. Follows pkg/apis/batch/validation. */

import { atoi } from "@portcullis/gostd/strconv";
import { byteLength } from "@portcullis/gostd/utf8";
import {
  type BadValue,
  duplicate,
  type FieldError,
  GoJson,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import { isArray, type JsonObject } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { has, numberOf, objectOf, objectsOf, textOf } from "../../object.ts";
import { repeatedPlaces } from "../../repeats.ts";
import { eachOf, notNegative, qualifiedName } from "../checks.ts";
import * as messages from "./messages.ts";

const MAX_RULES = 20;
const MAX_CODES = 255;
const ACTIONS = ["Count", "FailIndex", "FailJob", "Ignore"];
const OPERATORS = ["In", "NotIn"];
const STATUSES = ["False", "True", "Unknown"];

export function validateFailurePolicy(spec: JsonObject, path: FieldPath): FieldError[] {
  const policy = objectOf(spec, "podFailurePolicy");
  if (policy === undefined) return [];
  const count = objectsOf(policy, "rules").length;
  return [
    ...(count > MAX_RULES ? [tooMany(path.child("rules"), count, MAX_RULES)] : []),
    ...eachOf(policy, "rules", path, (rule, at) => failureRule(rule, spec, at)),
  ];
}

function failureRule(rule: JsonObject, spec: JsonObject, path: FieldPath): FieldError[] {
  const [codes, conditions] = [objectOf(rule, "onExitCodes"), objectsOf(rule, "onPodConditions")];
  const isBoth = codes !== undefined && conditions.length > 0;
  const isNone = codes === undefined && conditions.length === 0;
  return [
    ...failureAction(textOf(rule, "action"), has(spec, "backoffLimitPerIndex"), path.child("action")),
    ...(codes === undefined ? [] : exitCodes(codes, spec, path.child("onExitCodes"))),
    ...podConditions(rule, path),
    ...(isBoth ? [valueless(path, messages.oneFailureRule())] : []),
    ...(isNone ? [valueless(path, messages.failureRuleNeeded())] : []),
  ];
}

/** Upstream leaves the value out. */
function valueless(path: FieldPath, detail: string): FieldError {
  return { type: "FieldValueInvalid", path, origin: "", detail };
}

function failureAction(action: string, isPerIndex: boolean, path: FieldPath): FieldError[] {
  if (action === "") return [required(path, messages.validValues(ACTIONS))];
  if (action === "FailIndex") return isPerIndex ? [] : [invalid(path, action, messages.failIndexNeeds())];
  return ACTIONS.includes(action) ? [] : [notSupported(path, action, ACTIONS)];
}

function podConditions(rule: JsonObject, path: FieldPath): FieldError[] {
  const count = objectsOf(rule, "onPodConditions").length;
  return [
    ...(count > MAX_RULES ? [tooMany(path.child("onPodConditions"), count, MAX_RULES)] : []),
    ...eachOf(rule, "onPodConditions", path, (pattern, at) => [
      ...qualifiedName(textOf(pattern, "type"), at.child("type")),
      ...oneOfThese(textOf(pattern, "status"), STATUSES, at.child("status")),
    ]),
  ];
}

function oneOfThese(value: string, values: readonly string[], path: FieldPath): FieldError[] {
  if (value === "") return [required(path, messages.validValues(values))];
  return values.includes(value) ? [] : [notSupported(path, value, values)];
}

function exitCodes(codes: JsonObject, spec: JsonObject, path: FieldPath): FieldError[] {
  const pod = objectOf(objectOf(spec, "template"), "spec");
  const names = ["containers", "initContainers"].flatMap((key) =>
    objectsOf(pod, key).map((container) => textOf(container, "name")),
  );
  const name = textOf(codes, "containerName");
  const isKnown = !has(codes, "containerName") || names.includes(name);
  return [
    ...oneOfThese(textOf(codes, "operator"), OPERATORS, path.child("operator")),
    ...(isKnown ? [] : [invalid(path.child("containerName"), name, messages.containerOfTemplate())]),
    ...codeValues(codes, path.child("values")),
  ];
}

/** Go shows the type of the items even where there are none. */
function noCodes(): BadValue {
  return since("1.34") ? [] : new GoJson("[]int32{}");
}

function codeValues(codes: JsonObject, path: FieldPath): FieldError[] {
  const list = codes["values"];
  const values = (isArray(list) ? list : []).map(Number);
  const repeated = repeatedPlaces(values);
  const isIn = textOf(codes, "operator") === "In";
  const isOrdered = values.every((value, index) => index === 0 || (values[index - 1] ?? 0) <= value);
  return [
    ...(values.length === 0 ? [invalid(path, isArray(list) ? noCodes() : null, messages.oneCode())] : []),
    ...(values.length > MAX_CODES ? [tooMany(path, values.length, MAX_CODES)] : []),
    ...values.flatMap((value, index) => [
      ...(isIn && value === 0 ? [invalid(path.index(index), value, messages.notZeroForIn())] : []),
      ...(repeated.has(index) ? [duplicate(path.index(index), value)] : []),
    ]),
    ...(isOrdered ? [] : [invalid(path, values, messages.ordered())]),
  ];
}

export function validateSuccessPolicy(policy: JsonObject, completions: number, path: FieldPath): FieldError[] {
  const count = objectsOf(policy, "rules").length;
  return [
    ...(count === 0 ? [required(path.child("rules"), messages.successRuleNeeded())] : []),
    ...(count > MAX_RULES ? [tooMany(path.child("rules"), count, MAX_RULES)] : []),
    ...eachOf(policy, "rules", path, (rule, at) => successRule(rule, completions, at)),
  ];
}

const MAX_INDEXES = 64 * 1024;

function successRule(rule: JsonObject, completions: number, path: FieldPath): FieldError[] {
  const [hasCount, hasIndexes] = [has(rule, "succeededCount"), has(rule, "succeededIndexes")];
  const text = textOf(rule, "succeededIndexes");
  const indexes = hasIndexes ? parseIndexes(text, completions) : { total: 0, error: undefined };
  const at = path.child("succeededIndexes");
  const errors = hasCount || hasIndexes ? [] : [required(path, messages.successChoice())];
  if (byteLength(text) > MAX_INDEXES) errors.push(tooLong(at, MAX_INDEXES));
  if (indexes.error !== undefined)
    errors.push(invalid(at, text, messages.badIndexes("succeededIndexes", indexes.error)));
  if (!hasCount) return errors;
  const [count, place] = [numberOf(rule, "succeededCount"), path.child("succeededCount")];
  errors.push(...notNegative(rule, "succeededCount", path));
  if (count > completions) errors.push(invalid(place, count, messages.countOfCompletions(completions)));
  if (hasIndexes && count > indexes.total) errors.push(invalid(place, count, messages.countOfIndexes(indexes.total)));
  return errors;
}

export interface Indexes {
  readonly total: number;
  readonly error: string | undefined;
}

/** Such as `1,3-5,7`. */
export function parseIndexes(text: string, completions: number): Indexes {
  let [total, last] = [0, -1];
  for (const part of text === "" ? [] : text.split(",")) {
    const interval = parseInterval(part, completions);
    if (typeof interval === "string") return { total: 0, error: interval };
    const [from, to] = interval;
    if (last >= from) return { total: 0, error: messages.notIncreasing(last, from) };
    total += to - from + 1;
    last = to;
  }
  return { total, error: undefined };
}

/** Both ends, or what is wrong with them. */
function parseInterval(text: string, completions: number): [from: number, to: number] | string {
  const parts = text.split("-");
  if (parts.length > 2) return messages.twoLimits(text);
  const limits: number[] = [];
  for (const part of parts) {
    const number = atoi(part);
    if (number.error !== undefined) return messages.noInteger(part);
    if (Number(number.value) >= completions) return messages.largeIndex(part);
    limits.push(Number(number.value));
  }
  const [from = 0, to = from] = limits;
  return parts.length === 2 && from >= to ? messages.notIncreasing(from, to) : [from, to];
}
