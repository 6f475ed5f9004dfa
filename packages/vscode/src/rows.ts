/** What the views show of the answers of the server. Free of the editor, so that it can be tested without one. */
import type { CostRow } from "@portcullis/lsp/internal/features/costs";
import type { UpgradeRow } from "@portcullis/lsp/internal/features/upgrade";

export interface Row {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** The name of an icon of the editor. */
  readonly icon: string;
  /** The place to jump to: line and character, from 0. */
  readonly range: CostRow["range"];
}

/** The most expensive rules first. */
export function costRows(rows: readonly CostRow[]): readonly Row[] {
  return [...rows]
    .sort((one, other) => other.share - one.share)
    .map(({ rule, shareText, causes, path, range, share }) => ({
      label: rule.replaceAll(/\s+/g, " "),
      description: shareText,
      tooltip: [path, ...causes].join("\n"),
      icon: share > 1 ? "error" : share > 0.1 ? "warning" : "pass",
      range,
    }));
}

const ICONS: Readonly<Record<string, string>> = { unsafe: "error", unknown: "question", safe: "pass" };

/** What breaks first. */
export function upgradeRows(rows: readonly UpgradeRow[]): readonly Row[] {
  const order = Object.keys(ICONS);
  return [...rows]
    .sort((one, other) => order.indexOf(one.verdict) - order.indexOf(other.verdict))
    .map(({ rule, verdict, message, evidence, range }) => ({
      label: message,
      description: rule,
      tooltip: evidence,
      icon: ICONS[verdict] ?? "info",
      range,
    }));
}
