/** Modules that the build generates. */

declare module "portcullis-lazy:cel-syntax-errors" {
  export const parseWithIssues: import("@portcullis/checker/internal/browser/syntax-errors").Parse;
}

declare module "portcullis-lazy:examples" {
  /** In the format of `readExample`. */
  export const EXAMPLES: readonly { readonly file: string; readonly json: unknown }[];
}
