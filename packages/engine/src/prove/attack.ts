/** stub */
import type { Question } from "./difference.ts";
import type { Replay, Witness } from "./witness.ts";

export function attack(
  _questions: readonly Question[],
  _shows: (witness: Witness) => boolean,
  _replay: Replay,
): Witness | undefined {
  return undefined;
}
