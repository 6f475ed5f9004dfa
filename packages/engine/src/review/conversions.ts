/**
 * Conversions that code which cannot wait asks for: it is stopped, the conversion is made, and it runs again.
 * INVARIANT: each round makes at least one conversion, and the same one is never asked for twice.
 */
import type { Steps } from "../apply/steps.ts";

/** Thrown where a conversion is needed that has not been made. Nothing but `withConversions` may catch it. */
export class ConversionNeeded extends Error {
  override readonly name = "ConversionNeeded";
  readonly make: () => Promise<void>;

  constructor(make: () => Promise<void>) {
    super("a conversion has to be waited for");
    this.make = make;
  }
}

/** `pause` is called between steps. */
export async function withConversions<T>(run: () => Steps<T>, pause?: () => Promise<void> | undefined): Promise<T> {
  for (;;) {
    try {
      return await drive(run(), pause);
    } catch (error) {
      if (!(error instanceof ConversionNeeded)) throw error;
      await error.make();
    }
  }
}

async function drive<T>(steps: Steps<T>, pause: (() => Promise<void> | undefined) | undefined): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pause?.();
  }
}
