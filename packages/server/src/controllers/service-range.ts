/**
 * A range of service addresses. Follows the allocator of kubernetes pkg/registry/core/service/ipallocator, but goes
 * through the addresses in order instead of starting at a random one.
 */
import type { IpFamily } from "@portcullis/engine/internal/builtin/strategies/service-network";
import { parseCidr } from "@portcullis/gostd/net";
import { type Addr, formatAddr, formatPrefix, is4, masked, parseAddr } from "@portcullis/gostd/netip";

/** How many addresses are tried before a range counts as full. */
const MAX_TRIES = 2 ** 16;
/** The part of a range that is kept for requested addresses. */
const [LEAST_KEPT, MOST_KEPT, KEPT_SHARE] = [16n, 256n, 16n];

export class ServiceRange {
  readonly family: IpFamily;
  /** In canonical form, such as `10.0.0.0/24`. */
  readonly cidr: string;
  /** The number of addresses, including those that are never allocated. */
  readonly size: bigint;
  readonly #network: bigint;
  readonly #last: bigint;
  /** Where dynamic allocation begins, and where it continues. */
  readonly #start: bigint;
  #next: bigint;

  /** Undefined if the text is not a CIDR. */
  static parse(text: string): ServiceRange | undefined {
    const { value, error } = parseCidr(text);
    return error === undefined ? new ServiceRange(value.network) : undefined;
  }

  private constructor(prefix: { readonly addr: Addr; readonly bits: number }) {
    const { addr } = masked(prefix);
    const isIpv4 = is4(addr);
    this.family = isIpv4 ? "IPv4" : "IPv6";
    this.cidr = formatPrefix({ addr, bits: prefix.bits });
    this.size = 1n << BigInt((isIpv4 ? 32 : 128) - prefix.bits);
    this.#network = addr.value;
    this.#last = this.#network + this.size - (isIpv4 ? 2n : 1n);
    this.#start = this.#network + 1n + keptShare(this.size);
    this.#next = this.#start;
  }

  /** How many addresses can be allocated. */
  get capacity(): number {
    return Number(this.#last - this.#network);
  }

  /** The network address; a dry run shows it in place of an allocated one. */
  get network(): string {
    return this.#format(this.#network);
  }

  /** The first address, used by the Service of the server itself. */
  get first(): string {
    return this.#format(this.#network + 1n);
  }

  /** Whether an address can be allocated from the range: not that of the network, nor that of an IPv4 broadcast. */
  contains(address: string): boolean {
    const { value, error } = parseAddr(address);
    if (error !== undefined || is4(value) !== (this.family === "IPv4")) return false;
    return value.value > this.#network && value.value <= this.#last;
  }

  /** Undefined if all are used. Requested addresses are usually the first ones, so those are given out last. */
  next(isUsed: (address: string) => boolean): string | undefined {
    for (let tries = 0; tries < MAX_TRIES && this.#start <= this.#last; tries++) {
      const address = this.#format(this.#next);
      this.#next = this.#next === this.#last ? this.#start : this.#next + 1n;
      if (!isUsed(address)) return address;
      if (tries > 0 && this.#next === this.#start) break;
    }
    for (let value = this.#network + 1n; value < this.#start && value <= this.#last; value++) {
      const address = this.#format(value);
      if (!isUsed(address)) return address;
    }
    return undefined;
  }

  #format(value: bigint): string {
    return formatAddr({ family: this.family === "IPv4" ? 4 : 6, value, zone: "" });
  }
}

function keptShare(size: bigint): bigint {
  if (size <= LEAST_KEPT) return 0n;
  const share = size / KEPT_SHARE;
  if (share < LEAST_KEPT) return LEAST_KEPT;
  if (share > MOST_KEPT) return MOST_KEPT;
  return share;
}
