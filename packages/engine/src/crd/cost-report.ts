/**
 * What the rules of a definition are estimated to cost, what makes them cost that much, and which bounds would make them
 * affordable.
 *
 * The numbers are those that decide on acceptance. A bound is found by trying: the largest one with which the rule, and
 * the schema as a whole, stay within their budgets.
 */
import type { FieldPath } from "../field/path.ts";
import { STATIC_ESTIMATED_COST_LIMIT, STATIC_ESTIMATED_CRD_COST_LIMIT } from "../kubecel/limits.ts";
import type { Structural } from "../schema/structural.ts";
import { isArray, isObject, type JsonObject } from "../value/json.ts";
import {
  askedSizes,
  type BoundKeyword,
  type BoundPlace,
  boundKeyword,
  childSchema,
  costWith,
  type ProbedRule,
  rootOf,
  schemaStep,
  stepsTo,
} from "./cost-probe.ts";
import type { ObservedRule, RuleContext, RuleStep } from "./validate/rule-context.ts";
import { type DefinitionOptions, validateDefinition } from "./validate/validate.ts";

/** The estimated cost of the rules of a CRD, schema by schema. */
export interface CostReport {
  readonly schemas: readonly SchemaCost[];
}

/** One schema; it serves all versions that share it. */
export interface SchemaCost {
  readonly path: string;
  readonly versions: readonly string[];
  readonly total: bigint;
  /** Of the budget of a schema; above 1 it is refused. */
  readonly share: number;
  readonly rules: readonly RuleCost[];
}

export interface RuleCost {
  readonly path: string;
  readonly rule: string;
  /** What one run costs at most. */
  readonly estimate: bigint;
  /** How often it can run in one request. */
  readonly cardinality: bigint;
  /** Whether the lists and maps around it say so, or only the size of a request does. */
  readonly isCardinalityBounded: boolean;
  readonly total: bigint;
  readonly ruleShare: number;
  readonly schemaShare: number;
  /** Undefined if there is no messageExpression. */
  readonly messageCost: bigint | undefined;
  readonly causes: readonly CostCause[];
  /** Where no bound is enough by itself: the largest that is, if all causes get it. */
  readonly boundForAll: number | undefined;
}

export interface CostCause {
  /** Of the schema that lacks a bound, or has a large one. */
  readonly path: string;
  /** Of the data, such as `spec.hosts[*].name`. */
  readonly field: string;
  readonly keyword: BoundKeyword;
  /** What the schema declares now. */
  readonly declared: number | undefined;
  /** Whether it makes the rule run more often, or each run cost more. */
  readonly role: "repetition" | "operand";
  /** The largest bound that makes the rule fit; undefined if it fits already or no bound here is enough. */
  readonly largestBound: number | undefined;
}

/**
 * `json` is a decoded CRD. Rules that do not compile, or are in a schema with errors, are left out.
 * @example costReport(crd, { version: SERVER_VERSION, gates }).schemas.length // 0
 */
