/**
 * Numbers: exact intervals, separate for integers and float64s because the server compares them differently.
 *
 * Bounds lose their fraction when an int64 is compared; a float64 under `type: integer` must be integral. An `enum`
 * accepts a float64 that truncates to one of its integers, so it only bounds the interval.
 */
import { holdsLimit } from "../../schema/keywords/number.ts";
import type { Structural } from "../../schema/structural.ts";
import { Float64, floatValue, integerValue, isInteger, isNumber, type JsonValue } from "../../value/json.ts";
import { asFloat } from "../../value/number.ts";
import type { LocalCheck } from "../witness/local-check.ts";
import { sampleNumbers } from "../witness/sample-scalars.ts";
import type { Kind } from "./kinds.ts";
import { conjuncts, holds, type Obligation, open, type Proof, triedAll } from "./proof.ts";

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const LARGEST_FINITE = 1000n;

interface Domain {
  readonly hasIntegers: boolean;
  readonly low: bigint;
  readonly high: bigint;
  readonly hasFloats: boolean;
  readonly from: Edge;
  readonly to: Edge;
  readonly factors: readonly number[];
  /** Whether float64s are integral, so that the integers represent them. */
  readonly isIntegral: boolean;
}

interface Edge {
  readonly value: number;
  readonly isOpen: boolean;
}

export function numberObligations(
  old: Structural,
  next: Structural,
  kinds: ReadonlySet<Kind>,
  check: LocalCheck,
): Obligation[] {
  if (!kinds.has("integer") && !kinds.has("fraction") && !kinds.has("integral")) return [];
  const domain = domainOf(old, kinds);
  const candidates = (): JsonValue[] => candidateNumbers([old, next]);
  const finite = finiteProof(old, next, domain, check);
  const make = (keyword: string, proof: () => Proof): Obligation => ({
    keyword,
    detail: "",
    proof: finite ?? proof(),
    candidates,
  });
  const found: Obligation[] = [];
  if (next.minimum !== undefined) {
    const keyword = next.minimum === old.minimum && next.exclusiveMinimum ? "exclusiveMinimum" : "minimum";
    found.push(make(keyword, () => proveMinimum(next, domain)));
  }
  if (next.maximum !== undefined) {
    const keyword = next.maximum === old.maximum && next.exclusiveMaximum ? "exclusiveMaximum" : "maximum";
    found.push(make(keyword, () => proveMaximum(next, domain)));
  }
  if (next.multipleOf !== undefined) found.push(make("multipleOf", () => proveMultiple(next, domain)));
  const isHeld = holdsLimits(next);
  if (isHeld && (next.type === "integer" || next.type === "number"))
    found.push(make("format", () => proveRange(next, domain)));
  return found;
}

/** The errors about a bound that the type cannot hold name the format, but the bound causes them. */
function holdsLimits(schema: Structural): boolean {
  return [schema.minimum, schema.maximum, schema.multipleOf].every(
    (limit) => limit === undefined || holdsLimit(schema, limit),
  );
}

function domainOf(old: Structural, kinds: ReadonlySet<Kind>): Domain {
  const nodes = conjuncts(old);
  const isIntegral = nodes.some(({ type }) => type === "integer");
  const isInt32 = nodes.some(({ type, format }) => type === "integer" && format === "int32");
  let low = isInt32 ? -(2n ** 31n) : INT64_MIN;
  let high = isInt32 ? 2n ** 31n - 1n : INT64_MAX;
  let from: Edge = { value: isIntegral ? Number(low) : Number.NEGATIVE_INFINITY, isOpen: false };
  let to: Edge = { value: isIntegral ? Number(high) : Number.POSITIVE_INFINITY, isOpen: false };
  const narrow = (lower: Edge | undefined, upper: Edge | undefined): void => {
    if (lower !== undefined) {
      low = maxOf(low, wholeBound(lower, 1n));
      from = higher(from, lower);
    }
    if (upper !== undefined) {
      high = minOf(high, wholeBound(upper, -1n));
      to = lowerEdge(to, upper);
    }
  };
  for (const node of nodes) {
    narrow(
      node.minimum === undefined ? undefined : { value: node.minimum, isOpen: node.exclusiveMinimum },
      node.maximum === undefined ? undefined : { value: node.maximum, isOpen: node.exclusiveMaximum },
    );
    const numbers = (node.enum ?? []).filter(isNumber).map(asFloat);
    if (node.enum !== undefined && node.enum.length > 0 && numbers.length > 0) {
      narrow({ value: Math.min(...numbers) - 1, isOpen: false }, { value: Math.max(...numbers) + 1, isOpen: false });
    }
  }
  return {
    hasIntegers: kinds.has("integer"),
    hasFloats: kinds.has("fraction") || kinds.has("integral"),
    low,
    high,
    from,
    to,
    factors: nodes.flatMap(({ multipleOf }) => multipleOf ?? []),
    isIntegral,
  };
}

/** The bound as the server compares int64s with it. */
function wholeBound({ value, isOpen }: Edge, inward: bigint): bigint {
  const whole = Math.trunc(value);
  const exact = whole >= -(2 ** 63) && whole < 2 ** 63 ? BigInt(whole) : inward > 0n ? INT64_MIN : INT64_MAX;
  return isOpen ? exact + inward : exact;
}

