import { expect, test } from "vitest";
import { decodeJson } from "../../../codec/json.ts";
import { isObject, type JsonObject } from "../../../value/json.ts";
import { matchDevice } from "./device-match.ts";

function deviceOf(json: object): JsonObject {
  const decoded = decodeJson(JSON.stringify(json));
  if (decoded.error !== undefined || !isObject(decoded.value)) throw new Error("not an object");
  return decoded.value;
}

const DEVICE = deviceOf({
  attributes: {
    healthy: { bool: true },
    "a.b/count": { int: 3 },
    model: { string: "x" },
    version: { version: "1.2.3" },
  },
  capacity: { memory: { value: "40Gi" } },
});

test.each([
  ["device.driver == 'd'", true],
  ["device.attributes['d'].healthy", true],
  ["device.attributes['a.b'].count > 3", false],
  ["device.attributes['d'].version.isGreaterThan(semver('1.2.2'))", true],
  ["device.capacity['d'].memory.compareTo(quantity('40Gi')) == 0", true],
  ["device.attributes['none'].size() == 0", true],
  ["device.allowMultipleAllocations", false],
])("%s is %s", (expression, matches) => {
  expect(matchDevice(expression, "d", DEVICE)).toMatchObject({ matches });
});

test.each([
  ["device.attributes['d'].none", "no such key: none"],
  ["device.attributes['d'].model", "CEL result could not be converted to bool"],
  ["device.none", "undefined field 'none'"],
])("%s is an error", (expression, error) => {
  expect(matchDevice(expression, "d", DEVICE)).toMatchObject({ error: expect.stringContaining(error) });
});

test("an attribute without a value is an error", () => {
  const device = deviceOf({ attributes: { a: {} } });
  expect(matchDevice("true", "d", device)).toMatchObject({ error: "attribute a: unsupported attribute value" });
});
