/** Modules that the build puts together. */

declare module "portcullis-late:syntax-errors" {
  export { setWords, WordsMissing } from "./syntax-errors.ts";
}

declare module "portcullis-late:words" {
  export const parseWithIssues: import("./syntax-errors.ts").Parse;
}

declare module "portcullis-late:examples" {
  /** As `readExample` wants them. */
  export const EXAMPLES: readonly { readonly file: string; readonly json: unknown }[];
}