/** Few integers and no other numbers: each is tried. */
function finiteProof(old: Structural, next: Structural, domain: Domain, check: LocalCheck): Proof | undefined {
  const values = finiteValues(old, domain);
  if (values === undefined) return undefined;
  const refused = values.some((value) => check.accepts(old, value) && !check.accepts(next, value));
  return refused ? open() : triedAll(`each of ${values.length} numbers was tried`);
}

function finiteValues(old: Structural, domain: Domain): JsonValue[] | undefined {
  if (!domain.isIntegral) return undefined;
  const listed = conjuncts(old).find((node) => node.enum !== undefined && node.enum.length > 0)?.enum;
  if (listed !== undefined) {
    return listed
      .filter(isNumber)
      .flatMap((value) => [value, floatValue(Math.trunc(asFloat(value))), ...asInteger(value)]);
  }
  if (domain.high - domain.low > LARGEST_FINITE) return undefined;
  const values: JsonValue[] = [];
  for (let value = domain.low; value <= domain.high; value++) {
    values.push(integerValue(value), new Float64(Number(value)));
  }
  return values;
}

function asInteger(value: JsonValue): JsonValue[] {
  return isInteger(value) || !isNumber(value) ? [] : [integerValue(BigInt(Math.trunc(asFloat(value))))];
}

function proveMinimum(next: Structural, domain: Domain): Proof {
  const limit: Edge = { value: next.minimum ?? 0, isOpen: next.exclusiveMinimum };
  if (!holdsLimit(next, limit.value)) return open();
  const integers = !domain.hasIntegers || domain.low >= wholeBound(limit, 1n);
  const floats = !domain.hasFloats || isInside(domain.from, limit, (left, right) => left > right);
  return integers && floats ? holds(`nothing below ${limit.value} was allowed before`) : open();
}

function proveMaximum(next: Structural, domain: Domain): Proof {
  const limit: Edge = { value: next.maximum ?? 0, isOpen: next.exclusiveMaximum };
  if (!holdsLimit(next, limit.value)) return open();
  const integers = !domain.hasIntegers || domain.high <= wholeBound(limit, -1n);
  const floats = !domain.hasFloats || isInside(domain.to, limit, (left, right) => left < right);
  return integers && floats ? holds(`nothing above ${limit.value} was allowed before`) : open();
}

function isInside(edge: Edge, limit: Edge, beyond: (left: number, right: number) => boolean): boolean {
  return beyond(edge.value, limit.value) || (edge.value === limit.value && (edge.isOpen || !limit.isOpen));
}

function proveMultiple(next: Structural, { factors, isIntegral }: Domain): Proof {
  const factor = next.multipleOf ?? 1;
  if (!holdsLimit(next, factor)) return open();
  if (isIntegral && factor === 1) return holds("every integer is a multiple of 1");
  const isMultiple = factors.some(
    (old) => old === factor || (Number.isInteger(old / factor) && Number.isInteger(factor)),
  );
  return isMultiple ? holds(`a multiple of ${factors.join(" and of ")} is one of ${factor}`) : open();
}

/** The range that the type and format can hold. */
function proveRange({ type, format }: Structural, domain: Domain): Proof {
  if (type === "number") {
    const isFloat = format === "float";
    const fits = Math.max(Math.abs(domain.from.value), Math.abs(domain.to.value)) < 3.4e38;
    return !isFloat || fits ? holds("the format holds every number") : open();
  }
  if (format !== "int32") return holds("the type holds every integer");
  const fits = domain.low >= -(2n ** 31n) && domain.high < 2n ** 31n;
  return fits ? holds("int32 holds all that was allowed before") : open();
}

function candidateNumbers(nodes: readonly Structural[]): JsonValue[] {
  const flat = nodes.flatMap(conjuncts);
  const bounds = flat.flatMap(({ minimum, maximum }) => [minimum, maximum]).filter((each) => each !== undefined);
  const tiny = bounds.flatMap((bound) => [bound + 1e-6, bound - 1e-6, bound + 0.25].map(floatValue));
  const listed = flat.flatMap((node) => node.enum ?? []);
  const extremes = [2147483648, -2147483649, INT64_MAX, INT64_MIN, new Float64(1e300), new Float64(2147483648)];
  const factors = flat.flatMap(({ multipleOf }) => (multipleOf === undefined ? [] : [multipleOf]));
  const multiples = factors.flatMap((factor) => [1, 2, 3, 5, 7].map((times) => factor * times));
  const whole = multiples.map((value) => (Number.isSafeInteger(value) ? value : floatValue(value)));
  return [...listed, ...sampleNumbers(flat), ...whole, ...tiny, ...extremes];
}

function maxOf(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

function minOf(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

function higher(left: Edge, right: Edge): Edge {
  return right.value > left.value || (right.value === left.value && right.isOpen) ? right : left;
}

function lowerEdge(left: Edge, right: Edge): Edge {
  return right.value < left.value || (right.value === left.value && right.isOpen) ? right : left;
}
