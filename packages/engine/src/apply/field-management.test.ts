import { expect, test } from "vitest";
import { fromPlain, toPlain } from "../value/copy.ts";
import { isArray, isObject, type JsonObject, newObject } from "../value/json.ts";
import { withMember } from "../value/rewrite.ts";
import { applyPatch } from "./apply-patch.ts";
import { customResourceScaleScope } from "./custom-resource-scope.ts";
import { trackWrite } from "./managers/track-write.ts";
import type { MergeType } from "./types/types.ts";
import { DEDUCED } from "./types/types.ts";
import { NOW, SCOPE, TYPES, widget } from "./widget.testing.ts";

const ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

function created(spec: object, metadata: object = {}): JsonObject {
  const object = trackWrite(SCOPE, { live: undefined, next: widget(spec, metadata), manager: "post", now: NOW });
  const meta = isObject(object["metadata"]) ? object["metadata"] : newObject();
  return withMember(object, "metadata", withMember(meta, "uid", "u"));
}

function managersOf(object: JsonObject | undefined): unknown[] {
  const metadata = isObject(object?.["metadata"]) ? object["metadata"] : newObject();
  const entries = isArray(metadata["managedFields"]) ? metadata["managedFields"].filter(isObject) : [];
  return entries.map((entry) => entry["manager"]);
}

function withManaged(object: JsonObject, managedFields: object[]): JsonObject {
  const metadata = isObject(object["metadata"]) ? object["metadata"] : newObject();
  return withMember(object, "metadata", withMember(metadata, "managedFields", fromPlain(managedFields)));
}

// biome-ignore format: a table
test.each([
  { name: "none sent keep the stored ones",          sent: undefined,                     managers: ["post"] },
  { name: "an empty list resets",                    sent: [],                            managers: [] },
  { name: "one empty entry resets",                  sent: [{}],                          managers: [] },
  { name: "one entry of empty texts resets",         sent: [{ manager: "" }],             managers: [] },
  { name: "unreadable ones keep the stored ones",    sent: [{ manager: "x" }],            managers: ["post"] },
  { name: "readable ones replace the stored ones",   sent: [{ manager: "x", operation: "Apply", apiVersion: "example.com/v1", fieldsType: "FieldsV1", fieldsV1: { "f:spec": { "f:name": {} } } }], managers: ["x"] },
  { name: "entries of an unknown version keep the stored ones", sent: [{ manager: "x", operation: "Apply", apiVersion: "example.com/v9", fieldsType: "FieldsV1", fieldsV1: { "f:spec": { "f:name": {} } } }], managers: ["post"] },
])("managed fields in an update: $name", ({ sent, managers }) => {
  const live = created({ name: "a" });
  const next = sent === undefined ? widget({ name: "a" }, { uid: "u" }) : withManaged(live, sent);
  expect(managersOf(trackWrite(SCOPE, { live, next, manager: "up", now: NOW }))).toEqual(managers);
});

test("a status write ignores the managed fields it is sent", () => {
  const live = created({ name: "a" });
  const scope = { ...SCOPE, subresource: "status" };
  expect(managersOf(trackWrite(scope, { live, next: withManaged(live, [{}]), manager: "up", now: NOW }))).toEqual([
    "post",
  ]);
});

test("an object that lost its managed fields stays untracked until the first apply", () => {
  const live = withManaged(created({ name: "a" }), []);
  const written = trackWrite(SCOPE, { live, next: widget({ name: "b" }, { uid: "u" }), manager: "up", now: NOW });
  expect(managersOf(written)).toEqual([]);
  const applied = applyPatch(SCOPE, {
    live: written,
    patch: widget({ replicas: 1 }),
    manager: "one",
    force: false,
    now: NOW,
  });
  expect(managersOf(applied.object)).toEqual(["one", "before-first-apply"]);
});

test("a writer without a name is unknown", () => {
  expect(
    managersOf(trackWrite(SCOPE, { live: undefined, next: widget({ name: "a" }), manager: "", now: NOW })),
  ).toEqual(["unknown"]);
});

test("an object that does not fit its schema keeps its managed fields; up to 1.36 it loses them", () => {
  const write = { live: created({ name: "a" }), next: widget({ zzz: 1 }, { uid: "u" }), manager: "up", now: NOW };
  expect(managersOf(trackWrite(SCOPE, write))).toEqual(["post"]);
  expect(managersOf(trackWrite({ ...SCOPE, serverVersion: "1.36" }, write))).toEqual([]);
});

