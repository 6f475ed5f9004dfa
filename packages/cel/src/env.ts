/**
 * The environment an expression is compiled in: its libraries, variables, types and settings.
 *
 * Environments never change. `extend` makes a larger one that shares everything with the smaller, so one base
 * can serve any number of schemas.
 */
import type { CheckedAst } from "./ast/checked.ts";
import type { ParsedAst } from "./ast/expr.ts";
import { check } from "./check/checker.ts";
import { estimateCost } from "./check/cost.ts";
import { CheckScope } from "./check/scope.ts";
import { type Validator, validate } from "./check/validators.ts";
import type { Construct } from "./eval/plan.ts";
import { formatIssues, type Issue } from "./issue.ts";
import type { Library } from "./library.ts";
import { standardMacros } from "./parse/macros.ts";
import { macroTable, type ParseOptions, parseOptions } from "./parse/options.ts";
import { parse } from "./parse/parser.ts";
import { createProgram, type ProgramEnvironment, type ProgramOptions, type ProgramResult } from "./program.ts";
import { Source } from "./source.ts";
import { standardLibrary } from "./stdlib/standard.ts";
import { type CelGoVersion, NEWEST_CEL_GO } from "./types/cel-go.ts";
import type { CostEstimate, CostModel, OverloadCost, SizeHints } from "./types/cost.ts";
import type { FunctionDecl, VariableDecl } from "./types/decl.ts";
import type { Macro } from "./types/macro.ts";
import { NO_TYPES, type TypeProvider } from "./types/provider.ts";
import { DYN, type Type } from "./types/type.ts";
import { withWellKnownTypes } from "./types/well-known.ts";
import type { Adapter } from "./values/json.ts";
import { constructWellKnown } from "./values/message.ts";

/** What an environment adds to the one it extends. Example: `{ variables: { object: DYN } }`. */
export interface EnvironmentOptions {
  /** In addition to the standard library. A library whose name is already present is ignored. */
  readonly libraries?: readonly Library[] | undefined;
  readonly variables?: Readonly<Record<string, Type>> | readonly VariableDecl[] | undefined;
  /** Object types. Replaces the provider of the environment that is extended. */
  readonly types?: TypeProvider | undefined;
  readonly costModel?: CostModel | undefined;
  readonly settings?: Partial<EnvironmentSettings> | undefined;
}

/** How expressions are parsed, checked and evaluated. Example: `{ settings: { container: "example" } }`. */
export interface EnvironmentSettings {
  /** The namespace in which names are looked up first. */
  readonly container: string;
  /** Allows comparisons such as `1 < 2.0`. */
  readonly crossTypeNumericComparisons: boolean;
  /** Whether `has(a.b)` costs 1 more than `a`. */
  readonly presenceTestHasCost: boolean;
  /** Run on every tree that passed the checker. */
  readonly validators: readonly Validator[];
  /** Functions whose second argument is a pattern; a constant pattern that does not compile makes `program` fail. */
  readonly patternFunctions: readonly string[];
  /** Parser limits and syntax; macros and optional syntax come with libraries. */
  readonly parse: Partial<Omit<ParseOptions, "macros" | "optionalSyntax">>;
  /** Makes the values of struct literals. */
  readonly construct: Construct | undefined;
  /** Converts data of variables that is neither a CEL value nor plain JSON. */
  readonly adapt: Adapter | undefined;
  /** The version of cel-go whose behaviour is followed. Has no effect on an environment that extends another. */
  readonly celGo: CelGoVersion;
}

/** A compiled expression. Example: `formatType(ast.type)`. */
export interface Ast {
  readonly source: Source;
  readonly checked: CheckedAst;
  readonly type: Type;
}

/** Why an expression does not compile. Example: `if (!compiled.ok) throw new Error(compiled.text)`. */
export interface Problems {
  readonly ok: false;
  readonly issues: readonly Issue[];
  /** The issues as cel-go prints them. */
  readonly text: string;
}

/** The result of `compile` and `check`. Example: `if (compiled.ok) environment.program(compiled.ast)`. */
export type CompileResult = { readonly ok: true; readonly ast: Ast } | Problems;
export type ParseOutcome = { readonly ok: true; readonly ast: ParsedAst; readonly source: Source } | Problems;

