/** All modules in one import. The other packages of this repository import single modules instead. */
export * from "./base64.ts";
export * from "./duration.ts";
export * from "./json-text.ts";
export * from "./mail.ts";
export * from "./net.ts";
export * from "./netip.ts";
export * from "./quote.ts";
export * from "./regexp/pattern.ts";
export type { Failure, Result, Success } from "./result.ts";
export * from "./space.ts";
export * from "./strconv.ts";
export * from "./time.ts";
export * as url from "./url.ts";
export * from "./utf8.ts";
export * from "./zone.ts";