test("an applier that only shares fields gets no time", () => {
  const applied = applyPatch(SCOPE, {
    live: created({ name: "a" }),
    patch: widget({ name: "a" }),
    manager: "one",
    force: false,
    now: NOW,
  });
  const metadata = isObject(applied.object?.["metadata"]) ? applied.object["metadata"] : newObject();
  expect(toPlain(metadata["managedFields"] ?? null)).toMatchObject([
    { manager: "one" },
    { manager: "post", time: NOW },
  ]);
  expect(
    isArray(metadata["managedFields"]) &&
      isObject(metadata["managedFields"][0]) &&
      "time" in metadata["managedFields"][0],
  ).toBe(false);
});

// biome-ignore format: a table
test.each([
  { patch: { ...widget({}), kind: "Gadget" },                          code: 400, message: "invalid object type: example.com/v1, Kind=Gadget" },
  { patch: { spec: newObject() },                                      code: 400, message: "invalid object type: /, Kind=" },
  { patch: withManaged(widget({}), []),                                code: 400, message: "metadata.managedFields must be nil" },
  { patch: widget({ zzz: 1 }, { namespace: "n" }),                     code: 500, message: "failed to create typed patch object (n/w; example.com/v1, Kind=Widget): .spec.zzz: field not declared in schema" },
])("$message", ({ patch, code, message }) => {
  const { refusal } = applyPatch(SCOPE, { live: undefined, patch, manager: "one", force: false, now: NOW });
  expect(refusal).toMatchObject({ code, message, reason: code === 400 ? "BadRequest" : "" });
});

test("an annotation that would be too long is dropped", () => {
  const live = created({ name: "a" }, { annotations: { [ANNOTATION]: "{}", keep: "1" } });
  const patch = widget({ name: "b".repeat(262_144) });
  const applied = applyPatch(SCOPE, { live, patch, manager: "kubectl", force: true, now: NOW });
  const metadata = isObject(applied.object?.["metadata"]) ? applied.object["metadata"] : newObject();
  expect(toPlain(metadata["annotations"] ?? null)).toEqual({ keep: "1" });
});

test("objects that are nested too deeply are stored without managed fields and cannot be applied", () => {
  let value = newObject();
  for (let depth = 0; depth < 9000; depth++) {
    const outer = newObject();
    outer["a"] = value;
    value = outer;
  }
  const spec = newObject();
  spec["free"] = value;
  const deep = withMember(widget({}), "spec", spec);
  expect(managersOf(trackWrite(SCOPE, { live: undefined, next: deep, manager: "m", now: NOW }))).toEqual([]);
  const apply = (live: JsonObject | undefined, patch: JsonObject) =>
    applyPatch(SCOPE, { live, patch, manager: "m", force: false, now: NOW }).refusal;
  expect(apply(undefined, deep)?.code).toBe(400);
  expect(apply(deep, widget({}))?.code).toBe(400);
});

const SCALE: MergeType = DEDUCED;
const scaleScope = customResourceScaleScope({
  types: { typeOf: () => SCALE, convert: TYPES.convert },
  parseJson: () => undefined,
});

function scale(replicas: number, metadata: object): JsonObject {
  const object = fromPlain({
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { name: "w", ...metadata },
    spec: { replicas },
  });
  return isObject(object) ? object : newObject();
}

const OWNED = [
  {
    manager: "one",
    operation: "Apply",
    apiVersion: "autoscaling/v1",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": { "f:replicas": {} } },
  },
];
const INVALID = "request to convert CR to an invalid group/version: autoscaling/v1";

// Seen on a live server: the scale of a custom resource can be applied only without effect.
// biome-ignore format: a table
test.each([
  { name: "a change conflicts first",         managed: OWNED, replicas: 4, force: false, message: 'Apply failed with 1 conflict: conflict with "one": .spec.replicas' },
  { name: "a forced change cannot be made",   managed: OWNED, replicas: 4, force: true,  message: `failed to convert new object (/w; autoscaling/v1, Kind=Scale) to proper version: ${INVALID}` },
  { name: "no change is fine",                managed: OWNED, replicas: 1, force: false, message: undefined },
  { name: "nor can a first owner be noted",   managed: [],    replicas: 4, force: true,  message: `failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, Kind=Scale) to proper version: ${INVALID}` },
])("the scale of a custom resource: $name", ({ managed, replicas, force, message }) => {
  const live = scale(1, { uid: "u", managedFields: managed });
  const applied = applyPatch(scaleScope, { live, patch: scale(replicas, {}), manager: "two", force, now: NOW });
  expect(applied.refusal?.message).toBe(message);
});
