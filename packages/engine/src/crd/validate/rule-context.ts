/**
 * CEL rules of a definition: what `self` is declared as at each node, how often a rule can run, and what all of it
 * may cost.
 *
 * Follows apiextensions pkg/apis/apiextensions/validation/cel_validation.go. Where an ancestor has rules, the declared
 * type is a part of the ancestor's, which differs from the node's own in places: a resource's metadata, for one.
 */

import { type FieldError, forbidden, internalError, invalid } from "../../field/error.ts";
import type { FieldPath } from "../../field/path.ts";
import { type DeclType, schemaDeclType } from "../../kubecel/decl-type.ts";
import { escapeName } from "../../kubecel/escaping.ts";
import { STATIC_ESTIMATED_COST_LIMIT } from "../../kubecel/limits.ts";
import type { KubernetesVersion } from "../../kubecel/versions.ts";
import { type CompiledRule, compileRules } from "../../rules/compile.ts";
import { noDeclaredType } from "../../rules/messages.ts";
import type { RuleCache } from "../../rules/rule-cache.ts";
import type { RuleTimes } from "../../rules/times.ts";
import { newSchema, type Structural } from "../../schema/structural.ts";
import { type JsonObject, newObject } from "../../value/json.ts";
import { multiplySaturated, type TotalCost } from "../cost-total.ts";
import { goRule } from "../go-json.ts";
import * as messages from "../messages.ts";
import type { Switches } from "./ratchet.ts";

export interface RuleSetting {
  readonly version: KubernetesVersion;
  readonly isStored: (expression: string) => boolean;
  readonly total: TotalCost;
  /** Hears of every compiled rule, for reports. */
  readonly onRule?: ((observed: ObservedRule) => void) | undefined;
  readonly ruleCache?: RuleCache<CompiledRule> | undefined;
  readonly times?: RuleTimes | undefined;
}

export interface ObservedRule {
  readonly path: FieldPath;
  readonly context: RuleContext;
  readonly compiled: CompiledRule;
  readonly cost: bigint;
}

export type RuleStep =
  | { readonly kind: "property"; readonly name: string }
  | { readonly kind: "items" }
  | { readonly kind: "additional" }
  | { readonly kind: "keys" };

export class RuleContext {
  readonly schema: Structural;
  readonly setting: RuleSetting;
  readonly parent: RuleContext | undefined;
  readonly step: RuleStep | undefined;
  /** Whether this node or one above it has rules. */
  readonly isInScope: boolean;
  /** How many values of this node an object can have; undefined if a list or map above is unbounded. */
  readonly cardinality: bigint | undefined;
  #declared: { readonly type: DeclType | undefined; readonly problem: string | undefined } | undefined;

  constructor(init: Pick<RuleContext, "schema" | "setting" | "parent" | "step" | "cardinality">) {
    this.schema = init.schema;
    this.setting = init.setting;
    this.parent = init.parent;
    this.step = init.step;
    this.cardinality = init.cardinality;
    this.isInScope = init.parent?.isInScope === true || init.schema.validations.length > 0;
  }

  /** The declared type of `self`; a problem is what upstream fails with. */
  get declared(): { readonly type: DeclType | undefined; readonly problem: string | undefined } {
    this.#declared ??= this.#declare();
    return this.#declared;
  }

  #declare(): { type: DeclType | undefined; problem: string | undefined } {
    if (this.step?.kind === "keys") return this.#convert();
    if (this.parent?.isInScope === true && this.step !== undefined) {
      const above = this.parent.declared;
      if (above.problem !== undefined) return above;
      const part = partOf(above.type, this.step);
      if (part !== undefined) return { type: part, problem: undefined };
      // Upstream takes the elements of a type for declared whether there are any or not.
      if (this.step.kind !== "property") return { type: undefined, problem: undefined };
    }
    return this.#convert();
  }

  #convert(): { type: DeclType | undefined; problem: string | undefined } {
    const resourceRoot = this.parent === undefined || this.schema.embeddedResource;
    const type = schemaDeclType(this.schema, { resourceRoot, propertyNames: true });
    return { type, problem: type === undefined ? messages.noDeclaration() : undefined };
  }
}

function partOf(type: DeclType | undefined, step: RuleStep): DeclType | undefined {
  if (step.kind !== "property") return type?.element;
  const escaped = escapeName(step.name);
  return escaped === undefined ? undefined : type?.fields?.get(escaped);
}

export function rootContext(schema: Structural, setting: RuleSetting): RuleContext {
  return new RuleContext({ schema, setting, parent: undefined, step: undefined, cardinality: 1n });
}

