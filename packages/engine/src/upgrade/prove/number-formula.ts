/** The keywords of numbers as formulas, with the server's rules for comparing an int64 and a float64 with a bound. */
import { holdsLimit } from "../../schema/keywords/number.ts";
import type { Structural } from "../../schema/structural.ts";
import { and, FALSE, type Formula, flag, literal, not, or, TRUE } from "../../symbolic/formula.ts";
import { atMost, constantLinear, variable } from "../../symbolic/linear.ts";
import { isNumber, type JsonNumber, type JsonValue } from "../../value/json.ts";
import { asFloat } from "../../value/number.ts";
import { canonicalJson } from "../../value/text.ts";

/** Undefined if it is not a number keyword. */
export function numberFormula(
  keyword: string,
  branch: Structural,
  type: "integer" | "number",
  name: string,
): Formula | undefined {
  if (!isHeld(keyword, branch)) return FALSE;
  const test = type === "number" ? doubleBound : branch.type === "integer" ? integerBound : looseBound;
  switch (keyword) {
    case "minimum":
    case "exclusiveMinimum":
      return branch.minimum === undefined ? TRUE : test(name, branch.minimum, branch.exclusiveMinimum ? ">" : ">=");
    case "maximum":
    case "exclusiveMaximum":
      return branch.maximum === undefined ? TRUE : test(name, branch.maximum, branch.exclusiveMaximum ? "<" : "<=");
    case "multipleOf":
      return multiple(name, type, branch.multipleOf ?? 1);
    case "format":
      return numberFormat(name, type, branch);
    default:
      return undefined;
  }
}

/** Values that equal one of the listed ones; a float64 is truncated to an integer first. */
export function integersOf(values: readonly JsonValue[]): bigint[] {
  return values.flatMap((value) => {
    if (typeof value === "bigint") return [value];
    return isNumber(value) && Number.isInteger(asFloat(value)) ? [BigInt(asFloat(value))] : [];
  });
}

/** A float64 is truncated to an integer before it is compared with one. Beyond 2^53 integers are not float64s. */
export function doubleMember(name: string, listed: JsonNumber): Formula {
  const value = asFloat(listed);
  if (!(Math.abs(value) < 2 ** 53)) return flag(`enum ${canonicalJson(listed)} has ${name}`);
  if (!Number.isInteger(value)) return literal({ kind: "double", name, relation: "==", value });
  const below = literal({
    kind: "double",
    name,
    relation: value > 0 ? "<" : "<=",
    value: value > 0 ? value : value - 1,
  });
  const above = literal({
    kind: "double",
    name,
    relation: value < 0 ? "<=" : "<",
    value: value < 0 ? value : value + 1,
  });
  return and(not(below), above);
}

function inRange(name: string, low: bigint, high: bigint): Formula {
  const value = variable(name);
  return and(atMost(constantLinear(low), value), atMost(value, constantLinear(high)));
}

/** The bound as it is compared with an int64; beyond int64 it becomes the smallest one. */
export function truncated(limit: number): bigint {
  const whole = Math.trunc(limit);
  return whole >= -(2 ** 63) && whole < 2 ** 63 ? BigInt(whole) : -(2n ** 63n);
}

type BoundRelation = "<" | "<=" | ">" | ">=";

/** Ranges are checked if the type is declared, which it is not in branches. */
function numberFormat(name: string, type: "integer" | "number", { format, type: own }: Structural): Formula {
  if (type === "integer" && format === "int32" && own === "integer") return inRange(name, -(2n ** 31n), 2n ** 31n - 1n);
  const isIdle = (own === "integer" && format === "int64") || (own === "number" && format === "double");
  return isIdle || format === "" ? TRUE : flag(`format ${format} of the number ${name}`);
}

/** A bound or factor that the type cannot hold refuses every value. */
function isHeld(keyword: string, branch: Structural): boolean {
  const limit = limitOf(keyword, branch);
  return limit === undefined || holdsLimit(branch, limit);
}

/** The number that the keyword compares values with. */
export function limitOf(keyword: string, schema: Structural): number | undefined {
  if (keyword === "minimum" || keyword === "exclusiveMinimum") return schema.minimum;
  if (keyword === "maximum" || keyword === "exclusiveMaximum") return schema.maximum;
  return keyword === "multipleOf" ? schema.multipleOf : undefined;
}

function integerBound(name: string, limit: number, relation: BoundRelation): Formula {
  return integerTest(name, BigInt(limit), relation);
}

function integerTest(name: string, limit: bigint, relation: BoundRelation): Formula {
  const [value, edge] = [variable(name), constantLinear(limit)];
  if (relation === "<") return not(atMost(edge, value));
  if (relation === ">") return not(atMost(value, edge));
  return relation === "<=" ? atMost(value, edge) : atMost(edge, value);
}

/** Without a type any bound is possible; an int64 is compared with the bound without its fraction. */
function looseBound(name: string, limit: number, relation: BoundRelation): Formula {
  const exact = integerTest(name, truncated(limit), relation);
  if (Number.isInteger(limit) && Math.abs(limit) <= 2 ** 53) return exact;
  return and(exact, flag(`bound ${relation} ${limit} of ${name}`));
}

/** An int64 is compared with the bound without its fraction, a float64 with the full bound. */
function doubleBound(name: string, limit: number, relation: BoundRelation): Formula {
  const test = (value: number): Formula => {
    if (relation === "<" || relation === "<=") return literal({ kind: "double", name, relation, value });
    return not(literal({ kind: "double", name, relation: relation === ">" ? "<=" : "<", value }));
  };
  if (Number.isInteger(limit))
    return Math.abs(limit) < 2 ** 53 ? test(limit) : flag(`bound ${relation} ${limit} of ${name}`);
  // A bound away from zero is the same for integers with and without its fraction.
  if ((relation === "<=" && limit > 0) || (relation === ">=" && limit < 0)) return test(limit);
  const isInteger = flag(`integer ${name}`);
  return or(and(isInteger, test(Math.trunc(limit))), and(not(isInteger), test(limit)));
}

/** Floats are multiples within a tolerance, so only the same factor is assumed to mean the same. */
function multiple(name: string, type: "integer" | "number", factor: number): Formula {
  if (type === "number" || !Number.isInteger(factor) || factor <= 0 || factor > 2 ** 53)
    return flag(`multiple of ${factor}: ${name}`);
  return literal({ kind: "multiple", name, factor: BigInt(factor) });
}
