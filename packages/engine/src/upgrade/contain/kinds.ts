/** Which kinds of JSON values the type keywords of a node accept, determined with the validator. */
import { newSchema, type Structural } from "../../schema/structural.ts";
import { compileValidator } from "../../schema/validate.ts";
import { Float64, type JsonValue, newObject } from "../../value/json.ts";
import { conjuncts } from "./proof.ts";

export type Kind = "null" | "boolean" | "integer" | "fraction" | "integral" | "string" | "array" | "object";

/** `integral` is a float64 without a fraction. */
const EXAMPLES: ReadonlyMap<Kind, JsonValue> = new Map<Kind, JsonValue>([
  ["null", null],
  ["boolean", true],
  ["integer", 1],
  ["fraction", 0.5],
  ["integral", new Float64(1)],
  ["string", "a"],
  ["array", []],
  ["object", newObject()],
]);

export function exampleOf(kind: Kind): JsonValue {
  return EXAMPLES.get(kind) ?? null;
}

/** The kinds must also pass every `allOf` branch. */
export function kindsOf(schema: Structural, minor: number): ReadonlySet<Kind> {
  const checks = conjuncts(schema).map((node) => ownKinds(node, minor));
  return new Set([...EXAMPLES.keys()].filter((kind) => checks.every((kinds) => kinds.has(kind))));
}

const known = new WeakMap<Structural, ReadonlySet<Kind>>();

function ownKinds(schema: Structural, minor: number): ReadonlySet<Kind> {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const { type, nullable, intOrString, format } = schema;
  const validator = compileValidator(newSchema({ type, nullable, intOrString, format }), { minor });
  const kinds = [...EXAMPLES].filter(([, value]) => !validator.validate(value).some(({ origin }) => origin === "type"));
  const found = new Set(kinds.map(([kind]) => kind));
  known.set(schema, found);
  return found;
}
