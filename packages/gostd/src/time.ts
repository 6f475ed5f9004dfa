import type { Result } from "./result.ts";
export interface Instant {
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly seconds: bigint;
  /** 0 to 999,999,999. */
  readonly nanos: number;
}
export interface CivilTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** 1 is 1 January. */
  readonly yearDay: number;
}
export declare function parseRfc3339(text: string): Result<Instant>;
export declare function parseDate(text: string): Result<Instant>;
export declare function formatRfc3339(seconds: bigint, offsetSeconds?: number): string;
export declare function formatRfc3339Nano(seconds: bigint, nanos: number, offsetSeconds?: number): string;
export declare function toCivil(seconds: bigint, offsetSeconds: number): CivilTime;
export declare function daysFromCivil(year: number, month: number, day: number): number;
