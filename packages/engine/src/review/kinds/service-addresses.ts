/** Addresses and ports that built-in kinds get when they are written. */
import type { IpFamily, ServiceNetwork } from "../../builtin/strategies/service-network.ts";
import type { PrepareContext } from "../../builtin/strategies/strategy.ts";
import type { ReserveClaims, WriteContext } from "../kind.ts";

/** Hands out what a Service gets where it asks for nothing particular. */
export interface ServiceAddressAllocator {
  readonly network: ServiceNetwork;
  /** "" where all are taken. */
  nextClusterIp(family: IpFamily, isDryRun?: boolean): string;
  /** 0 where all are taken. */
  nextNodePort(): number;
  /** Holds what a service wants before the service is stored; absent if nothing is reserved. */
  readonly reserve?: ReserveClaims | undefined;
}

export function prepareContext(
  {
    system,
    warn,
    setsPluginValues,
    isDryRun,
  }: Pick<WriteContext, "system" | "setsPluginValues" | "isDryRun"> & Partial<Pick<WriteContext, "warn">>,
  addresses: ServiceAddressAllocator | undefined,
): PrepareContext {
  return {
    now: system.now,
    ...(warn && { warn }),
    ...(setsPluginValues !== undefined && { setsPluginValues }),
    network: addresses?.network,
    isDryRun,
    clusterIp: (family) => addresses?.nextClusterIp(family, isDryRun) ?? "",
    nodePort: () => addresses?.nextNodePort() ?? 0,
  };
}
