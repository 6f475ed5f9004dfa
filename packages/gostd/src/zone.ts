import type { Result } from "./result.ts";
export interface Zone {
  readonly name: string;
  /** Seconds east of UTC in force at that instant. */
  offsetAt(seconds: bigint): number;
}
export declare const utc: Zone;
export declare function fixedZone(offsetSeconds: number): Zone;
export declare function loadLocation(name: string): Result<Zone>;
