/**
 * Running the rules of a schema over a value, and its old value where there is one.
 *
 * Follows apiextensions pkg/apiserver/schema/cel/validation.go: rules of a node in order, then those of its `allOf`, then
 * items or members. All share one budget; when it is spent nothing further runs. Members are visited in the order of the
 * schema and map entries by key, where upstream's order is random.
 */
import { isError, OptionalValue, type Value } from "@portcullis/cel";
import { type FieldError, invalid } from "../field/error.ts";
import { type FieldPath, nilPath } from "../field/path.ts";
import { schemaValue } from "../kubecel/unstructured.ts";
import type { Correlation } from "../schema/correlate.ts";
import { MapList } from "../schema/map-list.ts";
import { hasKey, isArray, isObject, type JsonObject, type JsonValue, sortedKeys } from "../value/json.ts";
import type { CompiledRule } from "./compile.ts";
import { errorForReason, evaluateMessage } from "./message.ts";
import * as messages from "./messages.ts";
import { isForgiven, type RatchetReason, ratchetReason, type Trail, type TrailStep } from "./ratchet.ts";
import type { RuleNode } from "./tree.ts";

export interface RuleRequest {
  readonly value: JsonValue;
  /** Undefined on create. */
  readonly oldValue?: JsonValue | undefined;
  /** Set where unchanged values are forgiven. */
  readonly correlation?: Correlation | undefined;
  readonly budget: number;
  readonly path?: FieldPath;
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
  const run: Run = { correlation: request.correlation, kept: [], forgiven: [], remaining: request.budget };
  visit(tree, request.value, request.oldValue ?? null, request.path ?? nilPath, undefined, run);
  return run;
}

interface Run {
  readonly correlation: Correlation | undefined;
  readonly kept: RuleFinding[];
  readonly forgiven: ForgivenRule[];
  remaining: number;
}

function visit(
  node: RuleNode,
  value: JsonValue,
  old: JsonValue,
  path: FieldPath,
  trail: Trail | undefined,
  run: Run,
): void {
  // A rule never sees null; the schema around it can.
  if (value === null || run.remaining < 0) return;
  runRules(node, value, old, path, trail, run);
  for (const branch of node.allOf) visit(branch, value, old, path, below(trail, { kind: "allOf" }), run);
  if (run.remaining < 0) return;
  if (isArray(value)) visitItems(node, value, old, path, trail, run);
  else if (isObject(value)) visitMembers(node, value, isObject(old) ? old : undefined, path, trail, run);
}

function visitItems(
  node: RuleNode,
  items: readonly JsonValue[],
  old: JsonValue,
  path: FieldPath,
  trail: Trail | undefined,
  run: Run,
): void {
  if (node.items === undefined) return;
  const oldItems = isArray(old) && node.schema.listType === "map" ? new MapList(node.schema, old) : undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as JsonValue;
    visit(node.items, item, oldItems?.get(item) ?? null, path.index(index), below(trail, { kind: "item", index }), run);
  }
}

function visitMembers(
  node: RuleNode,
  object: JsonObject,
  old: JsonObject | undefined,
  path: FieldPath,
  trail: Trail | undefined,
  run: Run,
): void {
  const before = isCorrelatable(node.schema.mapType) ? old : undefined;
  if (node.additional !== undefined || node.keys !== undefined) {
    for (const name of sortedKeys(object)) {
      if (node.keys !== undefined)
        visit(node.keys, name, null, path.key(name), below(trail, { kind: "keyName", name }), run);
      if (node.additional === undefined) continue;
      const member = object[name] as JsonValue;
      visit(
        node.additional,
        member,
        before?.[name] ?? null,
        path.key(name),
        below(trail, { kind: "member", name }),
        run,
      );
    }
  }
  for (const [name, property] of node.properties) {
    if (!hasKey(object, name)) continue;
    const member = object[name] as JsonValue;
    visit(property, member, before?.[name] ?? null, path.child(name), below(trail, { kind: "member", name }), run);
  }
}

function isCorrelatable(mapType: string | undefined): boolean {
  return mapType === undefined || mapType === "granular" || mapType === "atomic";
}

function below(parent: Trail | undefined, step: TrailStep): Trail {
  return { parent, step };
}

