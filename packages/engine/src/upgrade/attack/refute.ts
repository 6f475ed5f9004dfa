/** What a counterexample shows about the changes of a CRD: which of them it refutes, and which explain it. */
import type { FieldError } from "../../field/error.ts";
import { formatFieldError } from "../../field/format.ts";
import type { CustomResource } from "../../review/custom-resource/custom-resource.ts";
import type { CompiledRule } from "../../rules/compile.ts";
import { holdsLimit } from "../../schema/keywords/number.ts";
import type { Structural } from "../../schema/structural.ts";
import type { JsonObject } from "../../value/json.ts";
import type { Change } from "../change.ts";
import { KEYS, RULES, UNNAMED } from "../contain/keyword-groups.ts";
import { type DataStep, parseDataPath, valueAt } from "../place.ts";
import { limitOf } from "../prove/number-formula.ts";
import { ruleText } from "../schema-text.ts";
import type { LocalCheck } from "../witness/local-check.ts";
import { asResource } from "../witness/replay.ts";
import { isAbout, placeOfError } from "../witness/target.ts";
import type { WitnessFinder } from "../witness/witness.ts";
import type { Witness } from "../witness/witness-check.ts";
import type { Counterexample } from "./attack.ts";

export interface RefutationContext {
  /** The new rules at the place of the change. */
  readonly rules: readonly CompiledRule[];
  /** The new schema at the place of the change. */
  readonly schema: Structural | undefined;
  readonly check: LocalCheck;
  readonly newFinder: () => WitnessFinder;
}

/** The change, unsafe if the counterexample is about it. */
export function refutedBy(
  change: Change,
  found: Counterexample,
  { rules, schema, check, newFinder }: RefutationContext,
): Change {
  const { keyword, detail, verdict, witness: known } = change;
  if (keyword === KEYS || (verdict === "unsafe" && known?.isQuirk !== true)) return change;
  // Their errors have no origin, so they cannot be attributed to these keywords.
  if (verdict === "safe" && UNNAMED.includes(keyword)) return change;
  const rule = keyword === RULES ? rules.find((each) => ruleText(each.rule) === detail) : undefined;
  // A removed keyword refuses nothing.
  if (keyword === RULES ? rule === undefined : change.after === undefined && change.before !== undefined) return change;
  if (verdict === "safe" && keyword !== RULES && isBranchError(found, schema, check)) return change;
  const blamed = blamedKeyword(keyword, schema);
  const witness = newFinder().fromAttack(found, { keyword: blamed, detail, rule });
  if (witness === undefined || (witness.isQuirk && verdict === "unknown")) return change;
  const isContradicted = verdict === "safe" && !witness.isQuirk;
  return { ...change, verdict: "unsafe", why: "", reason: undefined, witness, isContradicted };
}

const BRANCHES: readonly string[] = ["allOf", "anyOf", "oneOf", "not"];

/** Whether a branch of a combinator further up refused the value, and not the schema of its own place. */
function isBranchError(
  { object, path, errors }: Counterexample,
  schema: Structural | undefined,
  check: LocalCheck,
): boolean {
  if (schema === undefined || !errors.some(({ origin }) => BRANCHES.includes(origin))) return false;
  const value = valueAt(object, path);
  return value !== undefined && check.accepts(schema, value);
}

/** Whether an open or unsafe change explains the counterexample. */
export function isExplainedBy(
  change: Change,
  { errors, path }: Counterexample,
  rules: readonly CompiledRule[],
): boolean {
  const { keyword, detail, verdict, witness } = change;
  if (verdict === "safe" || witness?.isQuirk === true) return false;
  const rule = keyword === RULES ? rules.find((each) => ruleText(each.rule) === detail) : undefined;
  return errors.some((error) => isAbout(error, { keyword, detail, rule }, path));
}

/** The errors about a bound that the type cannot hold name the format. */
export function blamedKeyword(keyword: string, schema: Structural | undefined): string {
  const limit = schema && limitOf(keyword, schema);
  return limit === undefined || schema === undefined || holdsLimit(schema, limit) ? keyword : "format";
}

/** The place of the change in the object, if the error is about it. */
export function placeOfChange(
  error: FieldError,
  object: JsonObject,
  { path }: Change,
): readonly DataStep[] | undefined {
  const at = parseDataPath(placeOfError(error), object);
  const fits = path.every((step, index) => {
    const own = at[index];
    if (step.kind === "item") return typeof own === "number";
    return step.kind === "key" ? typeof own === "string" : own === step.name;
  });
  return fits ? at.slice(0, path.length) : undefined;
}

/** The witness of a refusal that no change explains. */
export function strayWitness(found: Counterexample, old: CustomResource): Witness {
  return {
    object: asResource(found.object, old),
    before: found.before && asResource(found.before, old),
    errors: found.errors.map(formatFieldError),
    path: [],
    breaksStored: false,
    breaksManifest: true,
    isQuirk: false,
  };
}
