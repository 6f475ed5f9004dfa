/** Which admission webhooks would be asked, as findings and as lines of text. None is called. */
import type { WebhooksVerdict } from "@portcullis/engine/internal/review/cluster-view";
import type { WebhookExplanation } from "@portcullis/engine/internal/webhooks/explain";
import { type FindingParts, findingAt, findingInFile } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import type { Place } from "./findings.ts";

/** One for each webhook that is asked. One that cannot be matched refuses the request. */
export function webhookFindings(place: Place, { type, explanations }: WebhooksVerdict): Finding[] {
  const about = (parts: FindingParts): Finding =>
    typeof place === "string" ? findingInFile(place, parts) : findingAt(place, parts);
  return explanations.flatMap((each) => {
    const message = webhookLine(type, each);
    if (each.outcome === "asked") return [about({ rule: "webhook/asked", severity: "note", message })];
    return each.outcome === "error" ? [about({ rule: "webhook/error", severity: "error", message })] : [];
  });
}

/** The webhooks that matter for the answer; all of them with `explain`. */
export function webhookLines(verdicts: readonly WebhooksVerdict[], explain: boolean): string[] {
  return verdicts.flatMap(({ type, explanations }) =>
    explanations.filter(({ outcome }) => explain || outcome !== "not asked").map((each) => webhookLine(type, each)),
  );
}

export function webhooksData(verdicts: readonly WebhooksVerdict[], explain: boolean): object[] {
  return verdicts.flatMap(({ type, explanations }) =>
    explanations.filter(({ outcome }) => explain || outcome !== "not asked").map((each) => ({ type, ...each })),
  );
}

/** `would ask the validating webhook w.example.com of ValidatingWebhookConfiguration c: …`. */
function webhookLine(type: WebhooksVerdict["type"], explanation: WebhookExplanation): string {
  const { configuration, webhook, outcome, reason, as } = explanation;
  const shownAs = as === undefined ? "" : ` as ${as.group === "" ? "" : `${as.group}/`}${as.version} ${as.resource}`;
  return `${BEGINNINGS[outcome]} the ${type} webhook ${webhook} (${configuration})${shownAs}: ${reason}`;
}

const BEGINNINGS = { asked: "would ask", "not asked": "would not ask", error: "cannot match" } as const;
