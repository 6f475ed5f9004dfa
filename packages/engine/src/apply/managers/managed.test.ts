import { expect, test } from "vitest";
import { makePath } from "../../fieldset/path.ts";
import { setOf } from "../../fieldset/set.ts";
import { fromPlain } from "../../value/copy.ts";
import { isObject, type JsonObject, newObject } from "../../value/json.ts";
import { capUpdateManagers } from "./cap-managers.ts";
import { conflictError } from "./conflict.ts";
import { decodeManaged, encodeManaged, identify, type Managed, type ManagedEntry } from "./managed.ts";
import { managerName } from "./manager-name.ts";
import { keepTimestamps } from "./timestamps.ts";

function object(plain: object): JsonObject {
  const value = fromPlain(plain);
  return isObject(value) ? value : newObject();
}

const entry = (more: object): object => ({
  manager: "m",
  operation: "Update",
  apiVersion: "g/v1",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:a": {} },
  ...more,
});

// biome-ignore format: a table
test.each([
  { identity: { manager: "m", operation: "Update", apiVersion: "g/v1", subresource: "" },       text: '{"manager":"m","operation":"Update","apiVersion":"g/v1"}' },
  { identity: { manager: "m", operation: "Apply",  apiVersion: "g/v1", subresource: "status" }, text: '{"manager":"m","operation":"Apply","subresource":"status"}' },
  { identity: { manager: "",  operation: "Update", apiVersion: "v1",   subresource: "" },       text: '{"operation":"Update","apiVersion":"v1"}' },
  { identity: { manager: "<", operation: "Apply",  apiVersion: "",     subresource: "" },       text: '{"manager":"\\u003c","operation":"Apply"}' },
])("$text identifies a manager", ({ identity, text }) => {
  expect(identify(identity)).toBe(text);
});

// biome-ignore format: a table
test.each([
  { entry: entry({ operation: "" }),           error: "operation must be `Apply` or `Update`" },
  { entry: entry({ operation: "Delete" }),     error: "operation must be `Apply` or `Update`" },
  { entry: entry({ apiVersion: "" }),          error: "apiVersion must not be empty" },
  { entry: entry({ fieldsType: "" }),          error: "missing fieldsType in managed fields entry 0" },
  { entry: entry({ fieldsType: "FieldsV2" }),  error: 'invalid fieldsType "FieldsV2" in managed fields entry 0' },
  { entry: entry({ fieldsV1: { a: {} } }),     error: "error decoding set: parsing key as path element: key must be 2 characters long:" },
])("$error", ({ entry: bad, error }) => {
  expect(decodeManaged([object(bad)]).error).toBe(error);
});

test("managed fields that are nested too deeply cannot be read", () => {
  const deep = object(entry({}));
  let fields = newObject();
  for (let depth = 0; depth < 5000; depth++) {
    const outer = newObject();
    outer["f:a"] = fields;
    fields = outer;
  }
  deep["fieldsV1"] = fields;
  expect(decodeManaged([deep]).error).toBe("error decoding set: nested too deeply");
});

test("entries are sorted by operation, time in seconds, manager, version, subresource", () => {
  const entries = [
    entry({ manager: "b", time: "2020-01-01T00:00:01Z" }),
    entry({ manager: "a", time: "2020-01-01T00:00:01Z" }),
    entry({ manager: "a", time: "2020-01-01T00:00:01Z", subresource: "status" }),
    entry({ manager: "a", time: "2020-01-01T00:00:01Z", apiVersion: "g/v0" }),
    entry({ manager: "z", time: "2020-01-01T02:00:00+02:00" }),
    entry({ manager: "y" }),
    entry({ manager: "x", operation: "Apply", time: "2021-01-01T00:00:00Z" }),
  ];
  const managed = decodeManaged(entries.map(object)).value ?? new Map();
  const order = encodeManaged(managed).map((each) =>
    isObject(each) ? [each["manager"], each["apiVersion"], each["subresource"], each["time"]].join(" ") : "",
  );
  expect(order).toEqual([
    "x g/v1  2021-01-01T00:00:00Z",
    "y g/v1  ",
    "z g/v1  2020-01-01T00:00:00Z",
    "a g/v0  2020-01-01T00:00:01Z",
    "a g/v1  2020-01-01T00:00:01Z",
    "a g/v1 status 2020-01-01T00:00:01Z",
    "b g/v1  2020-01-01T00:00:01Z",
  ]);
});

