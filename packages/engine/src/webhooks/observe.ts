/** What the metrics count for match conditions. */
import type { AdmissionAttributes } from "../policy/attributes.ts";
import type { WebhookContext, WebhookType } from "./context.ts";
import type { Selection } from "./select.ts";

export function observeSelection(
  webhook: string,
  { conditions, isExcludedByConditions }: Selection,
  type: WebhookType,
  { operation }: AdmissionAttributes,
  { observer }: Pick<WebhookContext, "observer">,
): void {
  if (conditions !== undefined) {
    const { errors, elapsed } = conditions;
    observer.conditionsEvaluated(webhook, type, operation, { errors, seconds: elapsed });
  }
  if (isExcludedByConditions === true) observer.conditionsExcluded(webhook, type, operation);
}
