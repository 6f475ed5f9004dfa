import { expect, test } from "vitest";
import { ABSENT, KnownObjects, presentAs } from "./known-objects.ts";
import { DecodedTexts, JsonText } from "./log/json-text.ts";

const key = { place: "/configmaps/", namespace: "team", name: "m" };
const SECOND = 1_000_000;

function version(number: number): ReturnType<typeof presentAs> {
  return presentAs(new JsonText(`{"kind":"ConfigMap","metadata":{"resourceVersion":"${number}"}}`), true);
}

test("a version that is no longer kept is uncertain, never another one", () => {
  const objects = new KnownObjects(1 << 20);
  for (const [number, at] of [10, 100, 200, 300].entries()) objects.set(key, version(number + 1), at * SECOND);
  expect(objects.at(key, 50 * SECOND)?.state).toBe("uncertain");
  expect(objects.versionsSince(key, 50 * SECOND).map(({ state }) => state)).toEqual(["uncertain"]);
  expect(objects.at(key, 250 * SECOND)).toMatchObject({ state: "present", resourceVersion: 3 });
});

test("a deletion that arrives late does not remove what came after it", () => {
  const objects = new KnownObjects(1 << 20);
  objects.set(key, version(2), 20 * SECOND);
  objects.set(key, ABSENT, 10 * SECOND);
  expect(objects.get(key)).toMatchObject({ state: "present", resourceVersion: 2 });
});

test("of the texts that are kept, only the last stay decoded", () => {
  const decoded = new DecodedTexts(200);
  const texts = ["1", "2", "3"].map((name) => new JsonText(`{"name":"${name}"}`).packed(decoded));
  const values = texts.map((text) => text.object());
  expect(texts[2]?.object()).toBe(values[2]);
  expect(texts[0]?.object()).not.toBe(values[0]);
  expect(texts[0]?.object()).toEqual(values[0]);
});
