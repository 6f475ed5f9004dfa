/**
 * Turns a checked tree into closures. Follows cel-go interpreter/planner.go with its optimizing decorators.
 */
import type { CheckedAst } from "../ast/checked.ts";
import type { CallExpr, Expr, IdentExpr, SelectExpr } from "../ast/expr.ts";
import { DYN, type Type } from "../types/type.ts";
import { goTypeName } from "../values/go-type.ts";
import type { Value } from "../values/value.ts";
import { type Attribute, attributeOf, planAttribute, planResolution, qualified } from "./attributes/attribute.ts";
import { countReads, extraSteps, pathKey, type Reads, worthwhile } from "./attributes/path-reads.ts";
import {
  computedQualifier,
  fieldQualifier,
  isConstantKey,
  keyQualifier,
  optionalFieldQualifier,
  presenceQualifier,
  type Qualifier,
} from "./attributes/qualifier.ts";
import { fillWithField } from "./attributes/read.ts";
import { planCall } from "./calls/call.ts";
import { planList, planMap, planStruct } from "./construct.ts";
import { charge, Frame, lookupOf, type Run } from "./frame.ts";
import { planFold } from "./loops/fold.ts";
import { invalidQualifier, noSuchAttribute, undefinedType } from "./messages.ts";
import {
  constantPlan,
  type Local,
  missingValue,
  NOT_FOUND,
  type Observer,
  observedPlan,
  type Plan,
  type PlanEnvironment,
  PlanFailure,
  type Planned,
  type Planning,
  type PlanOptions,
  sumFixed,
  type Variable,
} from "./plan.ts";

type Made = Planned | PlanFailure;

export function planProgram(checked: CheckedAst, environment: PlanEnvironment, options: PlanOptions): Made {
  const planner = new Planner(checked, environment, options);
  try {
    const plan = planner.plan(checked.expr);
    return { plan, slotCount: planner.slotCount, variables: planner.variableSlots };
  } catch (failure) {
    if (failure instanceof PlanFailure) return failure;
    throw failure;
  }
}

class Planner implements Planning {
  readonly checked: CheckedAst;
  readonly environment: PlanEnvironment;
  readonly exact: boolean;
  readonly constantFrame = new Frame(0, 0, 2 ** 30, {}, undefined);
  readonly variableSlots = new Map<string, number>();
  slotCount = 0;
  readonly #variables = new Map<string, Variable>();
  readonly #reads: Reads;
  readonly #paths = new Map<string, Variable>();
  readonly #observer: Observer | undefined;
  #locals: readonly Local[] = [];
  /** The number of loops being planned. */
  #depth = 0;

  constructor(checked: CheckedAst, environment: PlanEnvironment, { exact, observer }: PlanOptions) {
    this.checked = checked;
    this.environment = environment;
    this.exact = exact;
    this.#observer = observer;
    this.#reads = countReads(checked.expr);
  }

  plan(expr: Expr): Plan {
    const plan = this.#planOf(expr);
    return this.#observer === undefined ? plan : observedPlan(plan, expr.id, this.#observer);
  }

  #planOf(expr: Expr): Plan {
    switch (expr.kind) {
      case "literal":
        return constantPlan(expr.value);
      case "list":
        return planList(this, expr);
      case "map":
        return planMap(this, expr);
      case "struct":
        return planStruct(this, expr);
      case "comprehension":
        return planFold(this, expr);
      case "ident":
        return this.#constantOf(expr) ?? planAttribute(this, this.#identAttribute(expr));
      case "select":
        return planAttribute(this, this.#selectAttribute(expr));
      case "call": {
        const attribute = this.#callAttribute(expr);
        return attribute === undefined ? planCall(this, expr) : planAttribute(this, attribute);
      }
    }
  }

  typeOf(expr: Expr): Type {
    return this.checked.types.get(expr.id) ?? DYN;
  }

  node(run: Run, own: number, children: readonly Plan[]): Plan {
    if (!this.exact) return { run, fixed: own + sumFixed(children), constant: undefined };
    const observed: Run = (frame) => {
      const value = run(frame);
      charge(frame, own);
      return value;
    };
    return { run: observed, fixed: 0, constant: undefined };
  }

