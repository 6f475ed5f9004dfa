/** The context of a span in another process, by the W3C recommendation Trace Context. */

export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

const PATTERN = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined if the header is absent or invalid. */
export function parseTraceParent(header: string | undefined): SpanContext | undefined {
  const [, version, traceId = "", spanId = "", flags = "", rest] = PATTERN.exec(header ?? "") ?? [];
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

const HALF = 2n ** 63n;

/** All servers with the same ratio choose the same traces: the last eight bytes of the identifier decide. */
export function isSampledByRatio(traceId: string, ratio: number): boolean {
  if (ratio <= 0) return false;
  if (ratio >= 1) return true;
  return BigInt(`0x${traceId.slice(16)}`) >> 1n < BigInt(Math.floor(ratio * Number(HALF)));
}
