/**
 * One write, from the request to the object as it would be stored. Every surface calls this function: the API server, the
 * command line, the webhook and the playground.
 *
 * It does no I/O of its own. What it has to know of the cluster comes through the view; the live object is read by the
 * caller, who also stores the result, and reviews again where the live object has changed meanwhile.
 */
import { StatusError } from "../status/error.ts";
import type { ClusterView } from "./cluster-view.ts";
import { reviewCreate } from "./create.ts";
import { reviewDelete } from "./delete.ts";
import { type Outcome, OutcomeRecorder } from "./outcome.ts";
import type { ReviewContext, Reviewed } from "./review-context.ts";
import { reviewPatch, reviewUpdate } from "./update.ts";
import type { Write } from "./write.ts";

/**
 * What the API server would do with this write.
 * @example
 * const { object, refusal } = await review(write, cluster);
 * refusal?.code; // 422
 */
export async function review(write: Write, cluster: ClusterView): Promise<Outcome> {
  const recorder = new OutcomeRecorder();
  const { warnings, fieldFindings, admission, auditAnnotations, objectAnnotations } = recorder;
  const found = { warnings, fieldFindings, admission, auditAnnotations, objectAnnotations };
  const { warning } = write.endpoint.type;
  if (warning !== undefined) recorder.warn(warning);
  try {
    const { object, isCreated } = await run(write, { cluster, recorder });
    const { invalid: refusal, ratcheting, decoded, reservation } = recorder;
    const shown = refusal === undefined ? object : undefined;
    return { ...found, object: shown, isCreated, refusal, ratcheting, decoded, reservation };
  } catch (refusal) {
    await recorder.reservation?.release();
    if (!(refusal instanceof StatusError)) throw refusal;
    const { invalid, ratcheting, decoded } = recorder;
    return { ...found, object: undefined, isCreated: false, refusal: invalid ?? refusal, ratcheting, decoded };
  }
}

function run(write: Write, context: ReviewContext): Promise<Reviewed> {
  switch (write.verb) {
    case "create":
      return reviewCreate(write, context);
    case "update":
      return reviewUpdate(write, context);
    case "patch":
      return reviewPatch(write, context);
    case "delete":
      return reviewDelete(write, context);
  }
}