const DEFAULT_SETTINGS: EnvironmentSettings = {
  container: "",
  crossTypeNumericComparisons: false,
  presenceTestHasCost: true,
  validators: [],
  patternFunctions: ["matches"],
  parse: {},
  construct: undefined,
  adapt: undefined,
  celGo: NEWEST_CEL_GO,
};

const NO_HINTS: SizeHints = { estimateSize: () => undefined };

/** The parts that an environment shares with those that extend it. */
interface Layers {
  readonly scope: CheckScope;
  readonly settings: EnvironmentSettings;
  readonly libraries: ReadonlySet<string>;
  readonly macros: readonly Macro[];
  readonly optionalSyntax: boolean;
  readonly parse: ParseOptions;
  readonly costModel: CostModel | undefined;
  readonly functionNames: readonly string[];
  readonly overloadCosts: ReadonlyMap<string, OverloadCost>;
}

/**
 * Compiles expressions.
 * @example new Environment({ variables: { n: INT } }).compile("n > 1").ok // true
 */
export class Environment {
  readonly #layers: Layers;
  readonly #programEnvironment: ProgramEnvironment;

  /** `base` is for `extend`. */
  constructor(
    options: EnvironmentOptions = {},
    base: Layers = standardLayers(options.settings?.celGo ?? NEWEST_CEL_GO),
  ) {
    const layers = addLayer(base, options);
    this.#layers = layers;
    this.#programEnvironment = programEnvironment(layers);
  }

