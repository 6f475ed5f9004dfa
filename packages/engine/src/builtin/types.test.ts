import { expect, test } from "vitest";
import { KINDS, TYPES } from "./generated/kinds.ts";
import { resourceInfos } from "./resources.ts";
import { structAt, structOfKind } from "./types.ts";

test("every line of the data file is parsed", () => {
  for (let index = 0; index < TYPES.length; index++) expect(structAt(index).members.size).toBeGreaterThanOrEqual(0);
  expect(KINDS.length).toBeGreaterThan(100);
});

test("every resource and subresource has a kind", () => {
  for (const { group, version, kind, subresources } of resourceInfos()) {
    expect(structOfKind(group, version, kind)).toBeDefined();
    for (const sub of subresources) expect(structOfKind(sub.group, sub.version, sub.kind)).toBeDefined();
  }
});

test("protobuf numbers of a struct are all different", () => {
  for (let index = 0; index < TYPES.length; index++) {
    const numbers = structAt(index)
      .fields.map(({ proto }) => proto)
      .filter((proto) => proto > 0);
    expect(new Set(numbers).size).toBe(numbers.length);
  }
});

test("a merge key is a field of the items", () => {
  for (let index = 0; index < TYPES.length; index++) {
    for (const field of structAt(index).members.values()) {
      if (field.mergeKey === "" || field.type.kind !== "list" || field.type.of.kind !== "struct") continue;
      expect(structAt(field.type.of.index).members.has(field.mergeKey)).toBe(true);
    }
  }
});
