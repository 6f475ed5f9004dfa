/** Hands out distinct addresses and ports, in order. Nothing is reserved: every object is reviewed by itself. */
import { DEFAULT_SERVICE_NETWORK } from "../builtin/strategies/service-network.ts";
import type { ServiceAddressAllocator } from "../review/kinds/service-addresses.ts";

const FIRST_PORT = 30000;
const PORTS = 2768;
const FIRST_HOST = 2;
const HOSTS = 253;

export function addressAllocator(): ServiceAddressAllocator {
  let [host, port] = [0, 0];
  return {
    network: DEFAULT_SERVICE_NETWORK,
    nextClusterIp: () => `10.0.0.${FIRST_HOST + (host++ % HOSTS)}`,
    nextNodePort: () => FIRST_PORT + (port++ % PORTS),
  };
}
