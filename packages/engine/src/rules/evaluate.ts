/**
 * Running the rules of a schema over a value, and its old value where there is one.
 *
 * Follows apiextensions pkg/apiserver/schema/cel/validation.go: rules of a node in order, then those of its `allOf`, then
 * items or members. All share one budget; when it is spent nothing further runs. Members are visited in the order of the
 * schema and map entries by key, where upstream's order is random.
 */
import { isError, type OptionalValue, type Value, type Variables } from "@portcullis/cel";
import { countWork } from "@portcullis/gostd/work";
import { type FieldError, invalid } from "../field/error.ts";
import { moreErrors } from "../field/messages.ts";
import { type FieldPath, nilPath } from "../field/path.ts";
import type { Correlation } from "../schema/correlate.ts";
import { MapList } from "../schema/map-list.ts";
import { isArray, isObject, type JsonObject, type JsonValue, sortedKeys } from "../value/json.ts";
import { since } from "../value/server-version.ts";
import type { CompiledRule } from "./compile.ts";
import { errorForReason, evaluateMessage } from "./message.ts";
import * as messages from "./messages.ts";
import { NO_OLD_SELF, optionalOldSelf } from "./old-self.ts";
import { Position } from "./position.ts";
import { isForgiven, type RatchetReason, ratchetReason } from "./ratchet.ts";
import type { RuleTimes } from "./times.ts";
import type { RuleNode } from "./tree.ts";

export interface RuleRequest {
  readonly value: JsonValue;
  /** Undefined on create. */
  readonly oldValue?: JsonValue | undefined;
  /** Set where unchanged values are forgiven. */
  readonly correlation?: Correlation | undefined;
  readonly budget: number;
  readonly path?: FieldPath;
  readonly times?: RuleTimes | undefined;
}

export interface RuleFinding {
  readonly error: FieldError;
  readonly reason: RatchetReason;
}

export interface ForgivenRule extends RuleFinding {
  /** The path of the value that did not change. */
  readonly unchanged: string;
}

export interface RuleResult {
  readonly kept: readonly RuleFinding[];
  /** Shown to the client as warnings. */
  readonly forgiven: readonly ForgivenRule[];
  /** What is left of the budget; negative where it ran out. */
  readonly remaining: number;
}

export function evaluateRules(tree: RuleNode, request: RuleRequest): RuleResult {
  const position = new Position(request.path ?? nilPath);
  const run: Run = {
    correlation: request.correlation,
    position,
    kept: [],
    forgiven: [],
    remaining: request.budget,
    times: request.times,
  };
  visit(tree, request.value, request.oldValue ?? null, run);
  return run;
}

interface Run {
  readonly correlation: Correlation | undefined;
  readonly position: Position;
  readonly kept: RuleFinding[];
  readonly forgiven: ForgivenRule[];
  remaining: number;
  readonly times: RuleTimes | undefined;
}

// Rules that cost nothing can fail for every value of an object; an answer need not hold them all.
const MAX_FINDINGS = 5_000;

function visit(node: RuleNode, value: JsonValue, old: JsonValue, run: Run): void {
  const { times } = run;
  if (times === undefined) {
    visitNode(node, value, old, run);
    return;
  }
  const start = times.clock();
  visitNode(node, value, old, run);
  times.evaluation(times.clock() - start);
}

function visitNode(node: RuleNode, value: JsonValue, old: JsonValue, run: Run): void {
  // A rule never sees null; the schema around it can.
  if (value === null || run.remaining < 0) return;
  if (run.kept.length + run.forgiven.length >= MAX_FINDINGS) {
    endWith(run, node, moreErrors());
    return;
  }
  if (node.rules.length > 0 || node.problem !== undefined) runRules(node, value, old, run);
  if (node.allOf.length > 0) visitBranches(node, value, old, run);
  if (run.remaining < 0) return;
  if (isArray(value)) visitItems(node, value, old, run);
  else if (isObject(value)) visitMembers(node, value, isObject(old) ? old : undefined, run);
}

function visitBranches(node: RuleNode, value: JsonValue, old: JsonValue, run: Run): void {
  run.position.enter("allOf", "");
  for (const branch of node.allOf) visit(branch, value, old, run);
  run.position.leave();
}

function visitItems(node: RuleNode, items: readonly JsonValue[], old: JsonValue, run: Run): void {
  if (node.items === undefined) return;
  const oldItems = isArray(old) && node.schema.listType === "map" ? new MapList(node.schema, old) : undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as JsonValue;
    run.position.enter("item", index);
    visit(node.items, item, oldItems?.get(item) ?? null, run);
    run.position.leave();
  }
}

function visitMembers(node: RuleNode, object: JsonObject, old: JsonObject | undefined, run: Run): void {
  const before = isCorrelatable(node.schema.mapType) ? old : undefined;
  if (node.additional !== undefined || node.keys !== undefined) visitEntries(node, object, before, run);
  for (const [name, property] of node.members) {
    // Objects inherit nothing, so what is not undefined is there.
    const member = object[name];
    if (member === undefined) continue;
    run.position.enter("property", name);
    visit(property, member, before?.[name] ?? null, run);
    run.position.leave();
  }
}

