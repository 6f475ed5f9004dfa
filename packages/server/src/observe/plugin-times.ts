/** Times of admission plugins. A write has two dozen of them, so the series of those that accept it are kept by name. */
import type { AdmissionStep, StepTime } from "@portcullis/engine/internal/review/metrics";
import type { Histogram } from "./metrics.ts";

type Observe = (seconds: number) => void;

export class PluginTimes {
  readonly #times: Histogram;
  /** By step, operation and name. */
  readonly #accepted: Readonly<Record<AdmissionStep, Map<string, Map<string, Observe>>>> = {
    admit: new Map(),
    validate: new Map(),
  };

  constructor(times: Histogram) {
    this.#times = times;
  }

  note(name: string, step: AdmissionStep, operation: string, { seconds, isRejected }: StepTime): void {
    const known = isRejected ? undefined : this.#accepted[step].get(operation)?.get(name);
    if (known !== undefined) {
      known(seconds);
      return;
    }
    const observe = this.#times.observer({ name, operation, rejected: String(isRejected), type: step });
    if (!isRejected) this.#keep(observe, name, step, operation);
    observe(seconds);
  }

  #keep(observe: Observe, name: string, step: AdmissionStep, operation: string): void {
    const byName = this.#accepted[step].get(operation) ?? new Map<string, Observe>();
    byName.set(name, observe);
    this.#accepted[step].set(operation, byName);
  }
}
