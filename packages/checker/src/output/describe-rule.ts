/** Describes a rule of any command: `check` and `crd lint`, `crd diff` and `preflight`, `crd scan`. */
import { findCatalogEntry, QUESTIONS } from "@portcullis/engine/internal/upgrade/catalog";
import { findCheckRule } from "../check/rules.ts";

export interface RuleDescription {
  /** As it is listed. */
  readonly rule: string;
  readonly title: string;
  readonly why: string;
  /** Empty if no action is needed. */
  readonly fix: string;
  /** For upgrades: the question it answers. */
  readonly question: string | undefined;
}

/** Upgrade rules are known with and without the prefix `upgrade/`. */
export function describeRule(name: string): RuleDescription | undefined {
  const checked = findCheckRule(name);
  if (checked !== undefined) return { ...checked, rule: name, question: undefined };
  const entry = findCatalogEntry(ruleOf(name));
  if (entry === undefined) return undefined;
  const { code, title, why, fix, question } = entry;
  return { rule: code, title, why, fix, question: `${question}: ${QUESTIONS[question]}` };
}

/** The name that a scan uses for the same rule. */
const SCAN_RULES: Readonly<Record<string, string>> = {
  pruned: "field-removed",
  defaulted: "default",
  decode: "type",
  set: "list-type",
  map: "list-type",
  scale: "scale-values",
};

/** `scan/maxLength` is explained by `upgrade/max-length`. */
function ruleOf(name: string): string {
  if (!name.startsWith("scan/")) return name;
  const origin = name.slice("scan/".length);
  const known = Object.hasOwn(SCAN_RULES, origin) ? SCAN_RULES[origin] : undefined;
  return known ?? origin.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
