import type { IpFamily, ServiceNetwork } from "./service-network.ts";

/** What preparing an object for storage needs from outside. */
export interface PrepareContext {
  /** The time, as metadata writes it. */
  readonly now: () => string;
  /** A free address of a family for a service, "" if there is none, and a free port on every node. */
  readonly clusterIp: (family: IpFamily) => string;
  readonly nodePort: () => number;
  /** Default that of a cluster with IPv4 addresses. */
  readonly network?: ServiceNetwork | undefined;
  /** Nothing is allocated then; services get dummy values. */
  readonly isDryRun?: boolean | undefined;
  /** Whether the values that default admission plugins set are set here, because no plugins run; false if they ran. */
  readonly setsPluginValues?: boolean;
  /** Gets warnings that are due although the object may be refused. */
  readonly warn?: (text: string) => void;
}
