import { expect, test } from "vitest";
import { toPlain } from "../../value/copy.ts";
import { plainObject } from "../policy.testing.ts";
import { populateRefs } from "./openapi-refs.ts";

const DEFINITIONS: Readonly<Record<string, unknown>> = {
  pod: { type: "object", properties: { meta: { $ref: "meta" }, list: { type: "array", items: { $ref: "meta" } } } },
  wrapped: { type: "object", properties: { meta: { description: "d", default: {}, allOf: [{ $ref: "meta" }] } } },
  map: { type: "object", additionalProperties: { $ref: "meta" } },
  self: { type: "object", properties: { child: { $ref: "self" } } },
  loop: { type: "object", properties: { other: { $ref: "loop2" } } },
  loop2: { type: "object", properties: { back: { $ref: "loop" } } },
  broken: { type: "object", properties: { x: { $ref: "nowhere" } } },
  meta: { type: "object", properties: { name: { type: "string" } } },
};

const META = { type: "object", properties: { name: { type: "string" } } };
const EMPTY = { type: "object" };

test.each([
  { root: "pod", schema: { type: "object", properties: { meta: META, list: { type: "array", items: META } } } },
  { root: "wrapped", schema: { type: "object", properties: { meta: META } } },
  { root: "map", schema: { type: "object", additionalProperties: META } },
  { root: "self", schema: { type: "object", properties: { child: EMPTY } } },
  { root: "loop", schema: { type: "object", properties: { other: { type: "object", properties: { back: EMPTY } } } } },
  { root: "broken", schema: undefined },
  { root: "nowhere", schema: undefined },
])("$root", ({ root, schema }) => {
  const populated = populateRefs(
    (ref) => (DEFINITIONS[ref] === undefined ? undefined : plainObject(DEFINITIONS[ref])),
    root,
  );
  expect(populated && toPlain(populated)).toEqual(schema);
});
