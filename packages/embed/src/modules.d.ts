/** A module that the build replaces. */
declare module "portcullis-lazy:cel-syntax-errors" {
  export const parseWithIssues: import("@portcullis/checker/internal/browser/syntax-errors").Parse;
}

/** A module that the build replaces. */
declare module "portcullis-lazy:builtin-kinds" {
  export const builtinKind: import("@portcullis/checker/internal/browser/builtin-kinds").BuiltinKinds["builtinKind"];
  export const filledTypes: import("@portcullis/checker/internal/browser/builtin-kinds").BuiltinKinds["filledTypes"];
}
