/**
 * What a scale subresource reads: replicas must be non-negative 32-bit integers and the selector a string, whatever the
 * schema says, and updates are not ratcheted.
 *
 * It is a question if the subresource is new or reads other fields, and if the data that it reads changed.
 */
import type { CustomResource } from "../review/custom-resource/custom-resource.ts";
import { EMPTY_SCHEMA } from "../schema/structural.ts";
import { Float64, type JsonValue, newObject } from "../value/json.ts";
import type { Change } from "./change.ts";
import type { SchemaStep } from "./pairs.ts";
import { schemaAt } from "./place.ts";
import { isScaleProved, isScaleUnchanged, type ScalePath, scalePaths, wasRead } from "./scale-proof.ts";
import type { Sampler } from "./witness/sample.ts";
import type { WitnessFinder } from "./witness/witness.ts";
import type { Witness } from "./witness/witness-check.ts";

const SCALE = "subresources.scale";

export interface ScaleOptions {
  readonly sampler: Sampler;
  readonly newFinder: () => WitnessFinder;
}

export function scaleChanges(old: CustomResource, next: CustomResource, options: ScaleOptions): Change[] {
  return scalePaths(next)
    .filter((path) => !isScaleUnchanged(path, old, next))
    .map((path) => {
      const { text } = path;
      const before = wasRead(path, old) ? text : undefined;
      const base = { ...EMPTY_CHANGE, detail: text, path: stepsOf(path), before, after: text };
      if (isScaleProved(path, old, next))
        return { ...base, verdict: "safe", why: "the schema allows nothing else there" };
      const witness = findWitness(path, [old, next], options);
      if (witness === undefined || witness.isQuirk) return { ...base, verdict: "unknown", reason: "no-witness" };
      return { ...base, verdict: "unsafe", witness };
    });
}

const EMPTY_CHANGE = {
  axis: "validity",
  keyword: SCALE,
  why: "",
  reason: undefined,
  witness: undefined,
  effect: undefined,
} as const;

function stepsOf({ names }: ScalePath): SchemaStep[] {
  return names.map((name) => ({ kind: "property", name }));
}

/** At the field itself; then without it, because a default may fill it in; then at its parents, which may not be objects. */
function findWitness(
  path: ScalePath,
  sides: readonly [CustomResource, CustomResource],
  { sampler, newFinder }: ScaleOptions,
): Witness | undefined {
  const target = { keyword: SCALE, detail: path.text };
  const finder = newFinder();
  const steps = stepsOf(path);
  let accident: Witness | undefined;
  for (let length = steps.length; length >= 0; length--) {
    const place = steps.slice(0, length);
    const samples = sides.flatMap(({ schema }) => {
      const node = schemaAt(schema ?? EMPTY_SCHEMA, place);
      return node === undefined ? [] : sampler.samples(node, 8);
    });
    const values = length < steps.length ? [...samples, null] : [...(path.isNumber ? NUMBERS : TEXTS), ...samples];
    for (const value of values) {
      const found = finder.findAt(place, target, [value]);
      if (found?.isQuirk === false) return found;
      accident ??= found;
    }
  }
  return accident;
}

const ODD: readonly JsonValue[] = [true, null, [], newObject()];
const NUMBERS: readonly JsonValue[] = [-1, 2 ** 31, new Float64(0.5), new Float64(1), "a", ...ODD];
const TEXTS: readonly JsonValue[] = [1, ...ODD];
