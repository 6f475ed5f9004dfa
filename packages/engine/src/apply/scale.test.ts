import { expect, test } from "vitest";
import { makePath } from "../fieldset/path.ts";
import { fromPlain } from "../value/copy.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";
import { entriesOfParent, entriesOfScale } from "./scale.ts";

const PATHS = new Map([
  ["g/v1", makePath("spec", "size")],
  ["g/v2", makePath("spec", "replicas")],
  ["g/v3", undefined],
]);

const PARENT = entries([
  entry("a", "Apply", "g/v1", { "f:size": {}, "f:name": {} }, "2020-01-01T00:00:00Z"),
  entry("b", "Apply", "g/v2", { "f:replicas": {} }, "2020-01-02T00:00:00Z"),
  entry("n", "Update", "g/v3", { "f:x": {} }),
  entry("o", "Update", "g/v9", { "f:x": {} }),
  entry("u", "Update", "g/v1", { "f:size": {}, "f:note": {} }, "2020-01-03T00:00:00Z"),
]);

function entry(manager: string, operation: string, apiVersion: string, spec: object, time?: string): object {
  return { manager, operation, apiVersion, time, fieldsType: "FieldsV1", fieldsV1: { "f:spec": spec } };
}

function entries(list: object[]): JsonObject[] {
  const value = fromPlain(list);
  return isArray(value) ? value.filter(isObject) : [];
}

/** `manager version fields time` a line. */
function summary(list: JsonValue[] | undefined): string[] {
  return (list ?? []).filter(isObject).map((each) => {
    const fields = isObject(each["fieldsV1"]) ? canonicalJson(each["fieldsV1"]) : "";
    return [each["manager"], each["apiVersion"], fields, each["time"] ?? "-", each["subresource"] ?? ""]
      .join(" ")
      .trim();
  });
}

test("a scale shows the owners of the replicas, at the path of each version", () => {
  expect(summary(entriesOfScale(PARENT, PATHS).value)).toEqual([
    'a autoscaling/v1 {"f:spec":{"f:replicas":{}}} 2020-01-01T00:00:00Z',
    'b autoscaling/v1 {"f:spec":{"f:replicas":{}}} 2020-01-02T00:00:00Z',
    'u autoscaling/v1 {"f:spec":{"f:replicas":{}}} 2020-01-03T00:00:00Z',
  ]);
});

test("scaling takes the replicas from all other owners, without a time; unknown versions are dropped", () => {
  const hpa = {
    ...entry("hpa", "Update", "autoscaling/v1", { "f:replicas": {} }, "2021-01-01T00:00:00Z"),
    subresource: "scale",
  };
  const other = entry("z", "Update", "autoscaling/v1", { "f:other": {} });
  const parent = entriesOfParent({ parent: PARENT, scale: entries([hpa, other]), paths: PATHS, apiVersion: "g/v1" });
  expect(summary(parent.value)).toEqual([
    'a g/v1 {"f:spec":{"f:name":{}}} 2020-01-01T00:00:00Z',
    'hpa g/v1 {"f:spec":{"f:size":{}}} - scale',
    'n g/v3 {"f:spec":{"f:x":{}}} -',
    'u g/v1 {"f:spec":{"f:note":{}}} 2020-01-03T00:00:00Z',
  ]);
});

test("an updater that keeps the replicas has two entries", () => {
  const scale = entriesOfScale(PARENT, PATHS).value?.filter(isObject) ?? [];
  const parent = entriesOfParent({ parent: PARENT, scale, paths: PATHS, apiVersion: "g/v1" });
  expect(summary(parent.value)).toEqual([
    'a g/v1 {"f:spec":{"f:name":{},"f:size":{}}} 2020-01-01T00:00:00Z',
    'b g/v2 {"f:spec":{"f:replicas":{}}} 2020-01-02T00:00:00Z',
    'n g/v3 {"f:spec":{"f:x":{}}} -',
    'u g/v1 {"f:spec":{"f:size":{}}} -',
    'u g/v1 {"f:spec":{"f:note":{}}} 2020-01-03T00:00:00Z',
  ]);
});
