import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";
import { applyPatch } from "./apply-patch.ts";
import { keepTimestamps } from "./timestamps.ts";
import { trackWrite } from "./track-write.ts";
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

test("what a configuration says is in the object afterwards", () => {
  fc.assert(
    fc.property(shared, fc.constantFrom("a", "b"), (live, name) => {
      const applied = apply(live, { name, grain: { k: name } }, "one");
      expect(applied["spec"]).toMatchObject({ name, grain: { k: name } });
    }),
  );
});