export function costReport(json: JsonObject, options: DefinitionOptions): CostReport {
  const steps = costReportSteps(json, options);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** The same rule by rule, for callers that have other things to do in between. */
export function* costReportSteps(json: JsonObject, options: DefinitionOptions): Generator<void, CostReport> {
  const observed: ObservedRule[] = [];
  validateDefinition(json, undefined, { ...options, onRule: (rule) => observed.push(rule) });
  const roots = new Set(observed.map(({ context }) => rootOf(context)));
  const names = versionNames(json);
  const schemas: SchemaCost[] = [];
  for (const root of roots) schemas.push(yield* schemaCost(root, observed, names));
  return { schemas };
}

function versionNames(json: JsonObject): string[] {
  const versions = isObject(json["spec"]) ? json["spec"]["versions"] : undefined;
  const objects = isArray(versions) ? versions.filter(isObject) : [];
  return objects.map(({ name }) => (typeof name === "string" ? name : ""));
}

function* schemaCost(
  root: RuleContext,
  observed: readonly ObservedRule[],
  names: readonly string[],
): Generator<void, SchemaCost> {
  const rules = observed.filter(({ context }) => rootOf(context) === root);
  const path = rootPath(rules[0]);
  const index = /^spec\.versions\[(\d+)\]/.exec(path)?.[1];
  const { total } = root.setting.total;
  const reported: RuleCost[] = [];
  for (const rule of rules) {
    reported.push(reportRule(rule, path, total));
    yield;
  }
  return {
    path,
    versions: index === undefined ? names : names.slice(Number(index), Number(index) + 1),
    total,
    share: share(total, STATIC_ESTIMATED_CRD_COST_LIMIT),
    rules: reported,
  };
}

/** The path of a rule without its last three elements and the steps that led to it. */
function rootPath(observed: ObservedRule | undefined): string {
  if (observed === undefined) return "";
  let path: FieldPath | undefined = observed.path;
  const elements = stepsTo(observed.context).reduce((count, step) => count + (step.kind === "property" ? 2 : 1), 3);
  for (let i = 0; i < elements; i++) path = path?.parent;
  return path?.toString() ?? "";
}

function share(cost: bigint, limit: bigint): number {
  return Number(cost) / Number(limit);
}

function reportRule({ path, context, compiled, cost }: ObservedRule, root: string, total: bigint): RuleCost {
  const allowed = allowedCost(cost, total);
  const probed = compiled.ast && { ast: compiled.ast, context };
  const causes = probed === undefined ? [] : findCauses(probed, cost, allowed, root);
  const isStuck = cost > allowed && causes.every(({ cause }) => cause.largestBound === undefined);
  return {
    path: path.toString(),
    rule: compiled.rule.rule,
    estimate: compiled.maxCost,
    cardinality: context.cardinality ?? compiled.maxCardinality,
    isCardinalityBounded: context.cardinality !== undefined,
    total: cost,
    ruleShare: share(cost, STATIC_ESTIMATED_COST_LIMIT),
    schemaShare: share(cost, STATIC_ESTIMATED_CRD_COST_LIMIT),
    messageCost: compiled.messageProgram === undefined ? undefined : compiled.messageMaxCost,
    causes: causes.map(({ cause }) => cause),
    boundForAll: isStuck && probed !== undefined ? boundForAll(probed, causes, allowed) : undefined,
  };
}

/** What the rule may cost if all others stay as they are; its own limit where they leave nothing. */
function allowedCost(cost: bigint, total: bigint): bigint {
  const excess = total - STATIC_ESTIMATED_CRD_COST_LIMIT;
  const left = excess > 0n ? cost - excess : cost;
  if (excess <= 0n || left <= 0n || left > STATIC_ESTIMATED_COST_LIMIT) return STATIC_ESTIMATED_COST_LIMIT;
  return left;
}

interface FoundCause {
  readonly place: BoundPlace;
  readonly cause: CostCause;
}

function findCauses(probed: ProbedRule, cost: bigint, allowed: bigint, root: string): FoundCause[] {
  const places = [...repetitions(probed.context), ...operands(probed)];
  return places
    .filter(({ place }) => costWith(probed, [{ ...place, value: 1 }]) < cost)
    .map(({ place, schema, role }) => {
      const declared = schema[place.keyword];
      const isOver = cost > allowed;
      const largestBound = isOver ? largest((value) => costWith(probed, [{ ...place, value }]) <= allowed) : undefined;
      const paths = { path: schemaPath(root, place.steps), field: fieldPath(place.steps) };
      return { place, cause: { ...paths, keyword: place.keyword, declared, role, largestBound } };
    });
}

interface Candidate {
  readonly place: BoundPlace;
  readonly schema: Structural;
  readonly role: CostCause["role"];
}

/** Lists and maps around the rule. */
function repetitions(context: RuleContext): Candidate[] {
  const { parent } = context;
  if (parent === undefined) return [];
  const keyword = context.step?.kind === "property" ? undefined : boundKeyword(parent.schema);
  const outer = repetitions(parent);
  if (keyword === undefined) return outer;
  return [...outer, { place: { steps: stepsTo(parent), keyword }, schema: parent.schema, role: "repetition" }];
}

/** Lists, maps and strings that the rule itself reads. */
function operands({ ast, context }: ProbedRule): Candidate[] {
  const base = stepsTo(context);
  return askedSizes({ ast, context }).flatMap((path) => {
    const steps: RuleStep[] = [];
    let schema: Structural | undefined = context.schema;
    for (const name of path) {
      const step: RuleStep | undefined = schema && schemaStep(schema, name);
      if (schema === undefined || step === undefined) return [];
      schema = childSchema(schema, step);
      steps.push(step);
    }
    const keyword = schema && boundKeyword(schema);
    if (schema === undefined || keyword === undefined) return [];
    return [{ place: { steps: [...base, ...steps], keyword }, schema, role: "operand" as const }];
  });
}

const MAX_BOUND = 3 * 1024 * 1024;

/** The largest bound that fits, where smaller ones fit too; undefined if none does. */
function largest(fits: (bound: number) => boolean): number | undefined {
  if (!fits(1)) return undefined;
  let [low, high] = [1, MAX_BOUND];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function boundForAll(probed: ProbedRule, causes: readonly FoundCause[], allowed: bigint): number | undefined {
  const boundsOf = (value: number) => causes.map(({ place }) => ({ ...place, value }));
  return causes.length < 2 ? undefined : largest((value) => costWith(probed, boundsOf(value)) <= allowed);
}

const STEP_TEXT = { items: ".items", additional: ".additionalProperties", keys: ".x-kubernetes-property-names" };

function schemaPath(root: string, steps: readonly RuleStep[]): string {
  return steps.reduce(
    (path, step) => path + (step.kind === "property" ? `.properties[${step.name}]` : STEP_TEXT[step.kind]),
    root,
  );
}

function fieldPath(steps: readonly RuleStep[]): string {
  const text = steps.map((step) => {
    if (step.kind === "property") return `.${step.name}`;
    return step.kind === "keys" ? "[key]" : "[*]";
  });
  return text.join("").replace(/^\./, "");
}
