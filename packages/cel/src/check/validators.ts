/**
 * Checks of a tree that already has its types: literals that could only fail at run time, literals that
 * mix types, comprehensions nested too deep. They run in the order given, and only if the types are right.
 * Follows cel-go cel/validator.go.
 */
import { compileRegexp } from "@portcullis/gostd/regexp";
import type { CheckedAst } from "../ast/checked.ts";
import type { CallExpr, Expr, ListExpr, LiteralExpr, MapExpr } from "../ast/expr.ts";
import { type Issue, noLocation } from "../issue.ts";
import type { Source } from "../source.ts";
import { ERROR, type Type } from "../types/type.ts";
import { typeOfValue } from "../values/type-of.ts";
import { isError } from "../values/value.ts";
import { isEquivalentType, optionalElement } from "./compare.ts";
import { invalidArgument, nestingLimitExceeded, typeMismatch } from "./messages.ts";
import type { CheckScope } from "./scope.ts";
import { visitExprs, walkExpr } from "./walk.ts";

export interface Validator {
  readonly name: string;
  /** Functions whose arguments may be literals of mixed types. Holds for all validators of a run. */
  readonly mixedLiteralFunctions?: readonly string[];
  readonly validate: (validation: Validation) => void;
}

export interface Validation {
  readonly checked: CheckedAst;
  readonly scope: CheckScope;
  readonly mixedLiteralFunctions: ReadonlySet<string>;
  readonly report: (id: number, message: string) => void;
}

export function validate(
  checked: CheckedAst,
  source: Source,
  scope: CheckScope,
  validators: readonly Validator[],
): readonly Issue[] {
  const issues: Issue[] = [];
  const report = (id: number, message: string): void => {
    const range = checked.info.positions.get(id);
    issues.push({ message, location: range === undefined ? noLocation : source.locate(range.start) });
  };
  const mixedLiteralFunctions = new Set(validators.flatMap((validator) => validator.mixedLiteralFunctions ?? []));
  for (const validator of validators) validator.validate({ checked, scope, mixedLiteralFunctions, report });
  return issues;
}

export const durationLiterals: Validator = argumentValidator("duration", evaluates);
export const timestampLiterals: Validator = argumentValidator("timestamp", evaluates);
export const regexLiterals: Validator = argumentValidator("matches", isPattern);

type ArgumentCheck = (validation: Validation, call: CallExpr, arg: LiteralExpr) => boolean;

/** Checks the first argument, although `matches(text, pattern)` has its pattern second. */
function argumentValidator(functionName: string, isValid: ArgumentCheck): Validator {
  return {
    name: `cel.validator.${functionName}`,
    validate: (validation) =>
      visitExprs(validation.checked.expr, (expr) => {
        if (expr.kind !== "call" || expr.function !== functionName) return;
        const [arg] = expr.args;
        if (arg?.kind !== "literal" || isValid(validation, expr, arg)) return;
        validation.report(arg.id, invalidArgument(functionName));
      }),
  };
}

/** Whether the call succeeds, tried with the implementation that the environment has for a literal of that type. */
function evaluates({ scope }: Validation, call: CallExpr, arg: LiteralExpr): boolean {
  const { kind } = typeOfValue(arg.value);
  const overloads = scope.findFunction(call.function)?.overloads ?? [];
  const implementation = overloads.find(({ params }) => params.length === 1 && params[0]?.kind === kind)?.call;
  return implementation !== undefined && !isError(implementation(arg.value));
}

function isPattern(_validation: Validation, _call: CallExpr, arg: LiteralExpr): boolean {
  return typeof arg.value !== "string" || compileRegexp(arg.value).error === undefined;
}

/** List and map literals must not mix types, except in the arguments of exempt functions. */
export const homogeneousLiterals: Validator = {
  name: "cel.validator.homogeneous_literals",
  validate: (validation) => {
    const { lists, maps } = aggregates(validation);
    for (const list of lists) validateList(validation, list);
    for (const map of maps) validateMap(validation, map);
  },
};

function aggregates({ checked, mixedLiteralFunctions }: Validation): { lists: ListExpr[]; maps: MapExpr[] } {
  const lists: ListExpr[] = [];
  const maps: MapExpr[] = [];
  walkExpr(checked.expr, false, {
    enter: (expr, exempt) => exempt || (expr.kind === "call" && mixedLiteralFunctions.has(expr.function)),
    leave: (expr, exempt) => {
      if (exempt) return;
      if (expr.kind === "list") lists.push(expr);
      else if (expr.kind === "map") maps.push(expr);
    },
  });
  return { lists, maps };
}

/** At most one mismatch per list. */
function validateList({ checked, report }: Validation, list: ListExpr): void {
  const optional = new Set(list.optionalIndices);
  let expected: Type | undefined;
  for (const [index, element] of list.elements.entries()) {
    const type = literalType(checked, element, optional.has(index));
    expected ??= type;
    if (isEquivalentType(expected, type)) continue;
    report(element.id, typeMismatch(expected, type));
    return;
  }
}

/** Any number of mismatches per map. */
function validateMap({ checked, report }: Validation, map: MapExpr): void {
  let expected: { readonly key: Type; readonly value: Type } | undefined;
  for (const entry of map.entries) {
    const key = literalType(checked, entry.key, false);
    const value = literalType(checked, entry.value, entry.optional);
    expected ??= { key, value };
    if (!isEquivalentType(expected.key, key)) report(entry.key.id, typeMismatch(expected.key, key));
    if (!isEquivalentType(expected.value, value)) report(entry.value.id, typeMismatch(expected.value, value));
  }
}

function literalType(checked: CheckedAst, expr: Expr, optional: boolean): Type {
  const type = checked.types.get(expr.id) ?? ERROR;
  return optional ? (optionalElement(type) ?? type) : type;
}

/** Comprehensions over an empty list literal, such as binds, loop over nothing and do not count. */
export function comprehensionNestingLimit(limit: number): Validator {
  return {
    name: "cel.validator.comprehension_nesting_limit",
    validate: ({ checked, report }) =>
      walkExpr(checked.expr, 0, {
        enter: (expr, depth) => (loops(expr) ? depth + 1 : depth),
        leave: (expr, depth) => {
          if (expr.kind !== "comprehension") return;
          if (depth + (loops(expr) ? 1 : 0) > limit) report(expr.id, nestingLimitExceeded());
        },
      }),
  };
}

function loops(expr: Expr): boolean {
  return expr.kind === "comprehension" && !(expr.range.kind === "list" && expr.range.elements.length === 0);
}
