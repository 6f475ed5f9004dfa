/** Evaluates expressions over an unknown request, with the language's own rules for errors. */
import { type Expr, TypeValue } from "@portcullis/cel/internal";
import { isComputedQuantity, isQuantity } from "../relations/quantity-terms.ts";
import { pieceAt } from "../texts/text-parts.ts";
import { Unmodeled } from "../theory/path-search.ts";
import { tick } from "../theory/time.ts";
import { abstractOutcome } from "./abstraction.ts";
import { applyCall } from "./calls.ts";
import { comprehension } from "./comprehension.ts";
import type { Context } from "./context.ts";
import { keyOf } from "./keys.ts";
import { memberOf } from "./places.ts";
import { elementAt, outcomeOf } from "./quantify.ts";
import { isEqual, isMember, isOrdered, literalItems, plainList, typeOf } from "./relate.ts";
import { sizeOf } from "./sizes.ts";
import type { State } from "./state.ts";
import { constant, ERROR, isConstBool, type Sym, TRUE, truth } from "./symbolic.ts";

export function evaluate(expr: Expr, context: Context): Sym {
  tick();
  return abstractOutcome(expr, context) ?? evaluateParts(expr, context);
}

function evaluateParts(expr: Expr, context: Context): Sym {
  switch (expr.kind) {
    case "literal":
      return constant(expr.value);
    case "ident":
      return identifier(expr.name, expr.id, context);
    case "select":
      return select(expr, context);
    case "call":
      return call(expr, context);
    case "list":
      return list(expr, context);
    case "map":
      return map(expr, context);
    case "comprehension":
      return comprehension(expr, context, evaluate);
    default:
      throw new Unmodeled("messages made in expressions");
  }
}

function identifier(name: string, id: number, { ast, scope }: Context): Sym {
  const reference = ast.references.get(id);
  if (reference?.value !== undefined) return constant(reference.value);
  const found = scope(reference?.name ?? name);
  if (found === undefined) throw new Unmodeled(`the name ${reference?.name ?? name}`);
  return found;
}

function select(expr: Expr & { kind: "select" }, context: Context): Sym {
  const qualified = context.ast.references.get(expr.id)?.name;
  if (qualified !== undefined) return identifier(qualified, expr.id, context);
  const variable =
    expr.operand.kind === "ident" && expr.operand.name === "variables"
      ? context.scope(`variables.${expr.field}`)
      : undefined;
  if (variable !== undefined) return expr.testOnly ? presenceOfVariable(variable) : variable;
  const operand = context.state.resolve(evaluate(expr.operand, context));
  return member(context, operand, expr.field, expr.testOnly);
}

function presenceOfVariable(variable: Sym): Sym {
  return variable.k === "error" ? ERROR : TRUE;
}

function member({ state }: Context, operand: Sym, field: string, isTest: boolean): Sym {
  if (operand.k === "optional") return optionalMember(state, operand, field, isTest);
  const found = fieldOf(state, operand, field);
  if (found?.k === "error") return ERROR;
  if (isTest) return truth(found !== undefined);
  return found ?? ERROR;
}

/** A scalar has no fields, which is not an error until one is read. */
function fieldOf(state: State, operand: Sym, field: string): Sym | undefined {
  if (operand.k === "entries" || operand.k === "mapnode") return memberOf(state, operand, field);
  return operand.k === "const" || operand.k === "scalar" || operand.k === "count" ? undefined : ERROR;
}

/** Selecting from an optional gives another. */
function optionalMember(state: State, { value }: Sym & { k: "optional" }, field: string, isTest: boolean): Sym {
  const found = value && fieldOf(state, state.resolve(value), field);
  if (found?.k === "error") return ERROR;
  return isTest ? truth(found !== undefined) : { k: "optional", value: found };
}

function list(expr: Expr & { kind: "list" }, context: Context): Sym {
  const items: Sym[] = [];
  for (const [index, element] of expr.elements.entries()) {
    const value = context.state.resolve(evaluate(element, context));
    if (value.k === "error") return ERROR;
    if (!expr.optionalIndices.includes(index)) items.push(value);
    else if (value.k !== "optional") return ERROR;
    else if (value.value !== undefined) items.push(value.value);
  }
  return { k: "items", items };
}

