/** What a rule is about, whoever finds it: `check` and `crd lint`, `crd diff` and `preflight`, `crd scan`. */
import { findCatalogEntry, QUESTIONS } from "@portcullis/engine/upgrade/catalog";
import { findCheckRule } from "../check/rules.ts";

export interface RuleDescription {
  /** As it is listed. */
  readonly rule: string;
  readonly title: string;
  readonly why: string;
  /** Empty where nothing is to be done. */
  readonly fix: string;
  /** Of upgrades: which question it answers. */
  readonly question: string | undefined;
}

/** Rules of upgrades are known with and without `upgrade/` in front. */
export function describeRule(name: string): RuleDescription | undefined {
  const checked = findCheckRule(name);
  if (checked !== undefined) return { ...checked, rule: name, question: undefined };
  const entry = findCatalogEntry(ruleOf(name));
  if (entry === undefined) return undefined;
  const { code, title, why, fix, question } = entry;
  return { rule: code, title, why, fix, question: `${question}: ${QUESTIONS[question]}` };
}

/** What a scan calls the same thing. */
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