/** One node's values, read once for all its rules. */
interface Scene {
  readonly node: RuleNode;
  readonly value: JsonValue;
  readonly hasOld: boolean;
  readonly self: Value;
  readonly oldSelf: Value | undefined;
  readonly path: FieldPath;
  readonly trail: Trail | undefined;
}

function runRules(
  node: RuleNode,
  value: JsonValue,
  old: JsonValue,
  path: FieldPath,
  trail: Trail | undefined,
  run: Run,
): void {
  if (node.problem !== undefined) {
    keep(run, invalid(path, node.schema.type, messages.initializationError(node.problem), "rule"), "evaluation");
    return;
  }
  if (node.rules.length === 0) return;
  if (run.remaining <= 0) {
    stop(run, path, node);
    return;
  }
  const oldSelf = old === null ? undefined : schemaValue(old, node.schema);
  const scene = { node, value, hasOld: old !== null, self: schemaValue(value, node.schema), oldSelf, path, trail };
  for (const rule of node.rules) {
    runRule(rule, scene, run);
    if (run.remaining < 0) return;
  }
}

function runRule(compiled: CompiledRule, scene: Scene, run: Run): void {
  const { node, path } = scene;
  if (compiled.error !== undefined) {
    keep(run, invalid(path, node.schema.type, messages.ruleCompileError(compiled.error), "rule"), "evaluation");
    return;
  }
  const isOptional = compiled.rule.optionalOldSelf === true;
  if (compiled.program === undefined || (compiled.usesOldSelf && !scene.hasOld && !isOptional)) return;
  const oldSelf = isOptional ? new OptionalValue(scene.oldSelf) : scene.oldSelf;
  const { value, cost } = compiled.program.evaluate(
    oldSelf === undefined ? { self: scene.self } : { self: scene.self, oldSelf },
  );
  if (cost > run.remaining) {
    stop(run, path, node);
    return;
  }
  run.remaining -= cost;
  if (isError(value)) failWith(value.message, compiled, scene, run);
  else if (value !== true) fail(compiled, scene, run);
}

function stop(run: Run, path: FieldPath, node: RuleNode): void {
  keep(run, invalid(path, node.schema.type, messages.outOfBudget(), "budget"), "evaluation");
  run.remaining = -1;
}

/** The rule could not be evaluated. Never forgiven. */
function failWith(error: string, compiled: CompiledRule, scene: Scene, run: Run): void {
  const rule = messages.ruleText(compiled.rule);
  const { path } = scene;
  const { type } = scene.node.schema;
  if (error.startsWith("no such overload")) {
    keep(run, invalid(path, type, messages.noSuchOverload(error, rule), "rule"), "evaluation");
  } else if (error.startsWith("operation cancelled: actual cost limit exceeded")) {
    keep(run, invalid(path, type, messages.callCostExceeded(error, rule), "budget"), "evaluation");
    run.remaining = -1;
  } else keep(run, invalid(path, type, messages.evaluationFailed(error, rule), "rule"), "evaluation");
}

/** The rule is false. */
function fail(compiled: CompiledRule, scene: Scene, run: Run): void {
  const { node, value } = scene;
  const path = compiled.fieldPath === "" ? scene.path : scene.path.child(compiled.fieldPath);
  const message = evaluateMessage(compiled, scene.self, scene.oldSelf, run.remaining);
  run.remaining = message.remaining;
  if (message.refusal !== undefined) {
    settle(compiled, scene, run, invalid(path, node.schema.type, message.refusal, "budget"));
    return;
  }
  const isCompound = node.schema.type === "object" || node.schema.type === "array";
  settle(compiled, scene, run, errorForReason(compiled.rule, path, isCompound ? undefined : value, message.text));
}

function settle(compiled: CompiledRule, scene: Scene, run: Run, error: FieldError): void {
  const reason = compiled.usesOldSelf ? "transition" : ratchetReason(run.correlation, scene.trail);
  if (isForgiven(reason)) run.forgiven.push({ error, reason, unchanged: scene.path.toString() });
  else keep(run, error, reason);
}

function keep(run: Run, error: FieldError, reason: RatchetReason): void {
  run.kept.push({ error, reason });
}
