import type { Result } from "./result.ts";
export interface Userinfo {
  readonly username: string;
  readonly password: string | undefined;
}
export interface Url {
  readonly scheme: string;
  readonly opaque: string;
  readonly user: Userinfo | undefined;
  readonly host: string;
  readonly path: string;
  readonly rawPath: string;
  readonly omitHost: boolean;
  readonly forceQuery: boolean;
  readonly rawQuery: string;
  readonly fragment: string;
  readonly rawFragment: string;
}
export type UrlResult =
  | { readonly url: Url; readonly error?: undefined }
  | { readonly url?: undefined; readonly error: string };
export type QueryValues = ReadonlyMap<string, readonly string[]>;
export declare function parse(text: string): UrlResult;
export declare function parseRequestUri(text: string): UrlResult;
export declare function format(url: Url): string;
export declare function escapedPath(url: Url): string;
export declare function escapedFragment(url: Url): string;
export declare function hostname(url: Url): string;
export declare function port(url: Url): string;
export declare function isAbs(url: Url): boolean;
export declare function query(url: Url): QueryValues;
export declare function parseQuery(raw: string): { readonly values: QueryValues; readonly error: string | undefined };
export declare function encodeQuery(values: QueryValues): string;
export declare function queryEscape(text: string): string;
export declare function queryUnescape(text: string): Result<string>;
export declare function pathEscape(text: string): string;
export declare function pathUnescape(text: string): Result<string>;
