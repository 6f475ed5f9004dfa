/** The options of the parser. */
import type { Macro } from "../types/macro.ts";
import { standardMacros } from "./macros.ts";

export interface ParseOptions {
  readonly macros: MacroTable;
  /** `a.?b`, `a[?b]`, `[?a]`, `{?a: b}`, `T{?a: b}`. */
  readonly optionalSyntax: boolean;
  /** Field names in backquotes. Kubernetes leaves it off. */
  readonly identifierEscapeSyntax: boolean;
  /** `@result`, which no expression can name; `__result__` in older environments. */
  readonly accumulatorName: string;
  readonly maxRecursionDepth: number;
  readonly maxCodePoints: number;
  /** How often the parser tries to continue after a syntax error. */
  readonly errorRecoveryLimit: number;
  /** How many tokens one such attempt may skip. */
  readonly errorRecoveryLookaheadLimit: number;
  readonly errorReportingLimit: number;
}

/** Macros by name; several share one name with different argument counts. */
export type MacroTable = ReadonlyMap<string, readonly Macro[]>;

/** The options given, and cel-go's defaults for the rest. */
export function parseOptions(settings: Partial<ParseOptions> = {}): ParseOptions {
  return { ...defaults, ...settings };
}

/** Later macros replace earlier ones of the same name, style and argument count. */
export function macroTable(macros: Iterable<Macro>): MacroTable {
  const table = new Map<string, Macro[]>();
  for (const macro of macros) {
    const others = (table.get(macro.name) ?? []).filter((other) => !isSameSignature(other, macro));
    table.set(macro.name, [...others, macro]);
  }
  return table;
}

/** The macro for a call: one with exactly its argument count before one that takes any number. */
export function findMacro(table: MacroTable, name: string, receiver: boolean, argCount: number): Macro | undefined {
  const candidates = table.get(name);
  if (candidates === undefined) return undefined;
  const taking = (count: number | undefined) =>
    candidates.find((macro) => macro.receiver === receiver && macro.argCount === count);
  return taking(argCount) ?? taking(undefined);
}

function isSameSignature(a: Macro, b: Macro): boolean {
  return a.receiver === b.receiver && a.argCount === b.argCount;
}

const defaults: ParseOptions = {
  macros: macroTable(standardMacros),
  optionalSyntax: false,
  identifierEscapeSyntax: false,
  accumulatorName: "@result",
  maxRecursionDepth: 250,
  maxCodePoints: 100_000,
  errorRecoveryLimit: 30,
  errorRecoveryLookaheadLimit: 256,
  errorReportingLimit: 100,
};
