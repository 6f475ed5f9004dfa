/** A module that the build replaces. */
declare module "portcullis-lazy:cel-syntax-errors" {
  export const parseWithIssues: import("@portcullis/checker/internal/browser/syntax-errors").Parse;
}
