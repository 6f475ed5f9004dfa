/** What preparing an object for storage needs from outside. */
export interface PrepareContext {
  /** The time, as metadata writes it. */
  readonly now: () => string;
  /** A free address for a service, and a free port on every node. */
  readonly clusterIp: () => string;
  readonly nodePort: () => number;
  /** Whether the values that default admission plugins set are set here, because no plugins run. */
  readonly setsPluginValues?: boolean;
  /** Gets warnings that are due although the object may be refused. */
  readonly warn?: (text: string) => void;
}
