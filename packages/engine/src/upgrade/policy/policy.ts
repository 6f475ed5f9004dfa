/**
 * What counts as a failure: levels for findings, the level of unknown verdicts, and acknowledged exceptions.
 *
 * A policy only changes how findings are reported. It never changes a verdict.
 */
import { isArray, isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { findCatalogEntry, type Level } from "../catalog.ts";
import type { UpgradeFinding } from "../finding.ts";

export type PolicyLevel = Level | "off";
export const PROFILES = ["writers", "readers", "full"] as const;
export type Profile = (typeof PROFILES)[number];

export interface UpgradePolicy {
  readonly profile: Profile;
  /** For verdicts that are neither proved nor demonstrated. */
  readonly unknown: PolicyLevel;
  /** By code; the first pattern that matches the path decides. */
  readonly rules: readonly PolicyRule[];
  /** Lowers errors to warnings. */
  readonly warnOnly: boolean;
  readonly acknowledgements: readonly Acknowledgement[];
}

export interface PolicyRule {
  readonly code: string;
  readonly level: PolicyLevel;
  /** Keywords that the rule applies to; all if absent. */
  readonly keywords?: readonly string[];
  /** `.spec.*` matches everything below. */
  readonly paths?: readonly string[];
}

export interface Acknowledgement {
  readonly fingerprint: string;
  readonly owner: string;
  readonly reason: string;
  /** The last day on which it is valid, such as `2026-12-31`. */
  readonly expires: string;
}

export const DEFAULT_POLICY: UpgradePolicy = {
  profile: "writers",
  unknown: "error",
  rules: [],
  warnOnly: false,
  acknowledgements: [],
};

export interface GradedFinding {
  readonly finding: UpgradeFinding;
  readonly level: PolicyLevel;
  /** Set if the finding is acknowledged; an expired acknowledgement does not lower the level. */
  readonly acknowledged: Acknowledgement | undefined;
  readonly isExpired: boolean;
}

/** Applies the policy to one finding. `today` has the form `2026-12-31`. */
export function gradeFinding(finding: UpgradeFinding, policy: UpgradePolicy, today: string): GradedFinding {
  const level = limit(levelOf(finding, policy), policy);
  const found = policy.acknowledgements.find(({ fingerprint }) => fingerprint === finding.fingerprint);
  const isExpired = found !== undefined && found.expires < today;
  const isLowered = found !== undefined && !isExpired && level !== "off";
  return { finding, level: isLowered ? "note" : level, acknowledged: found, isExpired };
}

function levelOf(finding: UpgradeFinding, { profile, unknown, rules }: UpgradePolicy): PolicyLevel {
  if (finding.verdict === "safe" || finding.verdict === "noop") return "note";
  const rule = rules.find((each) => fits(each, finding));
  if (rule !== undefined) return rule.level;
  if (finding.verdict === "unknown") return isBesideWriters(finding) && profile === "writers" ? "note" : unknown;
  if (profile === "full" && finding.level === "warning") return "error";
  return isForReaders(finding) && profile !== "writers" ? "error" : finding.level;
}

function limit(level: PolicyLevel, { warnOnly }: UpgradePolicy): PolicyLevel {
  return warnOnly && level === "error" ? "warning" : level;
}

function isForReaders({ questions }: UpgradeFinding): boolean {
  return questions.includes("Q5");
}

/** About readers, or about data between served versions: shown, it is not an error for writers either. */
function isBesideWriters(finding: UpgradeFinding): boolean {
  return isForReaders(finding) || finding.questions.includes("Q8");
}

function fits({ code, keywords, paths }: PolicyRule, finding: UpgradeFinding): boolean {
  if (code !== finding.code) return false;
  if (keywords !== undefined && !keywords.includes(finding.change?.keyword ?? "")) return false;
  return paths === undefined || paths.some((path) => fitsPath(path, finding.path));
}

function fitsPath(pattern: string, path: string): boolean {
  if (pattern.endsWith(".*")) return path.startsWith(pattern.slice(0, -1));
  return pattern === path;
}

export const POLICY_API_VERSION = "upgrade.portcullis.dev/v1";
export const POLICY_KIND = "UpgradePolicy";

export type Parsed<T> = { readonly value: T; readonly error?: undefined } | { readonly error: string };

/** Parses our own configuration. Unknown keys are errors, so that a misspelt one is not ignored. */
export function parsePolicy(json: JsonObject): Parsed<UpgradePolicy> {
  const unknownKey = Object.keys(json).find((key) => !POLICY_KEYS.includes(key));
  if (unknownKey !== undefined) return { error: `unknown field \`${unknownKey}\`` };
  const profile = choice(json["profile"] ?? "writers", PROFILES);
  if (profile === undefined) return { error: `\`profile\` must be one of ${PROFILES.join(", ")}` };
  const unknown = choice(json["unknown"] ?? "error", LEVELS);
  if (unknown === undefined) return { error: `\`unknown\` must be one of ${LEVELS.join(", ")}` };
  const rules = parseRules(json["rules"]);
  if (rules.error !== undefined) return rules;
  const acknowledgements = parseAcknowledgements(json["acknowledgements"]);
  if (acknowledgements.error !== undefined) return acknowledgements;
  return {
    value: { ...DEFAULT_POLICY, profile, unknown, rules: rules.value, acknowledgements: acknowledgements.value },
  };
}

const POLICY_KEYS: readonly string[] = [
  "apiVersion",
  "kind",
  "metadata",
  "profile",
  "unknown",
  "rules",
  "acknowledgements",
];
export const LEVELS = ["error", "warning", "note", "off"] as const;

function parseRules(json: JsonValue | undefined): Parsed<PolicyRule[]> {
  if (json === undefined) return { value: [] };
  if (!isArray(json)) return { error: "`rules` must be a list" };
  const rules: PolicyRule[] = [];
  for (const [index, each] of json.entries()) {
    if (!isObject(each) || typeof each["code"] !== "string") return { error: `\`rules[${index}].code\` is missing` };
    const entry = findCatalogEntry(each["code"]);
    if (entry === undefined) return { error: `unknown rule \`${each["code"]}\` in \`rules[${index}].code\`` };
    const level = choice(each["level"], LEVELS);
    if (level === undefined) return { error: `\`rules[${index}].level\` must be one of ${LEVELS.join(", ")}` };
    const paths = isArray(each["paths"]) ? each["paths"].filter((path) => typeof path === "string") : undefined;
    rules.push(paths === undefined ? { code: entry.code, level } : { code: entry.code, level, paths });
  }
  return { value: rules };
}

/** All four members are required: an exception needs an owner, a reason and an expiry. */
export function parseAcknowledgements(json: JsonValue | undefined): Parsed<Acknowledgement[]> {
  if (json === undefined) return { value: [] };
  if (!isArray(json)) return { error: "`acknowledgements` must be a list" };
  const found: Acknowledgement[] = [];
  for (const [index, each] of json.entries()) {
    const member = (key: string): string => {
      const value = isObject(each) ? each[key] : undefined;
      return typeof value === "string" ? value : "";
    };
    const missing = ["fingerprint", "owner", "reason", "expires"].find((key) => member(key) === "");
    if (missing !== undefined) return { error: `\`acknowledgements[${index}].${missing}\` is missing` };
    if (!/^\d{4}-\d{2}-\d{2}$/.test(member("expires"))) {
      return { error: `\`acknowledgements[${index}].expires\` must be a day such as 2026-12-31` };
    }
    found.push({
      fingerprint: member("fingerprint"),
      owner: member("owner"),
      reason: member("reason"),
      expires: member("expires"),
    });
  }
  return { value: found };
}

export function choice<T extends string>(value: JsonValue | undefined, allowed: readonly T[]): T | undefined {
  return allowed.find((each) => each === value);
}
