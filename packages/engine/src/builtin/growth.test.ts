/** No list of a user is walked once for each of its items. What is compared is growth, since machines differ. */
import { expect, test } from "vitest";
import { deepCopy } from "../value/copy.ts";
import type { JsonObject } from "../value/json.ts";
import { type GrowingPlace, growingPlaces, grown, type Variant } from "./growth.testing.ts";

const context = { now: () => "2026-01-02T03:04:05Z", clusterIp: () => "10.0.0.9", nodePort: () => 30_000 };
const [SMALL, FACTOR] = [1000, 8];
/** Work that grows with the square of the size takes 64 times as long. */
const MAX_RATIO = 32;
/** Below this many milliseconds a garbage collection looks like growth. */
const NOISE = 300;

/** Places whose items are compared with one another, or with what was there before. */
const PLACES = [
  "metadata.ownerReferences",
  "metadata.finalizers",
  "spec.taints",
  "spec.accessModes",
  "spec.volumes.0.secret.items",
  "spec.volumes.0.projected.sources",
  "spec.initContainers.0.ports",
  "spec.initContainers.0.env",
  "spec.initContainers.0.volumeMounts",
  "spec.tolerations",
  "spec.hostAliases",
  "spec.imagePullSecrets",
  "spec.topologySpreadConstraints",
  "spec.ports",
  "spec.externalIPs",
  "spec.usages",
  "spec.drivers",
  "status.conditions",
];

const VARIANTS: readonly Variant[] = ["distinct", "equal", "wrong"];
const cases = growingPlaces()
  .filter(({ path }) => PLACES.includes(path.join(".")))
  .flatMap((place) => VARIANTS.map((variant) => ({ place, variant, name: nameOf(place, variant) })));

test("every place exists", () => {
  expect(PLACES.filter((each) => !cases.some(({ place }) => place.path.join(".") === each))).toEqual([]);
});

test.each(cases)("$name", ({ place, variant }) => {
  const limit = Math.max(NOISE, MAX_RATIO * fastest(place, SMALL, variant));
  expect(fastest(place, SMALL * FACTOR, variant, limit)).toBeLessThanOrEqual(limit);
});

function nameOf({ resource, path }: GrowingPlace, variant: Variant): string {
  return `${resource.kind} with many ${variant} items in ${path.join(".")}`;
}

/** Of some attempts; one that is fast enough ends them. */
function fastest(place: GrowingPlace, size: number, variant: Variant, enough = 0): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && best > enough; attempt++) {
    const object = grown(place, size, variant);
    const start = process.cpuUsage();
    review(place, object);
    best = Math.min(best, process.cpuUsage(start).user / 1000);
  }
  return best;
}

function review({ resource }: GrowingPlace, object: JsonObject): void {
  const { value } = resource.decodeFields(object);
  const prepared = resource.prepareCreate(value, context);
  resource.validateCreate(prepared);
  resource.warningsOnCreate(prepared);
  const copy = deepCopy(prepared);
  resource.validateUpdate(copy, prepared);
  resource.validateStatusUpdate(copy, prepared);
  resource.warningsOnUpdate(copy, prepared);
}
