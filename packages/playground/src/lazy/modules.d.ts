/** Modules that the build generates. */

declare module "portcullis-lazy:syntax-errors" {
  export { SyntaxErrorsMissing, setSyntaxErrors } from "./syntax-errors.ts";
}

declare module "portcullis-lazy:cel-syntax-errors" {
  export const parseWithIssues: import("./syntax-errors.ts").Parse;
}

declare module "portcullis-lazy:examples" {
  /** In the format of `readExample`. */
  export const EXAMPLES: readonly { readonly file: string; readonly json: unknown }[];
}