  newSlot(other?: Variable): Variable {
    return this.#newVariable({
      name: `@${this.slotCount}`,
      depth: this.#depth + 1,
      isPlain: false,
      found: other?.found ?? [],
      fill: () => {},
      absent: null,
    });
  }

  newAccumulator(start: Run): Variable {
    const slot = this.slotCount;
    return this.#newVariable({
      name: `@${slot}`,
      depth: Number.POSITIVE_INFINITY,
      isPlain: false,
      found: [],
      fill: (frame) => frame.set(slot, start(frame), undefined),
      absent: null,
    });
  }

  #newVariable({ absent, ...rest }: Omit<Variable, "slot" | "missing"> & { readonly absent: Value }): Variable {
    const slot = this.slotCount++;
    return { slot, ...rest, missing: missingValue(slot, rest.fill, absent) };
  }

  within<T>(locals: readonly Local[], plan: () => T): T {
    const outer = this.#locals;
    this.#locals = [...locals, ...outer];
    this.#depth++;
    try {
      return plan();
    } finally {
      this.#locals = outer;
      this.#depth--;
    }
  }

  variable(name: string, type: Type): Variable {
    const local = this.#locals.find((candidate) => candidate.name === name);
    return local?.variable ?? this.#variables.get(name) ?? this.#newInput(name, type);
  }

  #newInput(name: string, type: Type): Variable {
    const slot = this.slotCount;
    const lookup = lookupOf(name);
    const unbound = noSuchAttribute(name);
    const fill = (frame: Frame) => {
      const data = lookup(frame);
      frame.put(slot, data === undefined ? unbound : data);
    };
    const isPlain = type.kind === "dyn";
    const variable = this.#newVariable({ name, depth: 0, isPlain, found: [], fill, absent: unbound });
    this.#variables.set(name, variable);
    this.variableSlots.set(name, slot);
    return variable;
  }

  sharedPrefix(variable: Variable, names: readonly string[]): number {
    if (variable.depth > 0) return this.#depth > variable.depth ? names.length : 0;
    for (let count = names.length; count > 0; count--) {
      const key = pathKey(variable.name, names.slice(0, count));
      if (extraSteps(this.#reads, key, count) >= worthwhile(variable.isPlain, count === names.length)) return count;
    }
    return 0;
  }

  path(variable: Variable, names: readonly string[]): Variable {
    const name = names.at(-1);
    if (name === undefined) return variable;
    const key = pathKey(variable.name, names);
    const known = this.#paths.get(key);
    if (known !== undefined) return known;
    const step = this.#newStep(this.path(variable, names.slice(0, -1)), name);
    this.#paths.set(key, step);
    return step;
  }

  #newStep(parent: Variable, name: string): Variable {
    const slot = this.slotCount;
    parent.found.push(slot);
    const from = parent.slot;
    const fill = (frame: Frame) => {
      if (!frame.putStep(slot, from, name)) fillWithField(frame, slot, parent, name);
    };
    // One list for the whole path: all of it is cleared when the variable changes.
    const { depth, isPlain, found } = parent;
    return this.#newVariable({ name: parent.name, depth, isPlain, found, fill, absent: NOT_FOUND });
  }

  /** Type names and other names whose value is fixed. */
  #constantOf(expr: Expr): Plan | undefined {
    if (expr.kind !== "ident") return undefined;
    const reference = this.checked.references.get(expr.id);
    if (reference?.value !== undefined) return constantPlan(reference.value);
    // A name whose type is a type must be known when the program is made.
    if (this.typeOf(expr).kind === "type") throw new PlanFailure(undefinedType(reference?.name ?? expr.name));
    return undefined;
  }

  /** An expression as the start of an attribute. */
  #attributeOf(expr: Expr): Attribute {
    const attribute = this.#ownAttribute(expr);
    return attribute ?? attributeOf({ kind: "relative", operand: this.plan(expr) }, this.typeOf(expr));
  }

  /** Undefined if the expression is not an attribute itself. */
  #ownAttribute(expr: Expr): Attribute | undefined {
    if (expr.kind === "ident") return this.#constantOf(expr) === undefined ? this.#identAttribute(expr) : undefined;
    if (expr.kind === "select") return this.#selectAttribute(expr);
    return expr.kind === "call" ? this.#callAttribute(expr) : undefined;
  }

  #identAttribute(expr: IdentExpr): Attribute {
    const name = this.checked.references.get(expr.id)?.name ?? expr.name;
    const type = this.typeOf(expr);
    return attributeOf({ kind: "variable", variable: this.variable(name, type) }, type);
  }

  #selectAttribute(expr: SelectExpr): Attribute {
    const qualifier = expr.testOnly ? presenceQualifier(expr.field) : fieldQualifier(expr.field);
    return qualified(this.#attributeOf(expr.operand), qualifier, this.typeOf(expr));
  }

  #callAttribute(expr: CallExpr): Attribute | undefined {
    switch (expr.function) {
      case "_?_:_":
        return this.#conditional(expr);
      case "_[_]":
        return this.#indexed(expr, false);
      case "_[?_]":
      case "_?._":
        return this.#indexed(expr, true);
      default:
        return undefined;
    }
  }

  #conditional(expr: CallExpr): Attribute | undefined {
    const [condition, truthy, falsy] = expr.args;
    if (condition === undefined || truthy === undefined || falsy === undefined) return undefined;
    const root = {
      kind: "conditional",
      condition: this.plan(condition),
      truthy: this.#attributeOf(truthy),
      falsy: this.#attributeOf(falsy),
    } as const;
    return attributeOf(root, this.typeOf(expr));
  }

  #indexed(expr: CallExpr, optional: boolean): Attribute | undefined {
    const [operand, index] = expr.args;
    if (operand === undefined || index === undefined) return undefined;
    const attribute = this.#attributeOf(operand);
    const qualifier =
      expr.function === "_?._" && index.kind === "literal" && typeof index.value === "string"
        ? optionalFieldQualifier(index.value)
        : this.#indexQualifier(index, optional);
    return qualified(attribute, qualifier, this.typeOf(expr));
  }

  #indexQualifier(index: Expr, optional: boolean): Qualifier {
    const attribute = this.#ownAttribute(index);
    if (attribute !== undefined) return computedQualifier(planResolution(this, attribute), optional, true);
    const key = this.plan(index);
    if (key.constant === undefined) return computedQualifier(key, optional, false);
    return this.#constantQualifier(key.constant, optional);
  }

  #constantQualifier(key: Value, optional: boolean): Qualifier {
    if (!isConstantKey(key)) throw new PlanFailure(invalidQualifier(goTypeName(key)));
    return keyQualifier(key, optional);
  }
}
