/**
 * What names mean while an expression is checked.
 *
 * Scopes are layers: extending one with a variable stores that variable only, however many functions are
 * below. A function declared again in a higher layer keeps its overloads and gains the new ones.
 * Follows cel-go checker/env.go, checker/scopes.go and common/decls.
 */

import { type CelGoVersion, NEWEST_CEL_GO } from "../types/cel-go.ts";
import type { FunctionDecl, VariableDecl } from "../types/decl.ts";
import { NO_TYPES, type TypeProvider } from "../types/provider.ts";
import { type Type, typeOf } from "../types/type.ts";
import { runtimeTypeName } from "../values/type-of.ts";
import { TypeValue } from "../values/value.ts";

export interface ScopeDeclarations {
  readonly variables?: readonly VariableDecl[] | undefined;
  readonly functions?: readonly FunctionDecl[] | undefined;
  /** Types whose names expressions may use as values. */
  readonly types?: readonly Type[] | undefined;
  readonly settings?: Partial<ScopeSettings> | undefined;
}

export interface ScopeSettings {
  /** Finds the types that no layer declares. */
  readonly provider: TypeProvider;
  /** The namespace in which names are looked up first. */
  readonly container: string;
  /** Allows comparisons such as `1 < 2.0`. */
  readonly crossTypeNumericComparisons: boolean;
  readonly celGo: CelGoVersion;
}

const DEFAULT_SETTINGS: ScopeSettings = {
  provider: NO_TYPES,
  container: "",
  crossTypeNumericComparisons: false,
  celGo: NEWEST_CEL_GO,
};

export class CheckScope {
  readonly settings: ScopeSettings;
  readonly #parent: CheckScope | undefined;
  readonly #variables = new Map<string, VariableDecl>();
  readonly #functions = new Map<string, FunctionDecl>();

  private constructor(parent: CheckScope | undefined, declarations: ScopeDeclarations) {
    this.#parent = parent;
    this.settings = { ...(parent?.settings ?? DEFAULT_SETTINGS), ...declarations.settings };
    for (const type of declarations.types ?? []) this.#addVariable(typeVariable(runtimeTypeName(type), type));
    for (const variable of declarations.variables ?? []) this.#addVariable(variable);
    for (const added of declarations.functions ?? []) this.#addFunction(added);
  }

  static create(declarations: ScopeDeclarations = {}): CheckScope {
    return new CheckScope(undefined, declarations);
  }

  /** A new scope with more declarations, which take precedence. This one does not change. */
  extend(declarations: ScopeDeclarations): CheckScope {
    return new CheckScope(this, declarations);
  }

  findVariable(name: string): VariableDecl | undefined {
    return this.#variables.get(name) ?? this.#parent?.findVariable(name);
  }

  findFunction(name: string): FunctionDecl | undefined {
    return this.#functions.get(name) ?? this.#parent?.findFunction(name);
  }

  /** A variable, or a type of the provider by its name. */
  resolveIdentifier(name: string): VariableDecl | undefined {
    const variable = this.findVariable(name);
    if (variable !== undefined) return variable;
    const type = this.settings.provider.findType(name);
    // Without a value: the checker knows the type by this name, the planner does not.
    return type === undefined ? undefined : { name, type: typeOf(type) };
  }

  #addVariable(variable: VariableDecl): void {
    this.#variables.set(variable.name, variable);
  }

  #addFunction(added: FunctionDecl): void {
    const existing = this.findFunction(added.name);
    this.#functions.set(added.name, existing === undefined ? added : mergeFunctions(existing, added));
  }
}

function typeVariable(name: string, type: Type): VariableDecl {
  return { name, type: typeOf(type), value: new TypeValue(type) };
}

/** Overloads keep the place of their first declaration; a later one of the same id replaces it. */
function mergeFunctions(existing: FunctionDecl, added: FunctionDecl): FunctionDecl {
  const byId = new Map(existing.overloads.map((overload) => [overload.id, overload]));
  for (const overload of added.overloads) byId.set(overload.id, overload);
  return { ...existing, ...added, overloads: [...byId.values()] };
}
