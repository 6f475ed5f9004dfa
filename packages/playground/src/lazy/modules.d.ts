/** Modules that the build puts together. */

declare module "portcullis-lazy:syntax-errors" {
  export { setWords, WordsMissing } from "./syntax-errors.ts";
}

declare module "portcullis-lazy:words" {
  export const parseWithIssues: import("./syntax-errors.ts").Parse;
}

declare module "portcullis-lazy:examples" {
  /** As `readExample` wants them. */
  export const EXAMPLES: readonly { readonly file: string; readonly json: unknown }[];
}
