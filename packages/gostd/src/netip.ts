import type { Result } from "./result.ts";
export interface Addr {
  readonly family: 4 | 6;
  readonly value: bigint;
  /** IPv6 scope, without the `%`; empty when there is none. */
  readonly zone: string;
}
export interface Prefix {
  readonly addr: Addr;
  readonly bits: number;
}
export declare function parseAddr(text: string): Result<Addr>;
export declare function formatAddr(addr: Addr): string;
export declare function compareAddr(a: Addr, b: Addr): number;
export declare function equalAddr(a: Addr, b: Addr): boolean;
export declare function is4(addr: Addr): boolean;
export declare function is6(addr: Addr): boolean;
export declare function is4In6(addr: Addr): boolean;
export declare function unmap(addr: Addr): Addr;
export declare function withZone(addr: Addr, zone: string): Addr;
export declare function isLoopback(addr: Addr): boolean;
export declare function isMulticast(addr: Addr): boolean;
export declare function isLinkLocalUnicast(addr: Addr): boolean;
export declare function isLinkLocalMulticast(addr: Addr): boolean;
export declare function isInterfaceLocalMulticast(addr: Addr): boolean;
export declare function isGlobalUnicast(addr: Addr): boolean;
export declare function isUnspecified(addr: Addr): boolean;
export declare function isPrivate(addr: Addr): boolean;
export declare function parsePrefix(text: string): Result<Prefix>;
export declare function formatPrefix(prefix: Prefix): string;
export declare function masked(prefix: Prefix): Prefix;
export declare function prefixFrom(addr: Addr, bits: number): Prefix | undefined;
export declare function equalPrefix(a: Prefix, b: Prefix): boolean;
export declare function prefixContains(prefix: Prefix, addr: Addr): boolean;
export declare function prefixContainsPrefix(prefix: Prefix, other: Prefix): boolean;
export declare function prefixOverlaps(a: Prefix, b: Prefix): boolean;
