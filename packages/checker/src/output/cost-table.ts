/** The cost of CRD rules as a table: most expensive first, each with the reason and a remedy. */

import type { LineColumn } from "@portcullis/engine/internal/codec/position";
import type { CostReport, RuleCost, SchemaCost } from "@portcullis/engine/internal/crd/cost-report";
import { formatCause, formatShare, shareOf } from "./cost.ts";

export interface CostedDefinition {
  readonly name: string;
  readonly file: string;
  readonly report: CostReport;
  /** The rule costs of an earlier CRD, by schema path and rule. */
  readonly base: ReadonlyMap<string, bigint> | undefined;
  readonly placeOf: (rule: RuleCost) => LineColumn | undefined;
}

export function formatCostTable(definitions: readonly CostedDefinition[]): string {
  return definitions
    .flatMap((definition) => {
      const { name, report } = definition;
      return report.schemas.length === 0
        ? [`${name}: no rules\n`]
        : report.schemas.map((each) => formatSchema(definition, each));
    })
    .join("\n");
}

const COLUMNS = ["COST", "OF RULE", "OF SCHEMA", "TIMES"] as const;

function formatSchema(definition: CostedDefinition, schema: SchemaCost): string {
  const { name, base } = definition;
  const count = `${schema.rules.length} ${schema.rules.length === 1 ? "rule" : "rules"}`;
  const head = `${name} ${schema.versions.join(", ")}: ${count}, ${number(schema.total)}, ${shareOf(schema.share, "the schema's budget")}`;
  if (schema.rules.length === 0) return `${head}\n`;
  const rules = [...schema.rules].sort((left, right) =>
    left.total < right.total ? 1 : left.total > right.total ? -1 : 0,
  );
  const rows = rules.map((rule) => cellsOf(rule, base));
  const titles = base === undefined ? [...COLUMNS] : [...COLUMNS, "CHANGE"];
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join("  ");
  const lines = rules.flatMap((rule, index) => [
    `  ${line(rows[index] ?? [])}  ${ruleText(rule)}`,
    ...detailsOf(rule, definition).map(
      (text) => `  ${" ".repeat(widths.reduce((sum, width) => sum + width + 2, 0))}${text}`,
    ),
  ]);
  return [head, `  ${line(titles)}  RULE`, ...lines, ""].join("\n");
}

function cellsOf(rule: RuleCost, base: ReadonlyMap<string, bigint> | undefined): string[] {
  const cells = [
    number(rule.total),
    formatShare(rule.ruleShare),
    formatShare(rule.schemaShare),
    number(rule.cardinality),
  ];
  return base === undefined ? cells : [...cells, change(rule, base.get(ruleKey(rule)))];
}

/** Identifies a rule by its path within the schema. The version is left out, because versions come and go. */
export function ruleKey({ path, rule }: RuleCost): string {
  return `${path.replace(/^.*?openAPIV3Schema/, "")} ${rule}`;
}

function change({ total }: RuleCost, before: bigint | undefined): string {
  if (before === undefined) return "new";
  if (before === total) return "same";
  return `${total > before ? "+" : "-"}${number(total > before ? total - before : before - total)}`;
}

function ruleText({ rule }: RuleCost): string {
  return rule.replaceAll(/\s*\n\s*/g, " ").trim();
}

function detailsOf(rule: RuleCost, { file, placeOf }: CostedDefinition): string[] {
  const place = placeOf(rule);
  return [
    `${file}${place === undefined ? "" : `:${place.line}:${place.column}`}`,
    ...rule.causes.map(formatCause),
    ...(rule.boundForAll === undefined ? [] : [`fits if all of these are at most ${rule.boundForAll}`]),
  ];
}

/** Formats with thousands separators. */
function number(value: bigint): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}
