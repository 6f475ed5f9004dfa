/**
 * Whether a type is assignable to another, and the type variables that are bound thereby.
 *
 * Assignability is symmetric in places: two nullable forms of one primitive agree, null is assignable to messages
 * and abstract types, and a variable is bound to the first type it is compared with. Follows cel-go
 * checker/types.go. A check either succeeds and keeps its bindings, or fails and undoes them.
 *
 * Work and depth are bounded: types with shared parts can be exponentially larger than the expression
 * that builds them. Past the bounds every check succeeds and `exhausted` makes the checker stop.
 */
import { DYN, isDyn, type Type } from "../types/type.ts";
import { isExactType, type Meter, mostGeneral, withoutWrapper } from "./compare.ts";

const MAX_STEPS = 20_000_000;
const MAX_DEPTH = 2_000;

type Binding = "agrees" | "conflicts" | "occurs";

export class Unifier implements Meter {
  readonly #bindings = new Map<string, Type>();
  /** What to restore if the current check fails: names and their previous bindings. */
  readonly #trail: [name: string, previous: Type | undefined][] = [];
  #variables = 0;
  #steps = 0;
  #depth = 0;

  get exhausted(): boolean {
    return this.#steps > MAX_STEPS;
  }

  newVariable(): Type {
    return { kind: "param", name: `_var${this.#variables++}` };
  }

  isAssignable(from: Type, to: Type): boolean {
    return this.#keepOrUndo(this.#assign(from, to));
  }

  areAssignable(from: readonly Type[], to: readonly Type[]): boolean {
    return this.#keepOrUndo(this.#assignAll(from, to));
  }

  /** Replaces bound variables by what they are bound to; unbound ones by dyn if asked. */
  substitute(type: Type, unboundToDyn: boolean): Type {
    if (this.spent()) return DYN;
    switch (type.kind) {
      case "param":
        return this.#substituteVariable(type, unboundToDyn);
      case "list": {
        const element = this.substitute(type.element, unboundToDyn);
        return element === type.element ? type : { kind: "list", element };
      }
      case "map": {
        const key = this.substitute(type.key, unboundToDyn);
        const value = type.value === type.key ? key : this.substitute(type.value, unboundToDyn);
        return key === type.key && value === type.value ? type : { kind: "map", key, value };
      }
      case "opaque": {
        if (type.params.length === 0) return type;
        return { ...type, params: type.params.map((param) => this.substitute(param, unboundToDyn)) };
      }
      case "type":
        return type.of === undefined ? type : { kind: "type", of: this.substitute(type.of, unboundToDyn) };
      default:
        return type;
    }
  }

  #substituteVariable(variable: Type, unboundToDyn: boolean): Type {
    const bound = this.#follow(variable);
    if (bound.kind === "param") return unboundToDyn ? DYN : bound;
    return this.substitute(bound, unboundToDyn);
  }

  /** The end of a chain of variables bound to variables. A loop, because chains can be long. */
  #follow(type: Type): Type {
    let current = type;
    while (current.kind === "param" && !this.spent()) {
      const bound = this.#bindings.get(current.name);
      if (bound === undefined) break;
      current = bound;
    }
    return current;
  }

  #keepOrUndo(success: boolean): boolean {
    if (!success) {
      for (let index = this.#trail.length - 1; index >= 0; index--) this.#restore(index);
    }
    this.#trail.length = 0;
    return success;
  }

  #restore(index: number): void {
    const entry = this.#trail[index];
    if (entry === undefined) return;
    const [name, previous] = entry;
    if (previous === undefined) this.#bindings.delete(name);
    else this.#bindings.set(name, previous);
  }

  #assign(from: Type, to: Type): boolean {
    if (from === to || this.spent()) return true;
    if (this.#depth > MAX_DEPTH) this.#steps = MAX_STEPS + 1;
    this.#depth++;
    const assigned = this.#assignParts(from, to);
    this.#depth--;
    return assigned;
  }

  #assignParts(from: Type, to: Type): boolean {
    if (to.kind === "param") {
      const binding = this.#bind(from, to.name, to);
      if (binding !== "occurs") return binding === "agrees";
    }
    if (from.kind === "param") return this.#bind(to, from.name, from) === "agrees";
    if (isDyn(from) || isDyn(to)) return true;
    if (from.kind === "null") return acceptsNull(to);
    if (to.kind === "null") return acceptsNull(from);
    return this.#assignSameKind(withoutWrapper(from), withoutWrapper(to));
  }

  #assignSameKind(from: Type, to: Type): boolean {
    switch (from.kind) {
      case "list":
        return to.kind === "list" && this.#assign(from.element, to.element);
      case "map":
        return to.kind === "map" && this.#assign(from.key, to.key) && this.#assign(from.value, to.value);
      case "opaque":
        return to.kind === "opaque" && from.name === to.name && this.#assignAll(from.params, to.params);
      case "object":
        return to.kind === "object" && from.name === to.name;
      default:
        return from.kind === to.kind;
    }
  }

  #assignAll(from: readonly Type[], to: readonly Type[]): boolean {
    if (from.length !== to.length) return false;
    for (let index = 0; index < from.length; index++) {
      if (!this.#assign(from[index] ?? DYN, to[index] ?? DYN)) return false;
    }
    return true;
  }

  /** Whether a variable can be bound to a type; binds it, or widens its binding, if so. */
  #bind(type: Type, name: string, variable: Type): Binding {
    if (isExactType(type, variable, this)) return "agrees";
    const bound = this.#bindings.get(name);
    if (bound !== undefined) {
      if (isExactType(type, bound, this)) return "agrees";
      if (!this.#assign(type, bound)) return "conflicts";
      const general = mostGeneral(type, bound, this);
      if (!this.#occursIn(name, general)) this.#set(name, general);
      return "agrees";
    }
    if (this.#occursIn(name, type)) return "occurs";
    this.#set(name, type);
    return "agrees";
  }

  #set(name: string, type: Type): void {
    this.#trail.push([name, this.#bindings.get(name)]);
    this.#bindings.set(name, type);
  }

  #occursIn(name: string, within: Type): boolean {
    if (this.spent()) return false;
    switch (within.kind) {
      case "param":
        return this.#occursInVariable(name, within);
      case "list":
        return this.#occursIn(name, within.element);
      case "map":
        return this.#occursIn(name, within.key) || (within.key !== within.value && this.#occursIn(name, within.value));
      case "opaque":
        return within.params.some((param) => this.#occursIn(name, param));
      case "type":
        return within.of !== undefined && this.#occursIn(name, within.of);
      default:
        return false;
    }
  }

  #occursInVariable(name: string, variable: Type): boolean {
    let current = variable;
    while (current.kind === "param" && !this.spent()) {
      if (current.name === name) return true;
      const bound = this.#bindings.get(current.name);
      if (bound === undefined) return false;
      current = bound;
    }
    return this.#occursIn(name, current);
  }

  /** Counts one step; true once there have been too many. */
  spent(): boolean {
    return ++this.#steps > MAX_STEPS;
  }
}

function acceptsNull(type: Type): boolean {
  switch (type.kind) {
    case "null":
    case "wrapper":
    case "opaque":
    case "object":
    case "timestamp":
    case "duration":
      return true;
    default:
      return false;
  }
}
