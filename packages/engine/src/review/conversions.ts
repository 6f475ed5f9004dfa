/**
 * Conversions that code which cannot wait asks for: it is stopped, the conversion is made, and it runs again.
 * INVARIANT: each round makes at least one conversion, and the same one is never asked for twice.
 */

/** Thrown where a conversion is needed that has not been made. Nothing but `withConversions` may catch it. */
export class ConversionNeeded extends Error {
  override readonly name = "ConversionNeeded";
  readonly make: () => Promise<void>;

  constructor(make: () => Promise<void>) {
    super("a conversion has to be waited for");
    this.make = make;
  }
}

export async function withConversions<T>(run: () => T): Promise<T> {
  for (;;) {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof ConversionNeeded)) throw error;
      await error.make();
    }
  }
}
