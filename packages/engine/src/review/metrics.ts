/** What an API server counts while it reviews writes. */

export type AdmissionStep = "admit" | "validate";

export interface StepTime {
  readonly seconds: number;
  readonly isRejected: boolean;
}

export interface ReviewMetrics {
  /** Seconds, from any start. */
  readonly clock: () => number;
  /** How long comparing the old and the new object took. */
  ratcheting(seconds: number): void;
  admissionPlugin(plugin: string, step: AdmissionStep, operation: string, time: StepTime): void;
  admissionStep(step: AdmissionStep, operation: string, time: StepTime): void;
}