export function childContext(parent: RuleContext, schema: Structural, step: RuleStep): RuleContext {
  const elements = maxElements(parent.schema);
  const cardinality =
    parent.cardinality === undefined || elements === undefined
      ? undefined
      : multiplySaturated(parent.cardinality, elements);
  return new RuleContext({ schema, setting: parent.setting, parent, step, cardinality });
}

/** A key is a plain string to rules, whatever its format. */
export function keyContext(parent: RuleContext, propertyNames: Structural): RuleContext {
  return childContext(parent, newSchema({ ...propertyNames, format: "" }), { kind: "keys" });
}

/** By how much a node multiplies what is below it; undefined if there is no bound. */
function maxElements({ type, additionalProperties, maxProperties, maxItems }: Structural): bigint | undefined {
  if (type === "array") return maxItems === undefined ? undefined : atLeastZero(maxItems);
  if (type !== "object" || additionalProperties === undefined) return 1n;
  return maxProperties === undefined ? undefined : atLeastZero(maxProperties);
}

function atLeastZero(bound: number): bigint {
  return bound < 0 ? 0n : BigInt(bound);
}

export interface RuleChecks {
  readonly switches: Switches;
  readonly suppressRuleCost: boolean;
  readonly uncorrelatable: FieldPath | undefined;
}

/** Compiles the rules of one node and adds up their cost. */
export function validateRules(context: RuleContext, path: FieldPath, checks: RuleChecks): FieldError[] {
  const at = path.child("x-kubernetes-validations");
  const { type, problem } = context.declared;
  if (problem !== undefined) return [internalError(at, messages.noTypeInfo(problem), "rule")];
  if (type === undefined) return [internalError(at, noDeclaredType(), "rule")];
  const compiled = compileRules(context.schema, context.schema.validations, type, context.setting);
  return compiled.flatMap((rule, index) => validateRule(rule, context, at.index(index), checks));
}

function validateRule(compiled: CompiledRule, context: RuleContext, path: FieldPath, checks: RuleChecks): FieldError[] {
  const errors = [
    ...checkRuleCost(compiled, context, path.child("rule"), checks),
    ...checkMessageExpression(compiled, context, path.child("messageExpression"), checks),
  ];
  const { rule, usesOldSelf } = compiled;
  if (usesOldSelf && checks.uncorrelatable !== undefined) {
    const detail = messages.uncorrelatable(checks.uncorrelatable.toString());
    errors.push(invalid(path.child("rule"), rule.rule, detail, "oldSelf"));
  } else if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
    const detail = messages.optionalWithoutOldSelf();
    errors.push(invalid(path.child("optionalOldSelf"), rule.optionalOldSelf, detail, "optionalOldSelf"));
  }
  return errors;
}

function checkRuleCost(
  compiled: CompiledRule,
  context: RuleContext,
  path: FieldPath,
  checks: RuleChecks,
): FieldError[] {
  const cost = ruleCost(compiled, context);
  context.setting.onRule?.({ path, context, compiled, cost });
  context.setting.total.observe(path, cost);
  const errors = overLimit(messages.RULE_COST, cost, path, checks);
  if (compiled.error !== undefined) errors.push(invalid(path, shownRule(compiled), compiled.error, "rule"));
  return errors;
}

/** What a rule costs times how often it can run. */
function ruleCost(compiled: CompiledRule, context: RuleContext): bigint {
  return multiplySaturated(compiled.maxCost, context.cardinality ?? compiled.maxCardinality);
}

/** A message is made once at most, so its cost is not multiplied. */
function checkMessageExpression(
  compiled: CompiledRule,
  context: RuleContext,
  path: FieldPath,
  checks: RuleChecks,
): FieldError[] {
  if (compiled.messageError !== undefined) {
    return [invalid(path, shownRule(compiled), compiled.messageError, "messageExpression")];
  }
  if (compiled.messageProgram === undefined) return [];
  context.setting.total.observe(path, compiled.messageMaxCost);
  return overLimit(messages.MESSAGE_COST, compiled.messageMaxCost, path, checks);
}

function overLimit(subject: string, cost: bigint, path: FieldPath, checks: RuleChecks): FieldError[] {
  if (checks.suppressRuleCost || cost <= STATIC_ESTIMATED_COST_LIMIT) return [];
  return [forbidden(path, messages.costExceeded(subject, cost, STATIC_ESTIMATED_COST_LIMIT), "cost")];
}

function shownRule({ rule }: CompiledRule): ReturnType<typeof goRule> {
  const json: JsonObject = newObject();
  for (const [key, value] of Object.entries(rule)) if (value !== undefined) json[key] = value;
  return goRule(json);
}
