/** What the operating system says of the server's process, under the names of Prometheus' client libraries. */
import type { Metrics } from "./metrics.ts";

export interface ProcessUsage {
  /** Processor time in seconds. */
  readonly cpu: number;
  /** Bytes of memory. */
  readonly memory: number;
  /** When it started, in seconds since 1970. */
  readonly start: number;
  /** What only Linux says. */
  readonly files?: ProcessFiles | undefined;
}

export interface ProcessFiles {
  readonly openFiles: number;
  readonly maxFiles: number;
  /** Bytes of address space. */
  readonly addresses: number;
  readonly maxAddresses: number;
  /** Bytes that came and went over the network, of all processes that share it. */
  readonly received: number;
  readonly sent: number;
}

/** Those that are not added up over processes. */
export const START_TIME = "process_start_time_seconds";
export const DEPRECATED_APIS = "apiserver_requested_deprecated_apis";

/** Several processes see the same network. */
export const NETWORK = "process_network_";
export const MAX_ADDRESSES = "process_virtual_memory_max_bytes";

export function addProcessMetrics(metrics: Metrics, readUsage: () => ProcessUsage): void {
  let known: ProcessUsage | undefined;
  /** The system is asked once for all values of one text. */
  const usage = (): ProcessUsage => {
    if (known === undefined) queueMicrotask(() => (known = undefined));
    known ??= readUsage();
    return known;
  };
  const add = (name: string, type: "counter" | "gauge", help: string, value: "cpu" | "memory" | "start"): void =>
    metrics.computed({ name, help, type }, () => [[{}, usage()[value]]]);
  add("process_cpu_seconds_total", "counter", "Processor time of the process in seconds.", "cpu");
  add("process_resident_memory_bytes", "gauge", "Memory of the process in bytes.", "memory");
  add(START_TIME, "gauge", "When the process started, in seconds since 1970.", "start");
  const addFiles = (name: string, help: string, value: keyof ProcessFiles, type: "gauge" | "counter" = "gauge"): void =>
    metrics.computed({ name, help, type }, () => {
      const { files } = usage();
      return files === undefined ? [] : [[{}, files[value]]];
    });
  addFiles("process_open_fds", "Open files and connections of the process.", "openFiles");
  addFiles("process_max_fds", "How many files and connections the process may open.", "maxFiles");
  addFiles("process_virtual_memory_bytes", "Address space of the process in bytes.", "addresses");
  addFiles(MAX_ADDRESSES, "Largest address space that the process may have, in bytes.", "maxAddresses");
  addFiles(`${NETWORK}receive_bytes_total`, "Bytes received over the network of the process.", "received", "counter");
  addFiles(`${NETWORK}transmit_bytes_total`, "Bytes sent over the network of the process.", "sent", "counter");
}
