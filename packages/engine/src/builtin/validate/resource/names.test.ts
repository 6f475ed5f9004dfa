import { expect, test } from "vitest";
import { formatFieldErrors } from "../../../field/format.ts";
import { newPath } from "../../../field/path.ts";
import { asVersion } from "../../../value/server-version.ts";
import { attributeName, fullAttributeName, poolName, uuid } from "./names.ts";

const PATH = newPath("at");
const UUID = "3c9d1e8a-5a7e-4c39-9a44-0a3c6f1f8b11";

test.each([
  [poolName, "a/b.c", ""],
  [poolName, "", "at: Required value"],
  [poolName, `${"a/".repeat(127)}b`, "at: Too long: may not be more than 253 bytes"],
  [attributeName, "model", ""],
  [attributeName, "a.b/model", ""],
  [attributeName, "a/b/c", ""],
  [attributeName, "/model", 'at: Invalid value: "": the domain must not be empty'],
  [attributeName, "a.b/", 'at: Invalid value: "": the name must not be empty'],
  [attributeName, "a".repeat(33), "at: Too long: may not be more than 32 bytes"],
  [
    fullAttributeName,
    "model",
    'at: Invalid value: "model": a fully qualified name must be a domain and a name separated by a slash',
  ],
  [uuid, UUID, ""],
  [uuid, "x", 'at: Invalid value: "x": must be a lowercase UUID in 8-4-4-4-12 format'],
] as const)("%o of %s", (check, text, problems) => {
  expect(formatFieldErrors(check(text, PATH))).toBe(problems);
});

test.each([UUID.toUpperCase(), `{${UUID}}`, `urn:uuid:${UUID}`, UUID.replaceAll("-", "")])(
  "%s is a UUID in another form than the one that is wanted",
  (text) => {
    expect(formatFieldErrors(asVersion("1.36", () => uuid(text, PATH)))).toContain(
      "uid must be in RFC 4122 normalized form",
    );
  },
);
