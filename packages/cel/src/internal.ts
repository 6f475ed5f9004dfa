/**
 * What the other packages of this repository need of the language besides the public API, which it includes.
 *
 * Not for other users: names here change without notice.
 */
export type { CheckedAst, Reference } from "./ast/checked.ts";
export type * from "./ast/expr.ts";
export { unparse } from "./ast/unparse.ts";
export { children, walk } from "./ast/visit.ts";
export {
  comprehensionNestingLimit,
  durationLiterals,
  homogeneousLiterals,
  regexLiterals,
  timestampLiterals,
  type Validator,
} from "./check/validators.ts";
export {
  type Ast,
  type CompileResult,
  Environment,
  type EnvironmentOptions,
  type EnvironmentSettings,
  type ParseOutcome,
  type Problems,
} from "./env.ts";
export { sizeOf, traversal } from "./eval/price.ts";
export { formatCalls } from "./ext/format-check.ts";
export { listsLibrary } from "./ext/lists.ts";
export { optionalsLibrary } from "./ext/optionals.ts";
export { setsLibrary } from "./ext/sets.ts";
export { stringsLibrary } from "./ext/strings.ts";
export { twoVarLibrary } from "./ext/two-var.ts";
export { formatIssues, type Issue, noLocation } from "./issue.ts";
export type { Library } from "./library.ts";
export { standardMacros } from "./parse/macros.ts";
export type { ParseOptions } from "./parse/options.ts";
export {
  type Evaluation,
  observeProgram,
  Program,
  type ProgramOptions,
  type ProgramResult,
  type Variables,
} from "./program.ts";
export { type FunctionReference, functionReferences } from "./reference.ts";
export { type Location, Source } from "./source.ts";
export { standardLibrary } from "./stdlib/standard.ts";
export { typed } from "./stdlib/typed.ts";
export * from "./types/cel-go.ts";
export type * from "./types/cost.ts";
export * from "./types/decl.ts";
export type * from "./types/macro.ts";
export * from "./types/provider.ts";
export * from "./types/range.ts";
export * from "./types/type.ts";
export { compareValues } from "./values/compare.ts";
export { writtenOffset } from "./values/conversions.ts";
export { equalValues, isEqualTo } from "./values/equal.ts";
export * from "./values/int.ts";
export { type Adapter, fromJson, JsonList, JsonMap } from "./values/json.ts";
export { ArrayList, ConcatList, concatLists, listElement, listIncludes, TextList } from "./values/list.ts";
export { EntryMap } from "./values/map.ts";
export * from "./values/messages.ts";
export { ConversionFailure, toJson } from "./values/native.ts";
export { isLargerThan } from "./values/nested-size.ts";
export { Panic } from "./values/panic.ts";
export { displayText, doubleText, durationText, timestampText } from "./values/text.ts";
export { isAsciiText, runesOf } from "./values/text-size.ts";
export { runtimeTypeName, typeNameOf, typeOfValue } from "./values/type-of.ts";
export * from "./values/value.ts";