function map(expr: Expr & { kind: "map" }, context: Context): Sym {
  const entries = new Map<string, Sym>();
  for (const entry of expr.entries) {
    const key = evaluate(entry.key, context);
    if (key.k !== "const" || typeof key.value !== "string")
      throw new Unmodeled("maps with keys that are not constant texts");
    const value = context.state.resolve(evaluate(entry.value, context));
    if (value.k === "error") return ERROR;
    if (!entry.optional) entries.set(key.value, value);
    else if (value.k === "optional" && value.value !== undefined) entries.set(key.value, value.value);
  }
  return { k: "entries", entries };
}

type CallExpr = Expr & { kind: "call" };

function call(expr: CallExpr, context: Context): Sym {
  const special = LOGIC[expr.function];
  if (special !== undefined) return special(expr, context);
  const operands = expr.target === undefined ? expr.args : [expr.target, ...expr.args];
  const args = operands.map((operand) => evaluate(operand, context));
  if (args.some(({ k }) => k === "error")) return ERROR;
  const operator = OPERATORS[expr.function];
  if (operator !== undefined) return operator(context, args);
  if (changesItsReceiver(expr, args[0])) throw new Unmodeled(`the function ${expr.function} on a value of a variable`);
  const type = context.ast.types.get(expr.id);
  return applyCall(context.state, { name: expr.function, isMember: expr.target !== undefined, args, type });
}

/**
 * Up to Kubernetes 1.36 a sum of large quantities changes its receiver. That can be seen if the receiver has a name.
 */
function changesItsReceiver({ function: name, target }: CallExpr, receiver: Sym | undefined): boolean {
  if ((name !== "add" && name !== "sub") || receiver === undefined || !isQuantity(receiver)) return false;
  return target?.kind !== "call" || !NEW_QUANTITIES.has(target.function);
}

const NEW_QUANTITIES: ReadonlySet<string> = new Set(["quantity", "add", "sub"]);

type Special = (expr: CallExpr, context: Context) => Sym;

/** Operators that evaluate one operand before the other, or absorb errors. */
const LOGIC: Readonly<Record<string, Special>> = {
  "_&&_": (expr, context) => both(expr, context, "F"),
  "_||_": (expr, context) => both(expr, context, "T"),
  "!_": ({ args: [operand] }, context) => {
    const outcome = operand === undefined ? "E" : outcomeOf(context.state, evaluate(operand, context));
    return outcome === "E" ? ERROR : truth(outcome === "F");
  },
  "_?_:_": ({ args: [condition, yes, no] }, context) => {
    if (condition === undefined || yes === undefined || no === undefined) return ERROR;
    const outcome = outcomeOf(context.state, evaluate(condition, context));
    if (outcome === "E") return ERROR;
    return evaluate(outcome === "T" ? yes : no, context);
  },
  "@not_strictly_false": ({ args: [operand] }, context) =>
    operand === undefined ? ERROR : truth(outcomeOf(context.state, evaluate(operand, context)) !== "F"),
};

/** One decisive operand absorbs an error in the other. */
function both({ args: [left, right] }: CallExpr, context: Context, decisive: "F" | "T"): Sym {
  if (left === undefined || right === undefined) return ERROR;
  const first = outcomeOf(context.state, evaluate(left, context));
  if (first === decisive) return truth(decisive === "T");
  const second = outcomeOf(context.state, evaluate(right, context));
  if (second === decisive) return truth(decisive === "T");
  return first === "E" || second === "E" ? ERROR : truth(decisive === "F");
}

type Operator = (context: Context, args: readonly Sym[]) => Sym;

const OPERATORS: Readonly<Record<string, Operator>> = {
  "_==_": ({ state }, [left = ERROR, right = ERROR]) =>
    areIncomparable(left, right) ? ERROR : truth(isEqual(state, left, right)),
  "_!=_": ({ state }, [left = ERROR, right = ERROR]) =>
    areIncomparable(left, right) ? TRUE : truth(!isEqual(state, left, right)),
  "_<_": ({ state }, [left = ERROR, right = ERROR]) => isOrdered(state, left, "<", right),
  "_<=_": ({ state }, [left = ERROR, right = ERROR]) => isOrdered(state, left, "<=", right),
  "_>_": ({ state }, [left = ERROR, right = ERROR]) => isOrdered(state, left, ">", right),
  "_>=_": ({ state }, [left = ERROR, right = ERROR]) => isOrdered(state, left, ">=", right),
  "@in": ({ state }, [element = ERROR, collection = ERROR]) => isMember(state, element, collection),
  "_[_]": (context, [container = ERROR, index = ERROR]) =>
    context.state.resolve(container).k === "optional"
      ? optionalIndex(context, container, index)
      : (indexed(context, container, index) ?? ERROR),
  "_?._": (context, [container = ERROR, field = ERROR]) => optionalIndex(context, container, field),
  "_[?_]": (context, [container = ERROR, index = ERROR]) => optionalIndex(context, container, index),
  type: ({ state }, [value = ERROR]) => typeValue(state, value),
  first: ({ state }, [value = ERROR]) => endOf(state, value),
};