function updaters(count: number, version: (index: number) => string): Managed {
  const entries = Array.from({ length: count }, (_, index): ManagedEntry => {
    const apiVersion = version(index);
    return {
      identity: { manager: `m${index}`, operation: "Update", apiVersion, subresource: "" },
      owned: { set: setOf(makePath(`f${index}`)), apiVersion, applied: false },
      time: `2020-01-01T00:00:${String(index).padStart(2, "0")}Z`,
    };
  });
  return new Map(entries.map((each) => [identify(each.identity), each]));
}

// biome-ignore format: a table
test.each([
  { name: "ten updaters stay",                         count: 10, version: () => "v1",                              names: ["m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9"] },
  { name: "the two oldest of eleven are joined",       count: 11, version: () => "v1",                              names: ["ancient-changes", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10"] },
  { name: "three of twelve are joined",                count: 12, version: () => "v1",                              names: ["ancient-changes", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11"] },
  { name: "only updaters of one version are joined",   count: 11, version: (i: number) => (i === 0 ? "v2" : "v1"),  names: ["m0", "ancient-changes", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10"] },
])("$name", ({ count, version, names }) => {
  const capped = encodeManaged(capUpdateManagers(updaters(count, version)));
  expect(capped.map((each) => (isObject(each) ? each["manager"] : ""))).toEqual(names);
});

const update = { manager: "up", operation: "Update", apiVersion: "g/v1", subresource: "" };
const applier = { manager: "ap", operation: "Apply", apiVersion: "", subresource: "status" };
const fields = (...names: string[]) => setOf(...names.map((name) => makePath("spec", name)));

// biome-ignore format: a table
test.each([
  {
    conflicts: [{ identifier: "1", manager: update, fields: fields("a") }],
    message: 'Apply failed with 1 conflict: conflict with "up" using g/v1: .spec.a',
  },
  {
    conflicts: [{ identifier: "2", manager: update, fields: fields("a", "b") }, { identifier: "1", manager: applier, fields: fields("c") }],
    message: 'Apply failed with 3 conflicts: conflicts with "ap" with subresource "status":\n- .spec.c\nconflicts with "up" using g/v1:\n- .spec.a\n- .spec.b',
  },
])("$message", ({ conflicts, message }) => {
  const error = conflictError(conflicts);
  expect(error).toMatchObject({ code: 409, reason: "Conflict", message });
  expect(error.details?.causes?.length).toBe(conflicts.length === 1 ? 1 : 3);
});

// biome-ignore format: a table
test.each([
  { given: "mine", agent: "curl/8",                        name: "mine" },
  { given: "",     agent: "kubectl/v1.36 (linux)",         name: "kubectl" },
  { given: "",     agent: "plain agent",                   name: "plain agent" },
  { given: "",     agent: "a\u0007b\u200b/1",              name: "ab" },
  { given: "",     agent: "",                              name: "" },
  { given: "",     agent: `${"x".repeat(127)}éy/1`,        name: "x".repeat(127) },
])("the agent $agent manages as $name", ({ given, agent, name }) => {
  expect(managerName(given, agent)).toBe(name);
});

const stored = (time: string, spec: object): JsonObject =>
  object({ metadata: { name: "w", managedFields: [entry({ time })] }, spec });

// biome-ignore format: a table
test.each([
  { name: "times alone are kept",                    next: stored("2021-01-01T00:00:00Z", { a: 1 }), time: "2020-01-01T00:00:00Z" },
  { name: "a changed object has its new time",       next: stored("2021-01-01T00:00:00Z", { a: 2 }), time: "2021-01-01T00:00:00Z" },
  { name: "an object without times is left alone",   next: object({ metadata: { name: "w" } }),      time: undefined },
])("$name", ({ next, time }) => {
  const kept = keepTimestamps(next, stored("2020-01-01T00:00:00Z", { a: 1 }));
  const metadata = isObject(kept["metadata"]) ? kept["metadata"] : newObject();
  const [first] = Array.isArray(metadata["managedFields"]) ? metadata["managedFields"] : [];
  expect(isObject(first) ? first["time"] : undefined).toBe(time);
});
