/**
 * Defaults must themselves be what the schema accepts: pruned, valid, and passing its rules.
 *
 * Follows apiextensions pkg/apiserver/schema/defaulting/validation.go. Defaults below `additionalProperties` are never
 * checked. A default inside a resource's metadata is validated within an object made up around it. Rules run as if the
 * value did not change, and again as if it were new; all share one budget.
 */
import { type FieldError, invalid } from "../../field/error.ts";
import { formatFieldError, formatFieldErrors } from "../../field/format.ts";
import type { FieldPath } from "../../field/path.ts";
import { RUNTIME_COST_BUDGET } from "../../kubecel/limits.ts";
import { compatibilityVersion, type KubernetesVersion, minorOf } from "../../kubecel/versions.ts";
import { evaluateRules } from "../../rules/evaluate.ts";
import type { RuleTimes } from "../../rules/times.ts";
import { compileRuleTree } from "../../rules/tree.ts";
import { coerceEmbedded, validateEmbedded } from "../../schema/embedded.ts";
import { prune } from "../../schema/prune.ts";
import { isMetaField, type Structural } from "../../schema/structural.ts";
import { compileValidator } from "../../schema/validate.ts";
import { append } from "../../value/append.ts";
import { deepEqual } from "../../value/equal.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { withMember } from "../../value/rewrite.ts";
import * as messages from "../messages.ts";

export interface DefaultOptions {
  readonly version: KubernetesVersion;
  readonly requirePruned: boolean;
  /** Whether rules that look at an optional old value are tried without one. */
  readonly ratcheting: boolean;
  readonly times?: RuleTimes | undefined;
}

/** `schema` is the root schema of a resource and is structural. */
export function validateDefaults(schema: Structural, path: FieldPath, options: DefaultOptions): FieldError[] {
  const walk: Walk = { options, errors: [], budget: RUNTIME_COST_BUDGET };
  // The resource is treated like one that is embedded, which excuses its metadata from pruning.
  const root = { ...schema, embeddedResource: true };
  visit({ schema: root, path, resource: root, steps: [], insideMeta: false }, walk);
  return walk.errors;
}

interface Walk {
  readonly options: DefaultOptions;
  readonly errors: FieldError[];
  budget: number;
}

interface Node {
  readonly schema: Structural;
  readonly path: FieldPath;
  /** The innermost resource around the node, and the steps from it to here; an index is any item. */
  readonly resource: Structural;
  readonly steps: readonly Step[];
  readonly insideMeta: boolean;
}

type Step = { readonly property: string } | "item";

function visit(at: Node, walk: Walk): void {
  const node = at.schema.embeddedResource ? { ...at, resource: at.schema, steps: [], insideMeta: false } : at;
  const { schema, path } = node;
  if (schema.default !== undefined) checkDefault(node, schema.default, walk);
  if (walk.budget < 0) return;
  if (schema.items !== undefined) {
    visit({ ...node, schema: schema.items, path: path.child("items"), steps: [...node.steps, "item"] }, walk);
  }
  for (const [name, property] of schema.properties) {
    if (walk.budget < 0) return;
    const insideMeta = node.insideMeta || (schema.embeddedResource && isMetaField(name));
    const at = path.child("properties").key(name);
    visit({ ...node, schema: property, path: at, steps: [...node.steps, { property: name }], insideMeta }, walk);
  }
  if (schema.propertyNames !== undefined) {
    const at = path.child("x-kubernetes-property-names");
    visit({ ...node, schema: schema.propertyNames, path: at, insideMeta: false }, walk);
  }
}

function checkDefault(node: Node, value: JsonValue, walk: Walk): void {
  const path = node.path.child("default");
  if (node.insideMeta) {
    const problem = metadataProblem(node, value);
    if (problem === undefined) append(walk.errors, checkValue(node, value, path, walk));
    else walk.errors.push(invalid(path, value, messages.badMetadata(problem), "default"));
    return;
  }
  const { embeddedResource } = node.schema;
  const coerced = coerceEmbedded(value, node.schema, { isResourceRoot: embeddedResource, path });
  if (walk.options.requirePruned && !isPruned(node.schema, value)) {
    // The message shows the default as it is after metadata was rewritten, which upstream does in place.
    walk.errors.push(invalid(path, coerced.value, messages.unknownInDefault(), "default"));
  }
  if (coerced.error !== undefined) {
    walk.errors.push(coerced.error);
    return;
  }
  const embedded = validateEmbedded(coerced.value, node.schema, embeddedResource, path);
  append(walk.errors, embedded.length > 0 ? embedded : checkValue(node, coerced.value, path, walk));
}

function isPruned(schema: Structural, value: JsonValue): boolean {
  return deepEqual(prune(value, schema, { isResourceRoot: schema.embeddedResource }), value);
}

/** What would be wrong with the metadata of a resource that got this default. */
function metadataProblem({ resource, steps }: Node, value: JsonValue): string | undefined {
  const coerced = coerceEmbedded(surround(steps, value), resource, { isResourceRoot: true });
  if (coerced.error !== undefined) return formatFieldError(coerced.error);
  const errors = validateEmbedded(coerced.value, resource, true);
  return errors.length === 0 ? undefined : formatFieldErrors(errors);
}

function surround(steps: readonly Step[], value: JsonValue): JsonObject {
  const wrapped = steps.reduceRight<JsonValue>(
    (inner, step) => (step === "item" ? [inner] : withMember(newObject(), step.property, inner)),
    value,
  );
  const object = isObject(wrapped) ? wrapped : newObject();
  const withKind = object["kind"] === undefined ? withMember(object, "kind", "Validation") : object;
  return withKind["apiVersion"] === undefined ? withMember(withKind, "apiVersion", "validation/v1") : withKind;
}

function checkValue({ schema, resource }: Node, value: JsonValue, path: FieldPath, walk: Walk): FieldError[] {
  const minor = minorOf(compatibilityVersion(walk.options.version));
  const validator = compileValidator(schema, { minor, forDefaults: true });
  const errors = validator.validate(value, path);
  return errors.length > 0 ? errors : checkRules(schema, schema === resource, value, path, walk);
}

function checkRules(
  schema: Structural,
  isResourceRoot: boolean,
  value: JsonValue,
  path: FieldPath,
  walk: Walk,
): FieldError[] {
  const { version, ratcheting, times } = walk.options;
  const tree = compileRuleTree(schema, { version, isStored: () => true, isResourceRoot, times });
  if (tree === undefined) return [];
  const unchanged = evaluateRules(tree, { value, oldValue: value, budget: walk.budget, path, times });
  let { remaining } = unchanged;
  const errors = unchanged.kept.map(({ error }) => error);
  if (errors.length === 0 && ratcheting) {
    const fresh = evaluateRules(tree, { value, budget: walk.budget, path, times });
    append(
      errors,
      fresh.kept.map(({ error }) => error),
    );
    remaining = Math.min(remaining, fresh.remaining);
  }
  walk.budget = remaining;
  return errors;
}
