export type CompileResult =
  | { readonly pattern: Pattern; readonly error?: undefined }
  | { readonly pattern?: undefined; readonly error: string };
export declare class Pattern {
  readonly source: string;
  /** Number of capturing groups. */
  readonly groupCount: number;
  matches(text: string): boolean;
  find(text: string): string | undefined;
  /** UTF-16 offsets of the leftmost match. */
  findIndex(text: string): readonly [start: number, end: number] | undefined;
  findAll(text: string, limit?: number): string[];
  findSubmatch(text: string): readonly (string | undefined)[] | undefined;
  replaceAll(text: string, replacement: string): string;
}
export declare function compileRegexp(source: string): CompileResult;
export declare class PatternCache {
  constructor(capacity?: number);
  compile(source: string): CompileResult;
}
export declare function compileCached(source: string, cache?: PatternCache): CompileResult;
