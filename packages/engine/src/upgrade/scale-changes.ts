/**
 * A scale subresource that is new, or reads other fields: replicas must be non-negative 32-bit integers and the
 * selector a string, wherever the fields are, and updates are not ratcheted.
 */
import type { ScaleSubresource } from "../crd/definition.ts";
import type { CustomResource } from "../review/custom-resource/custom-resource.ts";
import { EMPTY_SCHEMA, type Structural } from "../schema/structural.ts";
import { Float64, type JsonValue } from "../value/json.ts";
import type { Change } from "./change.ts";
import { conjuncts } from "./contain/proof.ts";
import { type SchemaStep, undeclared } from "./pairs.ts";
import { stepSchema } from "./place.ts";
import type { WitnessFinder } from "./witness/witness.ts";

const SCALE = "subresources.scale";
const MAX_REPLICAS = 2 ** 31 - 1;

export function scaleChanges(old: CustomResource, next: CustomResource, finder: () => WitnessFinder): Change[] {
  const before = pathsOf(old.scale);
  return pathsOf(next.scale)
    .filter(({ text }) => !before.some((each) => each.text === text))
    .map(({ text, isNumber }) => {
      const path = text
        .split(".")
        .filter((name) => name !== "")
        .map((name): SchemaStep => ({ kind: "property", name }));
      const base = { ...EMPTY_CHANGE, detail: text, path, after: text };
      if (isProved(old.schema ?? EMPTY_SCHEMA, path, isNumber))
        return { ...base, verdict: "safe", why: "the schema allows nothing else there" };
      const values = isNumber ? NUMBERS : [1, true];
      const witness = finder().findAt(path, { keyword: SCALE, detail: text }, values);
      return witness === undefined
        ? { ...base, verdict: "unknown", reason: "no-witness" }
        : { ...base, verdict: "unsafe", witness };
    });
}

const NUMBERS: readonly JsonValue[] = [-1, MAX_REPLICAS + 1, "a", new Float64(0.5)];

const EMPTY_CHANGE = {
  axis: "validity",
  keyword: SCALE,
  why: "",
  reason: undefined,
  before: undefined,
  witness: undefined,
  effect: undefined,
} as const;

function pathsOf(scale: ScaleSubresource | undefined): { readonly text: string; readonly isNumber: boolean }[] {
  if (scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  const numbers = [specReplicasPath, statusReplicasPath].map((text) => ({ text, isNumber: true }));
  return labelSelectorPath === undefined ? numbers : [...numbers, { text: labelSelectorPath, isNumber: false }];
}

/** If the schema has no place for a value, none can be wrong. */
function isProved(root: Structural, path: readonly SchemaStep[], isNumber: boolean): boolean {
  let at: Structural | undefined = root;
  for (const step of path) {
    if (at === undefined) return false;
    const inner: Structural | undefined = stepSchema(at, step);
    if (inner === undefined && undeclared(at) === undefined) return true;
    at = inner;
  }
  if (at === undefined) return false;
  const nodes = conjuncts(at);
  if (!isNumber) return at.type === "string";
  const isSmall = nodes.some(({ format, maximum }) => format === "int32" || (maximum ?? Infinity) <= MAX_REPLICAS);
  return at.type === "integer" && isSmall && nodes.some(({ minimum }) => (minimum ?? -1) >= 0);
}
