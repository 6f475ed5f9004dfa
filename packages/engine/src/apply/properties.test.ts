import fc from "fast-check";
import { expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";
import { applyPatch } from "./apply-patch.ts";
import { NO_MANAGERS, withManagedFields } from "./managers/managed.ts";
import { ownAll } from "./managers/own-all.ts";
import { keepTimestamps } from "./managers/timestamps.ts";
import { trackUpdate, trackWrite } from "./managers/track-write.ts";
import { MergeError } from "./merge-error.ts";
import { runSteps } from "./steps.ts";
import { anySpec, NOW, SCOPE, widget } from "./widget.testing.ts";

const LATER = "2026-01-02T04:00:00Z";

function apply(live: JsonObject | undefined, spec: object, manager: string, force = true): JsonObject {
  const applied = applyPatch(SCOPE, { live, patch: widget(spec), manager, force, now: NOW });
  if (applied.refusal !== undefined) throw applied.refusal;
  return withUid(applied.object);
}

function withUid(object: JsonObject): JsonObject {
  return { ...object, metadata: { ...(object["metadata"] as JsonObject), uid: "u" } };
}

/** An object that two appliers and an updater have written to. */
const shared = fc.tuple(anySpec, anySpec, anySpec).map(([first, second, third]) => {
  const applied = apply(apply(undefined, first, "one"), second, "two");
  const next = {
    ...applied,
    spec: { ...(applied["spec"] as JsonObject | undefined), ...(widget(third)["spec"] as JsonObject) },
  };
  return trackWrite(SCOPE, { live: applied, next, manager: "up", now: NOW });
});

test("applying the same configuration twice changes nothing", () => {
  fc.assert(
    fc.property(shared, anySpec, (live, spec) => {
      const once = apply(live, spec, "one");
      const again = applyPatch(SCOPE, { live: once, patch: widget(spec), manager: "one", force: false, now: LATER });
      expect(again.refusal).toBeUndefined();
      expect(canonicalJson(keepTimestamps(again.object ?? once, once))).toBe(canonicalJson(once));
    }),
  );
});

test("a forced apply leaves no conflict", () => {
  fc.assert(
    fc.property(shared, anySpec, (live, spec) => {
      const forced = apply(live, spec, "three");
      expect(
        applyPatch(SCOPE, { live: forced, patch: widget(spec), manager: "three", force: false, now: LATER }).refusal,
      ).toBeUndefined();
    }),
  );
});

test("a write that changes nothing changes no owner", () => {
  fc.assert(
    fc.property(shared, (live) => {
      const written = trackWrite(SCOPE, { live, next: live, manager: "other", now: LATER });
      expect(canonicalJson(written)).toBe(canonicalJson(live));
    }),
  );
});

test("the applied configuration is in the object", () => {
  fc.assert(
    fc.property(shared, fc.constantFrom("a", "b"), (live, name) => {
      const applied = apply(live, { name, grain: { k: name } }, "one");
      expect(applied["spec"]).toMatchObject({ name, grain: { k: name } });
    }),
  );
});

/** Values that fit, values that do not, and everything between. */
const oddValue = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, 0, 1.5, "", "a", "b"),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("name", "value", "a", "b", "."), tie("any"), { maxKeys: 3 }),
  ),
})).any;

const newWidget = fc
  .record(
    {
      spec: fc.tuple(
        anySpec,
        fc.dictionary(fc.constantFrom("items", "tags", "free", "grain", "block"), oddValue, { maxKeys: 1 }),
      ),
      status: fc.constantFrom({ phase: "x" }, {}),
      labels: fc.dictionary(fc.constantFrom("l", "m"), fc.constantFrom("", "v"), { maxKeys: 2 }),
      finalizers: fc.constantFrom([], ["a/b", "c/d"]),
      generateName: fc.constant("x-"),
    },
    { requiredKeys: [] },
  )
  .map(({ spec = [{}, {}], status, ...metadata }) =>
    fromPlain({
      apiVersion: "example.com/v1",
      kind: "Widget",
      metadata: { name: "w", namespace: "n", uid: "u", ...metadata },
      spec: { ...spec[0], ...spec[1] },
      ...(status && { status }),
    }),
  );

test("the fast path for new objects gives the same owners as the exact algorithm", () => {
  let quick = 0;
  fc.assert(
    fc.property(newWidget, (next) => {
      if (!isObject(next)) throw new Error("not an object");
      if (ownAll(SCOPE, next) !== undefined) quick++;
      const written = trackWrite(SCOPE, { live: undefined, next, manager: "m", now: NOW });
      expect(canonicalJson(written)).toBe(canonicalJson(exactly(next)));
    }),
    { numRuns: 500 },
  );
  expect(quick).toBeGreaterThan(100);
});

function exactly(next: JsonObject): JsonObject {
  try {
    const update = { managed: NO_MANAGERS, manager: "m", now: NOW, live: SCOPE.emptyObject, next };
    return withManagedFields(next, runSteps(trackUpdate(SCOPE, update)));
  } catch (error) {
    if (error instanceof MergeError) return next;
    throw error;
  }
}
