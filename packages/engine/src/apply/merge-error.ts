import * as messages from "./messages.ts";

/**
 * Why a merge could not be made: an object that does not fit its type, or a version it cannot be converted to.
 *
 * Thrown inside this folder only, where upstream hands an error up through a dozen functions: writes drop the managed
 * fields, apply answers with the message.
 */
export class MergeError extends Error {
  override readonly name = "MergeError";
}

/** An object beyond a limit of ours, whatever the step: upstream would continue. */
export class DepthError extends MergeError {}

/** What fails inside is said to have failed in this step: `failed to ‹step›: ‹reason›`. */
export function inStep<T>(step: string, run: () => T): T {
  return reworded(run, (reason) => messages.failedTo(step, reason));
}

/** The other form of upstream's message: `failed ‹part›: ‹reason›`. */
export function inPart<T>(part: string, run: () => T): T {
  return reworded(run, (reason) => messages.failedPart(part, reason));
}

function reworded<T>(run: () => T, reword: (reason: string) => string): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof MergeError && !(error instanceof DepthError)) throw new MergeError(reword(error.message));
    throw error;
  }
}
