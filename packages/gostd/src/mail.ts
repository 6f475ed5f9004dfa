import type { Result } from "./result.ts";
export interface MailAddress {
  readonly name: string;
  readonly address: string;
}
export declare function parseAddress(text: string): Result<MailAddress>;
