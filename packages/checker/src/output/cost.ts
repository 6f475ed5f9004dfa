/** The cost report for people: each rule's share of the budgets, the reason, and the bound that would help. */
import type { CostCause, CostReport, RuleCost, SchemaCost } from "@portcullis/engine/internal/crd/cost-report";

/** `high` lists the rules that use more than a tenth of a budget. */
export type CostFilter = "all" | "high" | "none";

const HIGH_SHARE = 0.1;

/** Ends with an empty line; "" if there is nothing to list. */
export function formatCosts(name: string, report: CostReport, filter: CostFilter): string {
  return report.schemas.map((schema) => formatSchema(name, schema, filter)).join("");
}

function formatSchema(name: string, schema: SchemaCost, filter: CostFilter): string {
  if (filter === "none" || schema.rules.length === 0) return "";
  const shown = schema.rules.filter((rule) => filter === "all" || isHigh(rule));
  if (shown.length === 0) return "";
  const count = `${schema.rules.length} ${schema.rules.length === 1 ? "rule" : "rules"}`;
  const head = `${name} ${schema.versions.join(", ")}: ${count}, ${shareOf(schema.share, "the schema's cost budget")}`;
  const left = schema.rules.length - shown.length;
  const rest = left === 0 ? [] : [`  ${left} of them below a tenth of any budget (--costs all lists them)`];
  return [head, ...shown.flatMap(formatRule), ...rest, "", ""].join("\n");
}

function isHigh({ ruleShare, schemaShare }: RuleCost): boolean {
  return ruleShare > HIGH_SHARE || schemaShare > HIGH_SHARE;
}

function formatRule(rule: RuleCost): string[] {
  const often = rule.cardinality === 1n ? "" : ` (${rule.estimate} each, up to ${rule.cardinality} times)`;
  return [
    `  ${shareOf(rule.ruleShare, "a rule's budget")}, ${shareOf(rule.schemaShare, "the schema's")}: ${rule.total}${often}`,
    `      ${rule.path}`,
    `      ${rule.rule.replaceAll(/\s*\n\s*/g, " ")}`,
    ...rule.causes.map((cause) => `      ${formatCause(cause)}`),
    ...(rule.boundForAll === undefined ? [] : [`      fits if all of these are at most ${rule.boundForAll}`]),
  ];
}

/** Why a rule costs that much, and the bound that would help. */
export function formatCause({ field, keyword, declared, role, largestBound }: CostCause): string {
  const bound = declared === undefined ? `no ${keyword}` : `${keyword}: ${declared}`;
  const effect = role === "repetition" ? "runs once for each" : "works on";
  const help = largestBound === undefined ? "" : `; fits with ${keyword}: ${largestBound}`;
  return `${effect} \`${field === "" ? "self" : field}\` (${bound})${help}`;
}

/** `3 % of a rule's budget`, `250 times a rule's budget`. */
export function shareOf(share: number, budget: string): string {
  const text = formatShare(share);
  return text.endsWith("times") ? `${text} ${budget}` : `${text} of ${budget}`;
}

const MANY = new Intl.NumberFormat("en", {
  notation: "compact",
  compactDisplay: "long",
  maximumSignificantDigits: 2,
});

/** `3 %`, `250 times`, `3.5 billion times`. */
export function formatShare(share: number): string {
  if (share >= 10) return `${share < 1e6 ? Math.round(share).toLocaleString("en") : MANY.format(share)} times`;
  if (share !== 0 && share < 0.0001) return "under 0.01 %";
  return `${Number((share * 100).toPrecision(2))} %`;
}
