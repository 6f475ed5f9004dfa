/** Reviews a write on behalf of a client: warnings and annotations go to the answer, a refusal is thrown. */
import type { Outcome } from "@portcullis/engine/internal/review/outcome";
import { review } from "@portcullis/engine/internal/review/review";
import type { Write } from "@portcullis/engine/internal/review/write";
import type { WriteCall } from "./context.ts";

export type Accepted = Pick<Outcome, "object" | "isCreated" | "reservation">;

export async function reviewed(write: Write, { server, warn, annotate }: WriteCall): Promise<Accepted> {
  const outcome = await review(write, server);
  const { object, isCreated, refusal, warnings, admission, reservation } = outcome;
  for (const decision of admission) server.metrics.policies.decision(decision);
  warnings.forEach(warn);
  for (const [key, value] of outcome.auditAnnotations) annotate(key, value);
  for (const [key, value] of outcome.objectAnnotations) annotate(key, value, "Request");
  if (refusal !== undefined) throw refusal;
  return { object, isCreated, reservation };
}

/** Stores the object of an accepted write. What it holds is released where that fails. */
export async function storeReserved<T>(
  { reservation }: Accepted,
  { pause }: Pick<Write, "pause">,
  store: () => Promise<T>,
): Promise<T> {
  try {
    await pause?.();
    return await store();
  } catch (error) {
    await reservation?.release();
    throw error;
  }
}
