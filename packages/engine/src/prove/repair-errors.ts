/**
 * Corrects a generated object after validation refused it: a missing name is added, a wrong one replaced. The policies
 * evaluate the corrected object, so a correction cannot make a result wrong.
 */
import type { BadValue, FieldError } from "../field/error.ts";
import type { FieldPath } from "../field/path.ts";
import { deepCopy } from "../value/copy.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { sampleAlternative } from "./sorts/sample.ts";
import { skeletonItem } from "./sorts/skeletons.ts";
import type { Sort } from "./sorts/sort.ts";

export interface RepairContext {
  /** A valid object of the kind. */
  readonly skeleton: JsonObject;
  readonly sort: Sort;
  /** The object before an update. */
  readonly old: JsonObject | undefined;
}

type Step = number | string;

/** Undefined if there is nothing to correct. */
export function repairedAfter(
  object: JsonObject,
  errors: readonly FieldError[],
  context: RepairContext,
): JsonObject | undefined {
  const made = deepCopy(object);
  if (!isObject(made)) return undefined;
  let isChanged = false;
  for (const error of errors) if (repairOne(made, error, stepsOf(error.path), context)) isChanged = true;
  return isChanged ? made : undefined;
}

function stepsOf(path: FieldPath): Step[] {
  const steps: Step[] = [];
  for (let at: FieldPath | undefined = path; at !== undefined; at = at.parent)
    steps.unshift(at.name === "" ? at.subscript : at.name);
  return steps;
}

function repairOne(object: JsonObject, error: FieldError, steps: readonly Step[], context: RepairContext): boolean {
  const { type, detail } = error;
  const { old } = context;
  if (old !== undefined && UNCHANGEABLE.test(detail)) return setAt(object, steps, valueAt(old, steps));
  const [related] = RELATED.filter(({ says }) => says.test(detail));
  if (related !== undefined) return related.repair(object, steps, context);
  const known = valueAt(context.skeleton, steps);
  switch (type) {
    case "FieldValueRequired":
      return setAt(object, steps, known ?? sampleAt(steps, context.sort));
    case "FieldValueDuplicate":
      return setAt(object, steps, otherText(valueAt(object, steps), steps));
    case "FieldValueNotSupported":
      return setAt(object, steps, /"([^"]*)"/.exec(detail)?.[1] ?? known);
    case "FieldValueInvalid":
      return setAt(object, steps, known ?? plainText(valueAt(object, steps) ?? error.badValue));
    default:
      return setAt(object, steps, undefined);
  }
}

const UNCHANGEABLE = /immutable|may not (change|be changed|update)|[Ff]orbidden: updates|updates to/;

interface Related {
  readonly says: RegExp;
  readonly repair: (object: JsonObject, steps: readonly Step[], context: RepairContext) => boolean;
}

/** Rules about several fields. */
const RELATED: readonly Related[] = [
  { says: /must be true/, repair: (object, steps) => setAt(object, steps, true) },
  { says: /must be false|may not be set|must not be/, repair: (object, steps) => setAt(object, steps, undefined) },
  { says: /selector|empty selector/, repair: matchLabels },
  { says: /all containers must be HostProcess/, repair: everyContainerOfHost },
  { says: /standard resource/, repair: renameKey },
];

/** The selector of a workload and the labels of its template. */
function matchLabels(object: JsonObject, _: readonly Step[], { skeleton }: RepairContext): boolean {
  const places = [
    ["spec", "selector"],
    ["spec", "template", "metadata", "labels"],
  ];
  const known = places.map((place) => [place, valueAt(skeleton, place)] as const);
  return known.map(([place, value]) => value !== undefined && setAt(object, place, value)).includes(true);
}

/** Either all containers of a pod run on a Windows host, or none does. */
function everyContainerOfHost(object: JsonObject, steps: readonly Step[]): boolean {
  const spec = valueAt(object, steps);
  if (!isObject(spec)) return false;
  spec["hostNetwork"] = true;
  for (const key of ["containers", "initContainers", "ephemeralContainers"]) {
    const list = spec[key];
    const count = isArray(list) ? list.length : 0;
    for (let at = 0; at < count; at++) setAt(spec, [key, at, "securityContext", "windowsOptions", "hostProcess"], true);
  }
  return true;
}

const RESOURCES = ["cpu", "memory", "ephemeral-storage"];

/** A resource of a container has one of a few names. */
function renameKey(object: JsonObject, steps: readonly Step[]): boolean {
  const [key, holder] = [steps.at(-1), valueAt(object, steps.slice(0, -1))];
  if (typeof key !== "string" || !isObject(holder)) return false;
  const name = RESOURCES.find((each) => holder[each] === undefined);
  const value = holder[key];
  if (name === undefined || value === undefined || RESOURCES.includes(key)) return false;
  delete holder[key];
  holder[name] = value;
  return true;
}

function plainText(value: BadValue | undefined): JsonValue | undefined {
  return typeof value === "string" && value !== "example" ? "example" : undefined;
}

function otherText(value: JsonValue | undefined, steps: readonly Step[]): JsonValue | undefined {
  const index = steps.findLast((step) => typeof step === "number") ?? 0;
  return typeof value === "string" ? `${value.slice(0, 50)}${Number(index) + 1}` : undefined;
}

/** A value of a place, other than the empty text. */
function sampleAt(steps: readonly Step[], sort: Sort): JsonValue | undefined {
  const list = steps.at(-1);
  const item = typeof list === "string" ? skeletonItem(list, 0, steps.join(".")) : undefined;
  const [first] = sortAt(steps, sort)?.alternatives() ?? [];
  if (first?.kind === "list" && item !== undefined) return [item];
  const value = first && sampleAlternative(first);
  return value === "" || value === undefined ? "example" : value;
}

function sortAt(steps: readonly Step[], sort: Sort): Sort | undefined {
  let at: Sort | undefined = sort;
  for (const step of steps) {
    const [found]: (Sort | undefined)[] = (at?.alternatives() ?? []).flatMap((each) => {
      if (each.kind === "map") return each.property(String(step))?.sort ?? [];
      return each.kind === "list" && typeof step === "number" ? each.item() : [];
    });
    at = found;
  }
  return at;
}

function valueAt(root: JsonObject, steps: readonly Step[]): JsonValue | undefined {
  let at: JsonValue | undefined = root;
  for (const step of steps) {
    if (isArray(at) && typeof step === "number") at = at[step];
    else at = isObject(at) ? at[String(step)] : undefined;
  }
  return at;
}

/** Undefined removes the value. */
function setAt(root: JsonObject, steps: readonly Step[], value: JsonValue | undefined): boolean {
  const last = steps.at(-1);
  const holder = last === undefined ? undefined : holderAt(root, steps.slice(0, -1));
  if (isArray(holder) && typeof last === "number") {
    if (value === undefined) holder.splice(last, 1);
    else holder[last] = deepCopy(value);
    return true;
  }
  if (!isObject(holder)) return false;
  if (value === undefined) delete holder[String(last)];
  else holder[String(last)] = deepCopy(value);
  return true;
}

/** Objects on the way are made if they are missing. */
function holderAt(root: JsonObject, steps: readonly Step[]): JsonValue | undefined {
  let at: JsonValue | undefined = root;
  for (const step of steps) {
    if (isArray(at)) at = typeof step === "number" ? at[step] : undefined;
    else if (isObject(at)) {
      const next: JsonValue = at[String(step)] ?? newObject();
      at[String(step)] = next;
      at = next;
    } else return undefined;
  }
  return at;
}
