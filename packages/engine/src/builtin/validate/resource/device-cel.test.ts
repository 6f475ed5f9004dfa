import { expect, test } from "vitest";
import { formatFieldErrors } from "../../../field/format.ts";
import { newPath } from "../../../field/path.ts";
import { validateDeviceExpression } from "./device-cel.ts";

const problems = (expression: string, mode: "new" | "stored" = "new"): string =>
  formatFieldErrors(validateDeviceExpression(expression, newPath("cel"), mode));

test.each([
  'device.driver == "a.b"',
  "device.allowMultipleAllocations",
  'device.attributes["a.b"].c',
  'device.capacity["a.b"].mem.compareTo(quantity("1Gi")) >= 0',
  'cel.bind(d, device.attributes["a.b"], d.x && d.y)',
])("%s selects devices", (expression) => {
  expect(problems(expression)).toBe("");
});

test.each([
  ["device.foo", "undefined field 'foo'"],
  ["device.driver", "must evaluate to bool or the unknown type, not string"],
  ["device.attributes", "must evaluate to bool or the unknown type, not map(string, map(string, google.protobuf.Any))"],
  ["dyn(true)", "must evaluate to bool or the unknown type, not dyn"],
  ["cel.bind(d.e, 1, true)", "cel.bind() variable names must be simple identifiers"],
  ["a".repeat(10241), "may not be more than 10240 bytes"],
])("%s is refused", (expression, problem) => {
  expect(problems(expression)).toContain(problem);
});

test("an expression that may run for too long is refused", () => {
  const nested = (depth: number): string =>
    depth === 0 ? "true" : `device.attributes.all(d${depth}, ${nested(depth - 1)})`;
  expect(problems(nested(2))).toBe("");
  expect(problems(nested(6))).toBe("cel: Forbidden: too complex, exceeds cost limit");
});
