import type { Result } from "./result.ts";
export declare function quote(text: string): string;
export declare function quoteToAscii(text: string): string;
export declare function quoteRune(rune: number): string;
export declare function unquote(text: string): Result<string>;
export declare function isPrint(codePoint: number): boolean;
export declare function isGraphic(codePoint: number): boolean;
