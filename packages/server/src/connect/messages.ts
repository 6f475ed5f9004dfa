/** Upstream's messages for connections to pods, services and nodes that fail. */
import { quote } from "@portcullis/gostd/quote";

export const badPorts = (error: string): string => `cannot convert to []int32: ${error}`;
export const containerNeeded = (pod: string, names: readonly string[]): string =>
  `a container name must be specified for pod ${pod}, choose one of: [${names.join(" ")}]`;
export const containerUnknown = (container: string, pod: string): string =>
  `container ${container} is not valid for pod ${pod}`;
export const noHost = (pod: string): string => `pod ${pod} does not have a host assigned`;
export const noAddress = (known: readonly string[]): string =>
  `no preferred addresses found; known addresses: [${known.join(" ")}]`;
export const addressNotAllowed = (): string => "address not allowed";
export const noServicePort = (port: string, service: string): string =>
  `no service port ${port} found for service ${quote(service)}`;
export const noEndpoints = (service: string): string => `no endpoints available for service ${quote(service)}`;
export const notReached = (address: string): string =>
  `error dialing backend: dial tcp ${address}: connect: connection refused`;
