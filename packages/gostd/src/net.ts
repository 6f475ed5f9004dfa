import type { Addr, Prefix } from "./netip.ts";
import type { Result } from "./result.ts";
export interface Cidr {
  readonly ip: Addr;
  readonly network: Prefix;
}
export declare function parseIp(text: string): Addr | undefined;
export declare function formatIp(addr: Addr): string;
export declare function parseCidr(text: string): Result<Cidr>;
export declare function parseMac(text: string): Result<Uint8Array>;
