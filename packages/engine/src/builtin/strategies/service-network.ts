/** What a cluster gives its services: IP families and node ports. */
export type IpFamily = "IPv4" | "IPv6";

/** A range of ports, including the last one. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export interface ServiceNetwork {
  /** One or two; the first is the default. */
  readonly ipFamilies: readonly IpFamily[];
  /** If undefined, any port is accepted. */
  readonly nodePorts: PortRange | undefined;
}

/** kube-apiserver's defaults. */
export const DEFAULT_SERVICE_NETWORK: ServiceNetwork = {
  ipFamilies: ["IPv4"],
  nodePorts: { first: 30_000, last: 32_767 },
};

export function otherFamily(family: string): IpFamily {
  return family === "IPv4" ? "IPv6" : "IPv4";
}
