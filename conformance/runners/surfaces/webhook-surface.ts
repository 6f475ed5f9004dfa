/** The webhook: it decides by policies, and has no other part in a write. */
import { answerReview } from "../policy/review-case.ts";
import type { Surface } from "./surface.ts";

export const webhookSurface: Surface = {
  name: "surface-webhook",
  answerSteps: async ({ steps }) => steps.map(() => ({ unanswered: "writes: only policies are evaluated" })),
  async answerRequest(recorded) {
    // Each policy is asked on its own; which of several refuses first is left to the API server.
    if (recorded.policies.length !== 1) return { unanswered: "several policies: each is a webhook of its own" };
    const { code = 200, reason, message, warnings } = await answerReview(recorded);
    return { code, ...(reason !== undefined && { reason, message: message ?? "" }), warnings };
  },
};
