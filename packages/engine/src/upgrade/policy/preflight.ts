/**
 * kapp's preflight check `CRDUpgradeSafety`, following its proposal: which changes are unsafe, `mode`, `failMode`, the
 * `preflightRules` of kapp's configuration, and `--preflight`, which overrides which checks run.
 *
 * The five kinds of unsafe change are those of the proposal. Proof and demonstration decide whether a change of a field
 * is one of them, not a comparison of keywords. `failMode` applies to changes that are neither proved nor demonstrated.
 */
import { isArray, isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import type { UpgradeFinding } from "../finding.ts";
import { choice, DEFAULT_POLICY, type Parsed, type UpgradePolicy } from "./policy.ts";

export const CRD_UPGRADE_SAFETY = "CRDUpgradeSafety";
/** Checks that kapp knows and that are not run here: this one asks a cluster for permissions. */
const OTHER_CHECKS: readonly string[] = ["PermissionValidation"];
const PREFLIGHT_CHECKS: readonly string[] = [CRD_UPGRADE_SAFETY];

export interface PreflightConfig {
  readonly mode: "error" | "warn";
  /** Only with mode `error`: whether an undecided change of a field fails the check. */
  readonly failMode: "open" | "closed";
}

export const DEFAULT_PREFLIGHT: PreflightConfig = { mode: "error", failMode: "closed" };

export interface PreflightRules {
  /** Enabled checks and their configuration. */
  readonly checks: ReadonlyMap<string, PreflightConfig>;
  /** Checks of kapp that were requested and are not run here. */
  readonly ignored: readonly string[];
}

/**
 * `configs` are kapp's configurations, whose rules are added up. `flags` are the values of `--preflight`, each a list of
 * names without spaces, in kapp's syntax: what they name is enabled, whatever the configurations say, and nothing else.
 */
export function parsePreflight(configs: readonly JsonObject[], flags: readonly string[]): Parsed<PreflightRules> {
  const configured = parseRules(configs);
  if (configured.error !== undefined || flags.length === 0) return configured;
  const names = flags.flatMap((flag) => flag.split(","));
  const unknown = names.find((name) => !isKnown(name));
  if (unknown !== undefined) return { error: `unknown preflight check ${JSON.stringify(unknown)} specified` };
  const { checks } = configured.value;
  return {
    value: {
      checks: new Map(names.filter(isOurs).map((name) => [name, checks.get(name) ?? DEFAULT_PREFLIGHT])),
      ignored: [...new Set(names.filter((name) => !isOurs(name)))],
    },
  };
}

function parseRules(configs: readonly JsonObject[]): Parsed<PreflightRules> {
  const checks = new Map<string, PreflightConfig>();
  const ignored: string[] = [];
  for (const { preflightRules = null } of configs) {
    if (preflightRules === null) continue;
    if (!isArray(preflightRules)) return { error: "`preflightRules` must be a list" };
    for (const [index, rule] of preflightRules.entries()) {
      const parsed = parseRule(rule, `preflightRules[${index}]`);
      if (parsed.error !== undefined) return parsed;
      const { name, config } = parsed.value;
      if (checks.has(name) || ignored.includes(name)) {
        return { error: `duplicate preflight check in configuration: ${JSON.stringify(name)}` };
      }
      if (config === undefined) ignored.push(name);
      else checks.set(name, config);
    }
  }
  return { value: { checks, ignored } };
}

/** Without a configuration for checks that are not run here. */
function parseRule(
  rule: JsonValue,
  path: string,
): Parsed<{ readonly name: string; readonly config: PreflightConfig | undefined }> {
  const name = isObject(rule) ? rule["name"] : undefined;
  if (!isObject(rule) || typeof name !== "string") return { error: `\`${path}.name\` is missing` };
  if (!isKnown(name)) return { error: `unknown preflight check in configuration: ${JSON.stringify(name)}` };
  if (!isOurs(name)) return { value: { name, config: undefined } };
  const config = parseConfig(rule["config"], `${path}.config`);
  return config.error !== undefined ? config : { value: { name, config: config.value } };
}

function parseConfig(json: JsonValue | undefined, path: string): Parsed<PreflightConfig> {
  if (json === undefined || json === null) return { value: DEFAULT_PREFLIGHT };
  if (!isObject(json)) return { error: `\`${path}\` must be an object` };
  const stray = Object.keys(json).find((key) => key !== "mode" && key !== "failMode");
  if (stray !== undefined) return { error: `unknown field \`${path}.${stray}\`` };
  const mode = choice(json["mode"] ?? "error", ["error", "warn"] as const);
  if (mode === undefined) return { error: `\`${path}.mode\` must be error or warn` };
  const failMode = choice(json["failMode"] ?? "closed", ["open", "closed"] as const);
  if (failMode === undefined) return { error: `\`${path}.failMode\` must be open or closed` };
  return { value: { mode, failMode } };
}

function isOurs(name: string): boolean {
  return PREFLIGHT_CHECKS.includes(name);
}

function isKnown(name: string): boolean {
  return isOurs(name) || OTHER_CHECKS.includes(name);
}

/** The parts of the check, with the names of kapp's validations. */
const VALIDATIONS = ["NoScopeChange", "NoStoredVersionRemoved", "NoExistingFieldRemoved", "ChangeValidator"] as const;
export type Validation = (typeof VALIDATIONS)[number];

const BY_CODE: ReadonlyMap<string, Validation> = new Map<string, Validation>([
  ["upgrade/scope-changed", "NoScopeChange"],
  ["upgrade/stored-version-removed", "NoStoredVersionRemoved"],
  ["upgrade/field-removed", "NoExistingFieldRemoved"],
  ["upgrade/unknown-fields-dropped", "NoExistingFieldRemoved"],
]);

/** Which validation a finding fails; undefined if the proposal does not mention it. */
function validationOf({ code, change, verdict }: UpgradeFinding): Validation | undefined {
  if (verdict !== "unsafe" && verdict !== "unknown") return undefined;
  const named = BY_CODE.get(code);
  if (named !== undefined) return named;
  return change?.axis === "validity" && code !== "upgrade/reader" ? "ChangeValidator" : undefined;
}

export interface PreflightProblem {
  readonly finding: UpgradeFinding;
  readonly validation: Validation;
  readonly message: string;
}

export interface PreflightResult {
  readonly isPassed: boolean;
  readonly problems: readonly PreflightProblem[];
}

export function runPreflight(findings: readonly UpgradeFinding[], config: PreflightConfig): PreflightResult {
  const problems = findings.flatMap((finding) => {
    const validation = validationOf(finding);
    const isPassedOver = finding.verdict === "unknown" && config.failMode === "open" && config.mode === "error";
    if (validation === undefined || isPassedOver) return [];
    return [{ finding, validation, message: problemText(finding, validation) }];
  });
  return { isPassed: config.mode === "warn" || problems.length === 0, problems };
}

function problemText({ definition, version, path, message, verdict }: UpgradeFinding, validation: Validation): string {
  const place = [version === "" ? "" : `version ${version}`, path === "" ? "" : `field ${path}`].filter(
    (part) => part !== "",
  );
  const where = place.length === 0 ? "" : `${place.join(", ")}: `;
  const what =
    verdict === "unknown" ? `unable to determine if the change to the existing field is safe: ${message}` : message;
  return `CustomResourceDefinition ${definition} failed upgrade safety validation \`${validation}\`: ${where}${what}`;
}

/** The configuration as a policy, for reports that show every finding. */
export function preflightPolicy({ mode, failMode }: PreflightConfig): UpgradePolicy {
  return { ...DEFAULT_POLICY, warnOnly: mode === "warn", unknown: failMode === "closed" ? "error" : "note" };
}
