import { expect, test } from "vitest";
import { decodeDefinition } from "../../crd/decode.ts";
import { jsonObject } from "../../crd/definition.testing.ts";
import { compareDefinitions } from "../questions.ts";
import { crdOf, ENGINE } from "../upgrade.testing.ts";
import { parseCrdifyConfig } from "./crdify.ts";
import { DEFAULT_POLICY, gradeFinding, parsePolicy, type UpgradePolicy } from "./policy.ts";
import { DEFAULT_PREFLIGHT, parsePreflight, runPreflight } from "./preflight.ts";
import { suggestRollout } from "./rollout.ts";

const field = (schema: object) =>
  crdOf({ type: "object", properties: { spec: { type: "object", properties: { a: schema } } } });

function compare(old: object, next: object) {
  return compareDefinitions(decodeDefinition(field(old)).value, decodeDefinition(field(next)).value, ENGINE).findings;
}

const tightened = compare({ type: "string" }, { type: "string", maxLength: 3 });
const opaque = compare(
  { type: "string", format: "duration", pattern: "^.{2}$" },
  {
    type: "string",
    format: "duration",
    pattern: "^.{2}$",
    "x-kubernetes-validations": [{ rule: "self.getHours() < 100000" }],
  },
);

// biome-ignore format: a table
test.each([
  { name: "the check is configured by name", config: { preflightRules: [{ name: "CRDUpgradeSafety", config: { mode: "warn", failMode: "open" } }] }, flag: undefined, want: { mode: "warn", failMode: "open" } },
  { name: "the check has defaults", config: { preflightRules: [{ name: "CRDUpgradeSafety" }] }, flag: undefined, want: DEFAULT_PREFLIGHT },
  { name: "a check that is not named is disabled", config: { preflightRules: [] }, flag: undefined, want: undefined },
  { name: "the flag enables a check", config: {}, flag: "CRDUpgradeSafety", want: DEFAULT_PREFLIGHT },
  { name: "the flag overrides the list and keeps the configuration", config: { preflightRules: [{ name: "CRDUpgradeSafety", config: { mode: "warn" } }] }, flag: "CRDUpgradeSafety", want: { mode: "warn", failMode: "closed" } },
  { name: "the flag disables what it does not name", config: { preflightRules: [{ name: "CRDUpgradeSafety" }] }, flag: "PermissionValidation", want: undefined },
])("$name", ({ config, flag, want }) => {
  const parsed = parsePreflight([jsonObject(config)], flag === undefined ? [] : [flag]);
  expect(parsed.error).toBeUndefined();
  if (parsed.error === undefined) expect(parsed.value.checks.get("CRDUpgradeSafety")).toEqual(want);
});

// biome-ignore format: a table
test.each([
  { name: "an unknown check in the file", config: { preflightRules: [{ name: "Nope" }] }, flag: undefined, error: 'unknown preflight check in configuration: "Nope"' },
  { name: "a check twice", config: { preflightRules: [{ name: "CRDUpgradeSafety" }, { name: "CRDUpgradeSafety" }] }, flag: undefined, error: 'duplicate preflight check in configuration: "CRDUpgradeSafety"' },
  { name: "an unknown check in the flag", config: {}, flag: "Nope", error: 'unknown preflight check "Nope" specified' },
  { name: "a blank in the flag", config: {}, flag: "CRDUpgradeSafety, PermissionValidation", error: 'unknown preflight check " PermissionValidation" specified' },
  { name: "an empty flag", config: {}, flag: "", error: 'unknown preflight check "" specified' },
  { name: "an unknown mode", config: { preflightRules: [{ name: "CRDUpgradeSafety", config: { mode: "loud" } }] }, flag: undefined, error: "must be error or warn" },
  { name: "an unknown option", config: { preflightRules: [{ name: "CRDUpgradeSafety", config: { Mode: "warn" } }] }, flag: undefined, error: "unknown field `preflightRules[0].config.Mode`" },
])("$name is an error", ({ config, flag, error }) => {
  expect(parsePreflight([jsonObject(config)], flag === undefined ? [] : [flag]).error).toContain(error);
});

