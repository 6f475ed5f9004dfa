/**
 * Whether what the scale subresource reads is always a value that it accepts.
 *
 * The proof follows the path through both schemas. A value that both keep is as good as the old CRD requires; a value
 * that only the new schema keeps is as good as that requires; a default is tried. Anything else is not proved.
 */
import type { CustomResource } from "../review/custom-resource/custom-resource.ts";
import { isScaleSelector, isScaleValue } from "../review/custom-resource/scale.ts";
import { applyDefaults } from "../schema/default.ts";
import { EMPTY_SCHEMA, type Structural } from "../schema/structural.ts";
import { deepEqual } from "../value/equal.ts";
import { hasKey, isObject, type JsonValue } from "../value/json.ts";
import { conjuncts } from "./contain/proof.ts";
import { undeclared } from "./pairs.ts";
import { RESOURCE_MEMBERS } from "./resource-members.ts";

export interface ScalePath {
  readonly text: string;
  readonly names: readonly string[];
  readonly isNumber: boolean;
}

export function scalePaths({ scale }: CustomResource): ScalePath[] {
  if (scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  const numbers = [specReplicasPath, statusReplicasPath].map((text) => pathOf(text, true));
  return labelSelectorPath === undefined ? numbers : [...numbers, pathOf(labelSelectorPath, false)];
}

function pathOf(text: string, isNumber: boolean): ScalePath {
  return { text, names: text.replace(/^\./, "").split("."), isNumber };
}

/** Whether both CRDs read the path in the same way and see the same value there. */
export function isScaleUnchanged(path: ScalePath, old: CustomResource, next: CustomResource): boolean {
  if (!wasRead(path, old) || old.preserveUnknownFields !== next.preserveUnknownFields) return false;
  let [before, after]: (Structural | undefined)[] = [old.schema ?? EMPTY_SCHEMA, next.schema ?? EMPTY_SCHEMA];
  for (const name of path.names) {
    const steps = [before, after].map((schema) => (schema === undefined ? NOTHING : stepInto(schema, name)));
    const [left, right] = steps;
    if (left === undefined || right === undefined || left.kind !== right.kind) return false;
    if (left.kind !== "declared" || right.kind !== "declared") return true;
    if (left.schema.nullable !== right.schema.nullable || !isSameDefault(left.schema, right.schema)) return false;
    [before, after] = [left.schema, right.schema];
  }
  return true;
}

const NOTHING: Step = { kind: "dropped" };

function isSameDefault({ default: before }: Structural, { default: after }: Structural): boolean {
  if (before === undefined || after === undefined) return before === after;
  return deepEqual(before, after);
}

/** Whether the old CRD already required such a value there. */
export function wasRead({ text, isNumber }: ScalePath, old: CustomResource): boolean {
  return scalePaths(old).some((each) => each.text === text && each.isNumber === isNumber);
}

export function isScaleProved(path: ScalePath, old: CustomResource, next: CustomResource): boolean {
  if (next.preserveUnknownFields) return false;
  const [before, after] = [old.schema ?? EMPTY_SCHEMA, next.schema ?? EMPTY_SCHEMA];
  if (requiresValue(after, path.names, path)) return true;
  return !old.preserveUnknownFields && keepsValue([before, after], path.names, path, wasRead(path, old));
}

/** Whether the schema, on its own, leaves room for nothing else. */
function requiresValue(schema: Structural, names: readonly string[], path: ScalePath): boolean {
  const [name, ...rest] = names;
  if (name === undefined) return path.isNumber ? requiresReplicas(schema) : requiresText(schema);
  const step = stepInto(schema, name);
  if (step?.kind !== "declared") return step?.kind === "dropped";
  return requiresValue(step.schema, rest, path);
}

/** Whether the value comes from an object that the old CRD accepts, and is acceptable there, or is a good default. */
function keepsValue(
  [old, next]: readonly [Structural, Structural],
  names: readonly string[],
  path: ScalePath,
  isRead: boolean,
): boolean {
  const [name, ...rest] = names;
  if (name === undefined) {
    // A null that was dropped is a value once it is kept.
    if (next.nullable && !old.nullable) return false;
    return isRead || (path.isNumber ? requiresReplicas(old) : requiresText(old));
  }
  const [before, after] = [stepInto(old, name), stepInto(next, name)];
  if (after?.kind === "dropped") return true;
  if (after?.kind !== "declared" || before === undefined || before.kind === "kept") return false;
  if (!isGoodDefault(after.schema, rest, path)) return false;
  if (before.kind === "dropped") return requiresValue(after.schema, rest, path);
  return keepsValue([before.schema, after.schema], rest, path, isRead);
}

function isGoodDefault(schema: Structural, rest: readonly string[], { isNumber }: ScalePath): boolean {
  if (schema.default === undefined) return true;
  let value: JsonValue | undefined = applyDefaults(schema.default, schema);
  for (const name of rest) {
    if (value === null || value === undefined) return true;
    if (!isObject(value)) return false;
    value = hasKey(value, name) ? value[name] : undefined;
  }
  if (value === undefined) return true;
  return isNumber ? isScaleValue(value) : isScaleSelector(value);
}

type Step =
  | { readonly kind: "declared"; readonly schema: Structural }
  /** Any value may be there. */
  | { readonly kind: "kept" }
  | { readonly kind: "dropped" };

/** Undefined if the schema allows anything but objects: they have no fields to read. */
function stepInto(schema: Structural, name: string): Step | undefined {
  if (schema.type !== "object" || schema.intOrString) return undefined;
  if (schema.embeddedResource && RESOURCE_MEMBERS.includes(name)) return { kind: "kept" };
  const declared = schema.properties.get(name) ?? schema.additionalProperties?.schema;
  if (declared !== undefined) return { kind: "declared", schema: declared };
  return undeclared(schema) === undefined ? NOTHING : { kind: "kept" };
}

function requiresReplicas(schema: Structural): boolean {
  if (schema.type !== "integer" || schema.nullable) return false;
  const nodes = conjuncts(schema);
  if (nodes.some((node) => node.enum?.every(isScaleValue) === true)) return true;
  return (
    nodes.some(({ minimum = -1, exclusiveMinimum }) => minimum > -1 || (exclusiveMinimum && minimum === -1)) &&
    nodes.some(({ format, maximum, exclusiveMaximum }) => {
      if (format === "int32") return true;
      return maximum !== undefined && (maximum < TOO_MANY || (exclusiveMaximum && maximum === TOO_MANY));
    })
  );
}

const TOO_MANY = 2 ** 31;

function requiresText({ type, nullable }: Structural): boolean {
  return type === "string" && !nullable;
}
