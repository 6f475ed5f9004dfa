import { expect, test } from "vitest";
import { celEnvironment } from "./evaluate.ts";
import { listFunctions } from "./functions.ts";

test("a function is listed with its overloads, documentation and example", () => {
  expect(listFunctions(celEnvironment({}, "1.36"), "containsIP")).toEqual([
    [
      "(net.CIDR).containsIP(string) → bool",
      "  returns true if the network contains the address, given as a string",
      "  cidr('10.0.0.0/8').containsIP('10.1.2.3')",
    ].join("\n"),
    [
      "(net.CIDR).containsIP(net.IP) → bool",
      "  returns true if the network contains the address",
      "  cidr('10.0.0.0/8').containsIP(ip('10.1.2.3'))",
    ].join("\n"),
  ]);
});

test("functions with the same documentation share a paragraph", () => {
  const [paragraph, ...others] = listFunctions(celEnvironment({}, "1.36"), "isSorted");
  expect(others).toEqual([]);
  expect(paragraph?.split("\n")).toHaveLength(10);
});

test("a version lists only the functions it has", () => {
  expect(listFunctions(celEnvironment({}, "1.33"), "semver")).toEqual([]);
  expect(listFunctions(celEnvironment({}, "1.36"), "semver")).toHaveLength(2);
});

test("every function has documentation", () => {
  for (const paragraph of listFunctions(celEnvironment({}, "1.36"), undefined))
    expect(paragraph.split("\n").at(-2)).toMatch(/^ {2}\w/);
});

test("a macro is listed with what it is called on", () => {
  const environment = celEnvironment({}, "1.36");
  expect(listFunctions(environment, "filter")[0]).toMatch(/^\(list or map\)\.filter\(x, predicate\) → list\n/);
  expect(listFunctions(environment, "optMap")[0]).toMatch(/^\(optional\)\.optMap\(x, value\) → optional\n/);
});
