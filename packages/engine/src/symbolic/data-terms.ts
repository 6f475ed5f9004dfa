/** Data as terms. */
import { canonicalJson } from "../value/text.ts";
import { and, FALSE, type Formula, flag, not, TRUE } from "./formula.ts";
import { atMost, constantLinear, variable } from "./linear.ts";
import { always, type BoolTerm, type Data, NONE, type Place, type Term } from "./term.ts";

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

export function isInt64(name: string): Formula {
  const value = variable(name);
  return and(atMost(constantLinear(INT64_MIN), value), atMost(value, constantLinear(INT64_MAX)));
}

const stated = new WeakMap<readonly Formula[], Set<string>>();

/** Whether nothing was recorded under the name yet: equal names mean equal values, so their facts are the same. */
export function isFirstFact(facts: readonly Formula[], name: string): boolean {
  const names = stated.get(facts) ?? new Set<string>();
  stated.set(facts, names);
  if (names.has(name)) return false;
  names.add(name);
  return true;
}

export function constantBool(value: boolean): BoolTerm {
  return { sort: "bool", yes: value ? TRUE : FALSE, no: value ? FALSE : TRUE };
}

/** A condition that is known by name only; its evaluation may be an error. */
export function opaqueBool(name: string): BoolTerm {
  const yes = flag(`true ${name}`);
  return { sort: "bool", yes, no: and(not(yes), flag(`false ${name}`)) };
}

export function termOf(data: Data): Term {
  if (data.kind === "missing") return NONE;
  if (data.kind === "unknown") return { sort: "other", name: data.name };
  return data.kind === "place" ? placeTerm(data.place) : constantTerm(data);
}

/** The value of data: by its name, or as a value with members. */
export function placeTerm(place: Place): Term {
  const { sort, name, isScalar } = place;
  switch (sort) {
    case "int":
      return { sort, linear: variable(name) };
    case "double":
      return { sort, name };
    case "text":
      return { sort, name };
    case "bool":
      return { sort, yes: flag(`true ${name}`), no: not(flag(`true ${name}`)) };
    case "other":
      return { sort, name: place.whole, isScalar };
    default:
      return { sort: "place", place };
  }
}

function constantTerm({ value, sort, place, items }: Extract<Data, { kind: "constant" }>): Term {
  if (sort === "int" && (typeof value === "number" || typeof value === "bigint"))
    return { sort, linear: constantLinear(BigInt(value)) };
  if (sort === "double" && typeof value === "number") return { sort, constant: value };
  if (sort === "text" && typeof value === "string") return { sort, constant: value };
  if (sort === "bool" && typeof value === "boolean") return constantBool(value);
  if (items !== undefined) return { sort: "items", items: items.map((item) => always(termOf(item))) };
  if (place !== undefined) return { sort: "place", place };
  const isScalar = value === null || typeof value !== "object";
  return { sort: "other", name: `constant ${canonicalJson(value)}`, isScalar };
}
