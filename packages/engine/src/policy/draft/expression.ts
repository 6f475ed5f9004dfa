/**
 * Expressions of the early shape as v1 expressions.
 *
 * Names are replaced in the syntax tree, never in the text, so that `config` inside a string or a field called `config`
 * stays what it is. An expression in which nothing changes keeps its text.
 */
import { type CallExpr, type Expr, type SelectExpr, type SourceInfo, unparse } from "@portcullis/cel/internal";
import { kubernetesEnvironment } from "../../kubecel/environment.ts";
import { defaultCompatibilityVersion } from "../../kubecel/versions.ts";
import * as findings from "./findings.ts";

export interface RewriteOptions {
  /** What stands for identifiers, by name. */
  readonly names: ReadonlyMap<string, Expr>;
  readonly warn: (message: string) => void;
}

export interface Rewritten {
  readonly text: string;
  /** Identifiers that are not bound inside the expression. */
  readonly free: ReadonlySet<string>;
  /** `a.b` wherever `a` is free: fields read from variables, by variable. */
  readonly reads: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A text is the reason why the expression does not parse. */
export function rewriteExpression(text: string, options: RewriteOptions): Rewritten | string {
  const parsed = parseExpression(text);
  if (typeof parsed === "string") return parsed;
  const rewriter = new Rewriter(options);
  const changed = rewriter.rewrite(parsed, new Set());
  const { free, reads, isChanged } = rewriter;
  return { text: isChanged ? unparse(changed, NO_INFO) : text, free, reads };
}

const NO_INFO: SourceInfo = { positions: new Map(), macroCalls: new Map() };

/** The tree as it was written, macros not expanded; a text is the reason why it does not parse. */
export function parseExpression(text: string): Expr | string {
  const parsed = kubernetesEnvironment({ version: defaultCompatibilityVersion(), mode: "stored" }).parse(text);
  return parsed.ok ? asWritten(parsed.ast.expr, parsed.ast.info) : parsed.text;
}

function asWritten(expr: Expr, info: SourceInfo): Expr {
  return mapChildren(info.macroCalls.get(expr.id) ?? expr, (child) => asWritten(child, info));
}

export function ident(name: string): Expr {
  return { kind: "ident", id: 0, name };
}

export function select(operand: Expr, ...fields: readonly string[]): Expr {
  return fields.reduce<Expr>(
    (found, field) => ({ kind: "select", id: 0, operand: found, field, testOnly: false }),
    operand,
  );
}

export function call(name: string, args: readonly Expr[], target?: Expr): Expr {
  return { kind: "call", id: 0, function: name, target, args };
}

export function textOfExpr(expr: Expr): string {
  return unparse(expr, NO_INFO);
}

/** Metadata that the early examples read from the object itself. */
const SHORTCUTS: ReadonlySet<string> = new Set(["name", "namespace", "labels", "annotations", "generateName"]);
const OBJECTS: ReadonlySet<string> = new Set(["object", "oldObject"]);
const BINDERS: ReadonlySet<string> = new Set([
  "all",
  "any",
  "exists",
  "exists_one",
  "existsOne",
  "filter",
  "map",
  "sortBy",
]);

class Rewriter {
  readonly #options: RewriteOptions;
  readonly free = new Set<string>();
  readonly reads = new Map<string, Set<string>>();
  isChanged = false;

  constructor(options: RewriteOptions) {
    this.#options = options;
  }

  rewrite(expr: Expr, bound: ReadonlySet<string>): Expr {
    switch (expr.kind) {
      case "ident":
        return this.#identifier(expr.name, bound) ?? expr;
      case "select":
        return this.#select(expr, bound);
      case "call":
        return this.#call(expr, bound);
      default:
        return mapChildren(expr, (child) => this.rewrite(child, bound));
    }
  }

  #identifier(name: string, bound: ReadonlySet<string>): Expr | undefined {
    if (bound.has(name)) return undefined;
    this.free.add(name);
    const replacement = this.#options.names.get(name);
    if (replacement !== undefined) this.isChanged = true;
    return replacement;
  }

  #select(expr: SelectExpr, bound: ReadonlySet<string>): Expr {
    const { operand, field } = expr;
    if (operand.kind === "ident" && !bound.has(operand.name)) {
      if (OBJECTS.has(operand.name) && SHORTCUTS.has(field)) return this.#shortcut(expr, operand.name);
      const fields = this.reads.get(operand.name) ?? new Set();
      this.reads.set(operand.name, fields.add(field));
    }
    return { ...expr, operand: this.rewrite(operand, bound) };
  }

  #shortcut(expr: SelectExpr, object: string): Expr {
    this.free.add(object);
    this.#change(findings.objectShortcut(`${object}.${expr.field}`, `${object}.metadata.${expr.field}`));
    return { ...expr, operand: select(ident(object), "metadata") };
  }

  #call(expr: CallExpr, bound: ReadonlySet<string>): Expr {
    const [first, second] = expr.args;
    if (expr.function === "@in" && first?.kind === "call" && first.function === "!_" && second !== undefined) {
      this.#change(findings.notInOrder());
      return this.rewrite(call("!_", [call("@in", [...first.args, second])]), bound);
    }
    if (expr.function === "any" && expr.target !== undefined && expr.args.length === 2) {
      this.#change(findings.anyMacro());
      return this.rewrite({ ...expr, function: "exists" }, bound);
    }
    if (expr.target === undefined || !BINDERS.has(expr.function)) {
      return mapChildren(expr, (child) => this.rewrite(child, bound));
    }
    return this.#binder(expr, expr.target, bound);
  }

  /** All arguments but the last are the names of variables, where they are identifiers. */
  #binder(expr: CallExpr, target: Expr, bound: ReadonlySet<string>): Expr {
    const leading = expr.args.slice(0, -1);
    const names = leading.flatMap((each) => (each.kind === "ident" ? [each.name] : []));
    const inner = new Set([...bound, ...names]);
    const args = expr.args.map((each) =>
      each.kind === "ident" && leading.includes(each) ? each : this.rewrite(each, inner),
    );
    return { ...expr, target: this.rewrite(target, bound), args };
  }

  #change(message: string): void {
    this.isChanged = true;
    this.#options.warn(message);
  }
}

function mapChildren(expr: Expr, change: (child: Expr) => Expr): Expr {
  switch (expr.kind) {
    case "select":
      return { ...expr, operand: change(expr.operand) };
    case "call":
      return { ...expr, target: expr.target && change(expr.target), args: expr.args.map(change) };
    case "list":
      return { ...expr, elements: expr.elements.map(change) };
    case "map":
      return {
        ...expr,
        entries: expr.entries.map((entry) => ({ ...entry, key: change(entry.key), value: change(entry.value) })),
      };
    case "struct":
      return { ...expr, fields: expr.fields.map((field) => ({ ...field, value: change(field.value) })) };
    default:
      return expr;
  }
}