/** `==` with a computed quantity on the right is an error, as upstream has it, and `!=` is true. */
function areIncomparable(left: Sym, right: Sym): boolean {
  return isQuantity(left) && isComputedQuantity(right);
}

/** Undefined if there is nothing at the index. */
function indexed({ state }: Context, containerSym: Sym, indexSym: Sym): Sym | undefined {
  const [container, index] = [state.resolve(containerSym), state.resolve(indexSym)];
  if (index.k === "error" || container.k === "error") return ERROR;
  if (container.k === "entries" || container.k === "mapnode") {
    if (index.k === "const")
      return typeof index.value === "string" ? memberOf(state, container, index.value) : undefined;
    return byUnknownKey(state, container, index);
  }
  if (container.k === "const" || container.k === "scalar" || container.k === "count") return undefined;
  const items = literalItems(container);
  if (items === undefined && container.k !== "view") return ERROR;
  if (index.k === "const" && typeof index.value === "string") return ERROR;
  if (index.k !== "const" || typeof index.value !== "number") throw new Unmodeled("an index that is not constant");
  if (items !== undefined) return items[index.value];
  const source = plainList(container);
  if (source === undefined) throw new Unmodeled("an index into a computed list");
  const piece = index.value < 0 ? undefined : pieceAt(state, source, index.value);
  if (piece !== undefined) return piece === "none" ? undefined : piece;
  if (index.value < 0 || isConstBool(isOrdered(state, sizeOf(state, container), "<=", index), true)) return undefined;
  return elementAt(state, source, index.value);
}

/** The current key of a loop over the same map. */
function byUnknownKey(state: State, container: Sym & { k: "entries" | "mapnode" }, index: Sym): Sym | undefined {
  if (index.k !== "scalar" || index.kind !== "string") return undefined;
  if (container.k === "entries") {
    for (const [key, value] of container.entries) if (isEqual(state, index, constant(key))) return value;
    return undefined;
  }
  const entry = state.maps
    .get(container.node.id)
    ?.entries.find(({ key }) => typeof key !== "string" && keyOf(key) === keyOf(index));
  if (entry === undefined) throw new Unmodeled("a key that is not constant");
  return { k: "node", node: entry.node };
}

function optionalIndex(context: Context, container: Sym, index: Sym): Sym {
  const { state } = context;
  const value = state.resolve(container);
  const inner = value.k === "optional" ? value.value && state.resolve(value.value) : value;
  if (inner === undefined) return { k: "optional", value: undefined };
  if (inner.k === "error") return ERROR;
  const found = indexed(context, inner, index);
  return found?.k === "error" ? ERROR : { k: "optional", value: found };
}

function endOf(state: State, value: Sym): Sym {
  throw new Unmodeled(`the function first of ${keyOf(state.resolve(value))}`);
}

function typeValue(state: State, sym: Sym): Sym {
  const value = state.resolve(sym);
  if (value.k === "error") return ERROR;
  const named = NAMED_KINDS[value.k === "scalar" ? value.kind : value.k];
  if (named !== undefined) return constant(new TypeValue({ kind: named }));
  const known = typeOf(value);
  if (known !== undefined) return known;
  if (value.k === "items" || value.k === "view")
    return constant(new TypeValue({ kind: "list", element: { kind: "dyn" } }));
  if (value.k === "entries" || value.k === "mapnode") {
    return constant(new TypeValue({ kind: "map", key: { kind: "dyn" }, value: { kind: "dyn" } }));
  }
  throw new Unmodeled("the type of a computed value");
}

const NAMED_KINDS: Readonly<Record<string, "bool" | "double" | "int" | "string">> = {
  bool: "bool",
  count: "int",
  double: "double",
  int: "int",
  string: "string",
};
