/** What is done about a validation that does not hold: `severity` in the early shape, an action of the binding in v1. */
import type { Report } from "./findings.ts";
import * as findings from "./findings.ts";

export type Action = "Deny" | "Warn" | "Audit";

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ["error", "Deny"],
  ["deny", "Deny"],
  ["warning", "Warn"],
  ["warn", "Warn"],
  ["audit", "Audit"],
]);

/** Names are compared without case. An unknown severity is reported and denies: nothing gets more lenient by accident. */
export function actionOf(severity: string, path: string, report: Report): Action {
  const action = ACTIONS.get(severity.toLowerCase());
  if (action === undefined && severity !== "") report("error", path, findings.severityUnknown(severity));
  return action ?? "Deny";
}
