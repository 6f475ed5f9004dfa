import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { fromFragment, toFragment } from "./share.ts";
import { EMPTY_STATE, type State } from "./state.ts";

const state: State = {
  ...EMPTY_STATE,
  mode: "update",
  version: "1.31",
  texts: { object: "a: é🛡\n".repeat(500), old: "" },
};

test("a state comes back from its fragment, which has only letters that links may have", async () => {
  const fragment = await toFragment(state);
  expect(fragment).toMatch(/^#v1=[A-Za-z0-9_-]+$/);
  expect(fragment.length).toBeLessThan(500);
  expect(await fromFragment(fragment)).toEqual(state);
});

test("other fragments are nobody's state", async () => {
  expect(await fromFragment("")).toBeUndefined();
  expect(await fromFragment("#verdict")).toBeUndefined();
});

const packed = (text: string): string => `#v1=${deflateRawSync(text).toString("base64url")}`;

test.each([
  { name: "that is no base64", fragment: "#v1=%%" },
  { name: "that is cut off", fragment: packed("x".repeat(5000)).slice(0, 8) },
  { name: "without JSON in it", fragment: packed("hello") },
  { name: "that is too long", fragment: `#v1=${"A".repeat(1_100_000)}` },
  { name: "that unpacks to far more than it is", fragment: packed(`"${"0".repeat(20_000_000)}"`) },
])("a link $name is refused", async ({ fragment }) => {
  await expect(fromFragment(fragment)).rejects.toThrow();
});
