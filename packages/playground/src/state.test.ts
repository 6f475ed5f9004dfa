import { KUBERNETES_VERSIONS } from "@portcullis/engine/kubecel";
import { expect, test } from "vitest";
import { EMPTY_STATE, readState, VERSIONS } from "./state.ts";

test("the versions are those of the engine, newest first", () => {
  expect([...VERSIONS].reverse()).toEqual([...KUBERNETES_VERSIONS]);
});

test.each([
  { name: "nothing", json: undefined },
  { name: "a list", json: [] },
  { name: "values of the wrong type", json: { mode: 1, version: "9.9", fieldValidation: null, texts: "x" } },
])("$name is the empty state", ({ json }) => {
  expect(readState(json)).toEqual(EMPTY_STATE);
});

test("only texts of known fields are taken", () => {
  const state = readState({ mode: "cel", texts: { expression: "1", __proto__: "x", other: "y", object: 3 } });
  expect(state).toEqual({ ...EMPTY_STATE, mode: "cel", texts: { expression: "1" } });
});
