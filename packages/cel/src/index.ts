/**
 * The Common Expression Language: compile an expression in an `Environment`, make a `Program` of it, evaluate it.
 *
 * This is the public API. The other packages of this repository use `@portcullis/cel/internal`, which may change.
 */
export { unparse } from "./ast/unparse.ts";
export {
  type Ast,
  type CompileResult,
  Environment,
  type EnvironmentOptions,
  type EnvironmentSettings,
  type Problems,
} from "./env.ts";
export type { Variables } from "./eval/frame.ts";
export { listsLibrary } from "./ext/lists.ts";
export { optionalsLibrary } from "./ext/optionals.ts";
export { setsLibrary } from "./ext/sets.ts";
export { stringsLibrary } from "./ext/strings.ts";
export { twoVarLibrary } from "./ext/two-var.ts";
export type { Issue } from "./issue.ts";
export type { Library } from "./library.ts";
export { type Evaluation, Program, type ProgramOptions, type ProgramResult } from "./program.ts";
export { type FunctionReference, functionReferences } from "./reference.ts";
export type { CallEstimate, CostEstimate, CostNode, OverloadCost, SizeEstimate, SizeHints } from "./types/cost.ts";
export {
  type FunctionDecl,
  fn,
  global,
  type Implementation,
  method,
  type Overload,
  type VariableDecl,
  withCost,
} from "./types/decl.ts";
export type { TypeProvider } from "./types/provider.ts";
export {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  formatType,
  INT,
  listOf,
  mapOf,
  NULL,
  objectType,
  opaqueType,
  optionalOf,
  STRING,
  TIMESTAMP,
  type Type,
  typeParam,
  UINT,
} from "./types/type.ts";
export { fromJson } from "./values/json.ts";
export { displayText } from "./values/text.ts";
export {
  Bytes,
  CelError,
  Double,
  Duration,
  isError,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  Uint,
  type Value,
} from "./values/value.ts";
