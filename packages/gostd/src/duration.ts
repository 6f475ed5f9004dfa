import type { Result } from "./result.ts";
export declare function parseDuration(text: string): Result<bigint>;
export declare function formatDuration(nanoseconds: bigint): string;
