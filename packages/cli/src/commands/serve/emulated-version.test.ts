import { expect, test } from "vitest";
import { readEmulatedVersion } from "./emulated-version.ts";

test.each([
  [[], "1.37"],
  [["1.34"], "1.34"],
  [["kube=v1.32.0"], "1.32"],
])("%j is version %s", (values, version) => {
  expect(readEmulatedVersion(values)).toBe(version);
});

// The texts of v1.37.0-rc.1, but for the range.
test.each([
  [["1.29"], "emulation version 1.29 is not between [1.30, 1.37.0]"],
  [["foo"], 'could not parse "foo" as version'],
  [["1"], 'illegal version string "1"'],
  [["1.36.2"], "patch version not allowed, got: kube=1.36.2"],
  [["1.36,1.35"], "duplicate version flag, kube=1.36 and kube=1.35"],
  [["kube=1.36", "1.35"], "duplicate version flag, kube=1.36 and kube=1.35"],
  [["other=1.36"], "component not registered: other"],
])("%j is refused", (values, message) => {
  expect(() => readEmulatedVersion(values)).toThrow(message);
});
