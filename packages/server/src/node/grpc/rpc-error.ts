/** How a remote procedure call fails. The codes are gRPC's. */
const CANCELLED = 1;
export const UNKNOWN = 2;
export const DEADLINE_EXCEEDED = 4;
export const RESOURCE_EXHAUSTED = 8;
export const OUT_OF_RANGE = 11;
const INTERNAL = 13;
export const UNAVAILABLE = 14;

const TRANSIENT: readonly number[] = [UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, UNKNOWN, INTERNAL];

export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  /** False only if the server certainly has not seen the request. */
  readonly wasSent: boolean;

  constructor(code: number, message: string, { wasSent = true }: { readonly wasSent?: boolean } = {}) {
    super(message);
    this.code = code;
    this.wasSent = wasSent;
  }

  /** Whether another try, or another member, may succeed. */
  get isTransient(): boolean {
    return TRANSIENT.includes(this.code);
  }
}