  extend(options: EnvironmentOptions): Environment {
    return new Environment(options, this.#layers);
  }

  parse(text: string): ParseOutcome {
    const source = new Source(text);
    const parsed = parse(source, this.#layers.parse);
    return parsed.ok ? { ok: true, ast: parsed.ast, source } : problems(source, parsed.issues);
  }

  /** Parses, checks types and runs the validators. */
  compile(text: string): CompileResult {
    const parsed = this.parse(text);
    return parsed.ok ? this.check(parsed.ast, parsed.source) : parsed;
  }

  check(ast: ParsedAst, source: Source): CompileResult {
    const { scope, settings } = this.#layers;
    const result = check(ast, source, scope);
    if (!result.ok) return problems(source, result.issues);
    const { checked } = result;
    const issues = validate(checked, source, scope, settings.validators);
    if (issues.length > 0) return problems(source, issues);
    return { ok: true, ast: { source, checked, type: checked.types.get(checked.expr.id) ?? DYN } };
  }

  /** The minimum and maximum cost of the expression, given the sizes of its inputs. */
  estimateCost(ast: Ast, hints: SizeHints = NO_HINTS): CostEstimate {
    const { settings, costModel, overloadCosts } = this.#layers;
    return estimateCost(ast.checked, {
      hints,
      model: costModel,
      presenceTestHasCost: settings.presenceTestHasCost,
      celGo: settings.celGo,
      overloadCosts: (id) => overloadCosts.get(id),
    });
  }

  program(ast: Ast, options: ProgramOptions = {}): ProgramResult {
    return createProgram(ast.checked, this.#programEnvironment, options);
  }

  /** Every function with its overloads and documentation, in the order of declaration. */
  functions(): readonly FunctionDecl[] {
    const { functionNames, scope } = this.#layers;
    return functionNames.flatMap((name) => scope.findFunction(name) ?? []);
  }

  /** Every macro, those of the language first. */
  macros(): readonly Macro[] {
    return this.#layers.macros;
  }

  findVariable(name: string): VariableDecl | undefined {
    return this.#layers.scope.findVariable(name);
  }
}

function problems(source: Source, issues: readonly Issue[]): Problems {
  return { ok: false, issues, text: formatIssues(source, issues) };
}

function programEnvironment({ scope, settings, costModel }: Layers): ProgramEnvironment {
  return {
    findFunction: (name) => scope.findFunction(name),
    costModel,
    presenceTestHasCost: settings.presenceTestHasCost,
    patternFunctions: new Set(settings.patternFunctions),
    construct: withWellKnown(settings.construct),
    adapt: settings.adapt,
    celGo: settings.celGo,
  };
}

function withWellKnown(own: Construct | undefined): Construct {
  return (typeName, fields) => {
    const value = constructWellKnown(typeName, fields);
    return value === undefined ? own?.(typeName, fields) : value;
  };
}

const shared = new Map<CelGoVersion, Layers>();

/** The standard library alone, created once for each version. */
function standardLayers(celGo: CelGoVersion): Layers {
  const known = shared.get(celGo);
  if (known !== undefined) return known;
  const layers = addLayer(
    {
      scope: CheckScope.create({ settings: { provider: withWellKnownTypes(NO_TYPES), celGo } }),
      settings: { ...DEFAULT_SETTINGS, celGo },
      libraries: new Set(),
      macros: standardMacros,
      optionalSyntax: false,
      parse: parseOptions({ identifierEscapeSyntax: celGo === "0.29" }),
      costModel: undefined,
      functionNames: [],
      overloadCosts: new Map(),
    },
    { libraries: [standardLibrary(celGo)] },
  );
  shared.set(celGo, layers);
  return layers;
}

function addLayer(base: Layers, options: EnvironmentOptions): Layers {
  const libraries = (options.libraries ?? []).filter(({ name }) => !base.libraries.has(name));
  const settings = { ...base.settings, ...options.settings, celGo: base.settings.celGo };
  const functions = libraries.flatMap((library) => library.functions ?? []);
  const syntax = addSyntax(base, libraries, options);
  return {
    ...syntax,
    scope: extendScope(base, libraries, options, settings),
    settings,
    libraries:
      libraries.length === 0 ? base.libraries : new Set([...base.libraries, ...libraries.map(({ name }) => name)]),
    costModel: options.costModel ?? base.costModel,
    functionNames: addNames(base.functionNames, functions),
    overloadCosts: addCosts(base.overloadCosts, functions),
  };
}

function addSyntax(
  base: Layers,
  libraries: readonly Library[],
  options: EnvironmentOptions,
): Pick<Layers, "macros" | "optionalSyntax" | "parse"> {
  const added = libraries.flatMap((library) => library.macros ?? []);
  const optionalSyntax = base.optionalSyntax || libraries.some((library) => library.optionalSyntax === true);
  const limits = options.settings?.parse;
  if (added.length === 0 && optionalSyntax === base.optionalSyntax && limits === undefined) return base;
  const macros = [...base.macros, ...added];
  return { macros, optionalSyntax, parse: { ...base.parse, ...limits, macros: macroTable(macros), optionalSyntax } };
}

function extendScope(
  base: Layers,
  libraries: readonly Library[],
  options: EnvironmentOptions,
  settings: EnvironmentSettings,
): CheckScope {
  const { container, crossTypeNumericComparisons } = settings;
  return base.scope.extend({
    variables: [...libraries.flatMap((library) => library.variables ?? []), ...variableDecls(options.variables ?? [])],
    functions: libraries.flatMap((library) => library.functions ?? []),
    types: libraries.flatMap((library) => library.types ?? []),
    settings: {
      container,
      crossTypeNumericComparisons,
      provider: options.types === undefined ? base.scope.settings.provider : withWellKnownTypes(options.types),
    },
  });
}

function variableDecls(variables: Readonly<Record<string, Type>> | readonly VariableDecl[]): readonly VariableDecl[] {
  return isDeclList(variables) ? variables : Object.entries(variables).map(([name, type]) => ({ name, type }));
}

function isDeclList(
  variables: Readonly<Record<string, Type>> | readonly VariableDecl[],
): variables is readonly VariableDecl[] {
  return Array.isArray(variables);
}

function addNames(names: readonly string[], functions: readonly FunctionDecl[]): readonly string[] {
  return functions.length === 0 ? names : [...new Set([...names, ...functions.map(({ name }) => name)])];
}

function addCosts(
  costs: ReadonlyMap<string, OverloadCost>,
  functions: readonly FunctionDecl[],
): ReadonlyMap<string, OverloadCost> {
  const added = functions
    .flatMap(({ overloads }) => overloads)
    .flatMap(({ id, cost }) => (cost ? [[id, cost] as const] : []));
  return added.length === 0 ? costs : new Map([...costs, ...added]);
}
