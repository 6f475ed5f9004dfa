import { expect, test } from "vitest";
import { readFeatureGates } from "./serve-feature-gates.ts";
import { readDuration, readInflight, readPortRange } from "./serve-limits.ts";

test.each([
  { pair: "Foo=true", problem: "unrecognized feature gate: Foo" },
  { pair: "CRDValidationRatcheting", problem: "missing bool value for CRDValidationRatcheting" },
  {
    pair: "AllAlpha=x",
    problem: 'invalid value of AllAlpha=x, err: strconv.ParseBool: parsing "x": invalid syntax',
  },
])("the feature gate $pair is refused", ({ pair, problem }) => {
  expect(() => readFeatureGates([pair], "1.37")).toThrow(problem);
});

test("gates of kube-apiserver are accepted, and those without effect are named", () => {
  const { gates, ignored } = readFeatureGates(
    ["CRDValidationRatcheting=false", "kube:WatchListClient=true", ""],
    "1.32",
  );
  expect(gates).toMatchObject({ CRDValidationRatcheting: false, CRDPropertyNameSchemas: true });
  expect(ignored).toEqual(["WatchListClient"]);
});

test("gates that change rights have an effect", () => {
  expect(readFeatureGates(["ConstrainedImpersonation=false"], "1.36").ignored).toEqual([]);
});

test.each([
  { text: "30000-32767", range: { first: 30000, last: 32767 } },
  { text: "30000+10", range: { first: 30000, last: 30010 } },
  { text: "40000", range: { first: 40000, last: 40000 } },
])("node ports $text", ({ text, range }) => {
  expect(readPortRange(text)).toEqual(range);
});

test.each([
  { text: "30000-x", problem: 'strconv.Atoi: parsing "x": invalid syntax' },
  { text: "32767-30000", problem: "end port cannot be less than start port: 32767-30000" },
  { text: "70000-80000", problem: "the port range cannot be greater than 65535: 70000-80000" },
])("node ports $text are refused", ({ text, problem }) => {
  expect(() => readPortRange(text)).toThrow(
    `invalid argument "${text}" for "--service-node-port-range" flag: ${problem}`,
  );
});

test("a duration is read in milliseconds, and requests under way are counted together", () => {
  expect(readDuration("request-timeout", "1m30s")).toBe(90_000);
  expect(() => readDuration("request-timeout", "x")).toThrow('invalid argument "x" for "--request-timeout" flag');
  const none = { readers: undefined, writers: undefined };
  expect(readInflight({ ...none, hasLevels: true })).toEqual({ maxRequestsInflight: 600 });
  expect(readInflight({ readers: "10", writers: "5", hasLevels: true })).toEqual({ maxRequestsInflight: 15 });
  expect(readInflight({ ...none, hasLevels: false })).toEqual({ inflightLimits: { readOnly: 400, mutating: 200 } });
  expect(() => readInflight({ readers: "-1", writers: "5", hasLevels: true })).toThrow(
    "--max-requests-inflight can not be negative value",
  );
});
