/** Who measures how long rules take to compile and to run; an API server shows it in its metrics. */
export interface RuleTimes {
  /** Seconds, from any start. */
  readonly clock: () => number;
  /** The rules of one schema were compiled. */
  compilation(seconds: number): void;
  /** The rules of one value, and of all below it, were evaluated. */
  evaluation(seconds: number): void;
}