test("mode and failMode decide whether the check passes", () => {
  expect(runPreflight(tightened, DEFAULT_PREFLIGHT)).toMatchObject({
    isPassed: false,
    problems: [{ validation: "ChangeValidator" }],
  });
  expect(runPreflight(tightened, { mode: "warn", failMode: "closed" })).toMatchObject({
    isPassed: true,
    problems: [{}],
  });
  expect(opaque.map(({ verdict }) => verdict)).toContain("unknown");
  const closed = runPreflight(opaque, DEFAULT_PREFLIGHT);
  expect(closed.problems[0]?.message).toContain("unable to determine if the change to the existing field is safe");
  expect(runPreflight(opaque, { mode: "error", failMode: "open" })).toEqual({ isPassed: true, problems: [] });
});

// biome-ignore format: a table
test.each([
  { name: "None turns a check off", config: { validations: [{ name: "maxLength", enforcement: "None" }] }, level: "off" },
  { name: "Warn lowers the level", config: { validations: [{ name: "maxLength", enforcement: "Warn" }] }, level: "warning" },
  { name: "a check that is not mentioned keeps its level", config: { validations: [] }, level: "error" },
])("crdify's configuration: $name", ({ config, level }) => {
  const parsed = parseCrdifyConfig(jsonObject(config));
  if (parsed.error !== undefined) throw new Error(parsed.error);
  expect(gradeFinding(only(), parsed.value, "2026-01-01").level).toBe(level);
});

test("crdify's unknown checks and values are errors", () => {
  expect(parseCrdifyConfig(jsonObject({ validations: [{ name: "x", enforcement: "Warn" }] })).error).toContain(
    "unknown validation `x`",
  );
  expect(parseCrdifyConfig(jsonObject({ unhandledEnforcement: "Maybe" })).error).toContain("must be one of");
});

const acknowledged = (expires: string): UpgradePolicy => ({
  ...DEFAULT_POLICY,
  acknowledgements: [{ fingerprint: only().fingerprint, owner: "team", reason: "nobody uses it", expires }],
});

test("an acknowledged finding is a note until it expires", () => {
  expect(gradeFinding(only(), acknowledged("2026-12-31"), "2026-12-31")).toMatchObject({
    level: "note",
    isExpired: false,
  });
  expect(gradeFinding(only(), acknowledged("2026-12-30"), "2026-12-31")).toMatchObject({
    level: "error",
    isExpired: true,
  });
});

// biome-ignore format: a table
test.each([
  { name: "a misspelt field", json: { profil: "full" }, error: "unknown field `profil`" },
  { name: "an unknown rule", json: { rules: [{ code: "nope", level: "off" }] }, error: "unknown rule `nope`" },
  { name: "an acknowledgement without a reason", json: { acknowledgements: [{ fingerprint: "a", owner: "b", expires: "2026-01-01" }] }, error: "`acknowledgements[0].reason` is missing" },
  { name: "an expiry that is not a day", json: { acknowledgements: [{ fingerprint: "a", owner: "b", reason: "c", expires: "soon" }] }, error: "must be a day" },
])("$name is an error", ({ json, error }) => {
  expect(parsePolicy(jsonObject(json)).error).toContain(error);
});

test("a policy rule can apply to some paths only", () => {
  const parsed = parsePolicy(jsonObject({ rules: [{ code: "max-length", level: "off", paths: [".spec.*"] }] }));
  if (parsed.error !== undefined) throw new Error(parsed.error);
  expect(gradeFinding(only(), parsed.value, "2026-01-01").level).toBe("off");
});

test("a rollout fixes objects before it tightens the schema", () => {
  expect(suggestRollout(tightened).map(({ title }) => title)).toEqual([
    "apply the CRD with the new fields optional and the old bounds",
    "fix the objects: `portcullis crd scan` lists them with patches",
    "then require and tighten",
  ]);
});

function only() {
  const found = tightened.find(({ code }) => code === "upgrade/max-length");
  if (found === undefined) throw new Error("not found");
  return found;
}
