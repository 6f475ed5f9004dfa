/**
 * Something that reviews writes: the API server over HTTP, `portcullis check`, the playground, the webhook. Each gets the
 * same recorded cases and answers as far as it can.
 */
import type { RequestCase } from "../policy/request-case.ts";
import type { Outcome, Vector } from "../vectors/vector.ts";

/** Requests one after the other, or one request under policies. */
export type SurfaceCase =
  | { readonly id: string; readonly vector: Vector }
  | { readonly id: string; readonly request: RequestCase };

/** What a surface shows of its answer. Absent members are not shown by the surface and not compared. */
export interface SurfaceAnswer extends Outcome {
  /** What kubectl would print. */
  readonly printed?: string;
}

/** Why a surface cannot answer: a category, and the same text for all cases of it. */
export interface Unanswered {
  readonly unanswered: string;
}

export interface Surface {
  /** Of its scoreboard. */
  readonly name: string;
  /** One answer for each step of the vector. */
  answerSteps(vector: Vector): Promise<readonly (SurfaceAnswer | Unanswered)[]>;
  answerRequest(recorded: RequestCase): Promise<SurfaceAnswer | Unanswered>;
  close?(): Promise<void>;
}

export function isUnanswered(answer: SurfaceAnswer | Unanswered): answer is Unanswered {
  return "unanswered" in answer;
}
