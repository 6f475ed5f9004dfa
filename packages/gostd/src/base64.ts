import type { Result } from "./result.ts";
export type Base64Encoding = "std" | "url" | "rawStd" | "rawUrl";
export declare function encodeBase64(bytes: Uint8Array, encoding?: Base64Encoding): string;
export declare function decodeBase64(text: string, encoding?: Base64Encoding): Result<Uint8Array>;
