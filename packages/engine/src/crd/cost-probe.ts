/**
 * What a rule would cost if a list, map or string of the schema had another bound.
 *
 * The rule stays compiled; only the sizes it is estimated with change, and how often it can run.
 */
import type { Ast } from "@portcullis/cel";
import { kubernetesEnvironment } from "../kubecel/environment.ts";
import { escapeName } from "../kubecel/escaping.ts";
import { maxCardinality } from "../kubecel/limits.ts";
import { declTypeSizeHints } from "../kubecel/size-hints.ts";
import { newSchema, type Structural } from "../schema/structural.ts";
import { multiplySaturated } from "./cost-total.ts";
import { childContext, keyContext, type RuleContext, type RuleStep, rootContext } from "./validate/rule-context.ts";

export type BoundKeyword = "maxItems" | "maxProperties" | "maxLength";

/** A schema below the root, and the keyword that bounds the size of its values. */
export interface BoundPlace {
  readonly steps: readonly RuleStep[];
  readonly keyword: BoundKeyword;
}

export interface Bound extends BoundPlace {
  readonly value: number;
}

export interface ProbedRule {
  readonly ast: Ast;
  readonly context: RuleContext;
}

/** The steps from the root to a node. */
export function stepsTo({ parent, step }: RuleContext): RuleStep[] {
  return parent === undefined || step === undefined ? [] : [...stepsTo(parent), step];
}

/** The estimate for one run times how often the rule can run. */
export function costWith({ ast, context }: ProbedRule, bounds: readonly Bound[]): bigint {
  const steps = stepsTo(context);
  const root = bounds.reduce((schema, bound) => withBound(schema, bound.steps, bound), rootOf(context).schema);
  const node = steps.reduce(stepDown, rootContext(root, context.setting));
  const { type } = node.declared;
  if (type === undefined) return 0n;
  const { max } = environmentOf(context).estimateCost(ast, declTypeSizeHints(type));
  return multiplySaturated(max, node.cardinality ?? maxCardinality(type.minSerializedSize));
}

/** Paths of `self` whose sizes the estimate asks for. */
export function askedSizes({ ast, context }: ProbedRule): readonly string[][] {
  const { type } = context.declared;
  if (type === undefined) return [];
  const hints = declTypeSizeHints(type);
  const asked = new Map<string, string[]>();
  environmentOf(context).estimateCost(ast, {
    estimateSize(node) {
      // `self` and `oldSelf` are of one type, so the name of the variable does not matter.
      const [variable, ...steps] = node.path;
      if (variable !== undefined) asked.set(JSON.stringify(steps), steps);
      return hints.estimateSize(node);
    },
  });
  return [...asked.values()];
}

function environmentOf({ setting }: RuleContext): ReturnType<typeof kubernetesEnvironment> {
  return kubernetesEnvironment({ version: setting.version, serverVersion: setting.version, mode: "stored" });
}

export function rootOf(context: RuleContext): RuleContext {
  return context.parent === undefined ? context : rootOf(context.parent);
}

function stepDown(context: RuleContext, step: RuleStep): RuleContext {
  const schema = childSchema(context.schema, step);
  if (schema === undefined) throw new Error("a step leads out of the schema");
  return step.kind === "keys" ? keyContext(context, schema) : childContext(context, schema, step);
}

export function childSchema(schema: Structural, step: RuleStep): Structural | undefined {
  switch (step.kind) {
    case "items":
      return schema.items;
    case "additional":
      return schema.additionalProperties?.schema;
    case "keys":
      return schema.propertyNames;
    case "property":
      return schema.properties.get(step.name);
  }
}

function withBound(schema: Structural, steps: readonly RuleStep[], bound: Bound): Structural {
  const [step, ...rest] = steps;
  if (step === undefined) return newSchema({ ...schema, [bound.keyword]: bound.value });
  const child = childSchema(schema, step);
  return child === undefined ? schema : withChild(schema, step, withBound(child, rest, bound));
}

function withChild(schema: Structural, step: RuleStep, child: Structural): Structural {
  switch (step.kind) {
    case "items":
      return newSchema({ ...schema, items: child });
    case "additional":
      return newSchema({ ...schema, additionalProperties: { allows: true, schema: child } });
    case "keys":
      return newSchema({ ...schema, propertyNames: child });
    case "property":
      return newSchema({ ...schema, properties: new Map([...schema.properties, [step.name, child]]) });
  }
}

/** The step of a schema that a step of the estimator means, such as `@items` or an escaped field. */
export function schemaStep(schema: Structural, name: string): RuleStep | undefined {
  if (name === "@items") return { kind: "items" };
  if (name === "@values") return schema.type === "array" ? { kind: "items" } : { kind: "additional" };
  if (name === "@keys") return { kind: "keys" };
  const property = [...schema.properties.keys()].find((each) => escapeName(each) === name);
  return property === undefined ? undefined : { kind: "property", name: property };
}

/** The keyword that bounds values of a schema; undefined if they have no size, or a known one. */
export function boundKeyword(schema: Structural): BoundKeyword | undefined {
  if (schema.intOrString) return "maxLength";
  switch (schema.type) {
    case "array":
      return "maxItems";
    case "object":
      return schema.additionalProperties === undefined ? undefined : "maxProperties";
    case "string":
      return hasKnownLength(schema) ? undefined : "maxLength";
    default:
      return undefined;
  }
}

const KNOWN_LENGTHS: readonly string[] = ["date", "date-time", "duration"];

function hasKnownLength({ format, enum: allowed, maxLength }: Structural): boolean {
  return KNOWN_LENGTHS.includes(format) || (maxLength === undefined && (allowed ?? []).length > 0);
}
