/** What the operating system says of the server's process, under the names of Prometheus' client libraries. */
import type { Metrics } from "./metrics.ts";

export interface ProcessUsage {
  /** Processor time in seconds. */
  readonly cpu: number;
  /** Bytes of memory. */
  readonly memory: number;
  /** When it started, in seconds since 1970. */
  readonly start: number;
}

/** The one that is not added up over processes. */
export const START_TIME = "process_start_time_seconds";

export function addProcessMetrics(metrics: Metrics, usage: () => ProcessUsage): void {
  const add = (name: string, type: "counter" | "gauge", help: string, value: keyof ProcessUsage): void =>
    metrics.computed({ name, help, type }, () => [[{}, usage()[value]]]);
  add("process_cpu_seconds_total", "counter", "Processor time of the process in seconds.", "cpu");
  add("process_resident_memory_bytes", "gauge", "Memory of the process in bytes.", "memory");
  add(START_TIME, "gauge", "When the process started, in seconds since 1970.", "start");
}