function visitEntries(node: RuleNode, object: JsonObject, before: JsonObject | undefined, run: Run): void {
  for (const name of sortedKeys(object)) {
    if (node.keys !== undefined) {
      run.position.enter("keyName", name);
      visit(node.keys, name, null, run);
      run.position.leave();
    }
    if (node.additional === undefined) continue;
    run.position.enter("entry", name);
    visit(node.additional, object[name] as JsonValue, before?.[name] ?? null, run);
    run.position.leave();
  }
}

function isCorrelatable(mapType: string | undefined): boolean {
  return mapType === undefined || mapType === "granular" || mapType === "atomic";
}

/** One node's values, read once for all its rules. */
interface RuleInputs {
  readonly node: RuleNode;
  readonly value: JsonValue;
  readonly old: JsonValue;
  readonly self: Value;
  readonly oldSelf: Value | undefined;
  /** `self` and `oldSelf` as a rule without `optionalOldSelf` sees them. */
  readonly variables: Variables;
}

function runRules(node: RuleNode, value: JsonValue, old: JsonValue, run: Run): void {
  if (node.problem !== undefined) {
    keepInvalid(run, node, messages.initializationError(node.problem), "rule");
    return;
  }
  if (run.remaining <= 0) {
    stop(run, node);
    return;
  }
  const self = node.read(value);
  const oldSelf = old === null ? undefined : node.read(old);
  const variables: Variables = oldSelf === undefined ? { self } : { self, oldSelf };
  const inputs = { node, value, old, self, oldSelf, variables };
  for (const rule of node.rules) {
    runRule(rule, inputs, run);
    if (run.remaining < 0) return;
  }
}

const WORK_OF_RULE = 16;

function runRule(compiled: CompiledRule, inputs: RuleInputs, run: Run): void {
  const { node } = inputs;
  if (compiled.error !== undefined) {
    keepInvalid(run, node, messages.ruleCompileError(compiled.error), "rule");
    return;
  }
  const isOptional = compiled.rule.optionalOldSelf === true;
  if (compiled.program === undefined || (compiled.usesOldSelf && inputs.oldSelf === undefined && !isOptional)) return;
  const variables = isOptional ? { self: inputs.self, oldSelf: optionalOf(inputs) } : inputs.variables;
  const { value, cost } = compiled.program.evaluate(variables);
  countWork(cost + WORK_OF_RULE);
  if (cost > run.remaining) {
    stop(run, node);
    return;
  }
  run.remaining -= cost;
  if (value === true) return;
  if (isError(value)) failWith(value.message, compiled, node, run);
  else fail(compiled, inputs, run);
}

function optionalOf({ old, oldSelf }: RuleInputs): OptionalValue {
  return oldSelf === undefined ? NO_OLD_SELF : optionalOldSelf(old, oldSelf);
}

function stop(run: Run, node: RuleNode): void {
  endWith(run, node, messages.outOfBudget());
}

/** Nothing further is run. */
function endWith(run: Run, node: RuleNode, detail: string): void {
  keepInvalid(run, node, detail, "budget");
  run.remaining = -1;
}

/** The rule could not be evaluated. Never forgiven. */
function failWith(error: string, compiled: CompiledRule, node: RuleNode, run: Run): void {
  const rule = messages.ruleText(compiled.rule);
  if (error.startsWith("no such overload")) keepInvalid(run, node, messages.noSuchOverload(error, rule), "rule");
  else if (error.startsWith("operation cancelled: actual cost limit exceeded")) {
    endWith(run, node, messages.callCostExceeded(error, rule));
  } else keepInvalid(run, node, messages.evaluationFailed(error, rule), "rule");
}

function keepInvalid(run: Run, node: RuleNode, detail: string, origin: string): void {
  run.kept.push({ error: invalid(run.position.path(), node.schema.type, detail, origin), reason: "evaluation" });
}

/** The rule is false. */
function fail(compiled: CompiledRule, inputs: RuleInputs, run: Run): void {
  const { node, value } = inputs;
  const here = run.position.path();
  const path = compiled.fieldPath === "" ? here : here.child(compiled.fieldPath);
  const message = evaluateMessage(compiled, inputs.self, inputs.oldSelf, run.remaining);
  run.remaining = message.remaining;
  if (message.refusal !== undefined) {
    recordFailure(compiled, run, invalid(path, node.schema.type, message.refusal, "budget"), here);
    return;
  }
  recordFailure(compiled, run, errorForReason(compiled.rule, path, shownValue(node, value), message.text), here);
}

/** Up to 1.34 the type is shown in place of the value. */
function shownValue({ schema: { type } }: RuleNode, value: JsonValue): JsonValue | undefined {
  if (!since("1.35")) return type;
  return type === "object" || type === "array" ? undefined : value;
}

function recordFailure(compiled: CompiledRule, run: Run, error: FieldError, here: FieldPath): void {
  const reason = compiled.usesOldSelf ? "transition" : ratchetReason(run.correlation, run.position.trail());
  if (isForgiven(reason)) run.forgiven.push({ error, reason, unchanged: here.toString() });
  else run.kept.push({ error, reason });
}
