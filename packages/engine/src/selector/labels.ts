/**
 * Label selectors: their text, their structured form, and what they match.
 *
 * Follows apimachinery pkg/labels and pkg/apis/meta/v1 (LabelSelectorAsSelector), error texts included.
 */

import type { Result } from "@portcullis/gostd/result";
import * as strconv from "@portcullis/gostd/strconv";
import { compareStrings } from "@portcullis/gostd/utf8";
import { type FieldError, invalid } from "../field/error.ts";
import { formatFieldErrors } from "../field/format.ts";
import { checkLabelValue, checkQualifiedName } from "../field/names.ts";
import { type FieldPath, nilPath } from "../field/path.ts";
import { type CompiledSelector, compileSelector } from "./compiled.ts";
import * as messages from "./messages.ts";
import { type LabelSelector, type Labels, matchesRequirement, type Operator, type Requirement } from "./requirement.ts";
import { scanSelector, type Token } from "./scan.ts";

export type { LabelSelector, Labels, Operator, Requirement } from "./requirement.ts";

/** Longer ones are compiled. */
const MANY = 16;
const compiledSelectors = new WeakMap<LabelSelector, CompiledSelector>();

export function matchesLabels(selector: LabelSelector, labels: Labels): boolean {
  const compiled = compileLong(selector);
  if (compiled !== undefined) return compiled.matches(labels);
  return selector.every((requirement) => matchesRequirement(requirement, labels));
}

/** Undefined for one that is matched as it is. A watch compiles its own before there is an event for all watches. */
export function compileLong(selector: LabelSelector): CompiledSelector | undefined {
  if (selector.length <= MANY && !selector.some(({ values }) => values.length > MANY)) return undefined;
  let compiled = compiledSelectors.get(selector);
  if (compiled === undefined) {
    compiled = compileSelector(selector);
    compiledSelectors.set(selector, compiled);
  }
  return compiled;
}

/** `a=b, c in (d,e), !f`. Requirements come back sorted by key. */
export function parseLabelSelector(text: string, path: FieldPath = nilPath): Result<LabelSelector> {
  const parser = new SelectorParser(scanSelector(text), path);
  try {
    const requirements = parser.parse();
    return { value: requirements.sort((left, right) => compareStrings(left.key, right.key)) };
  } catch (failure) {
    if (failure instanceof SelectorProblem) return { error: failure.text };
    throw failure;
  }
}

/** Unwinds the parser; never leaves this file. */
class SelectorProblem {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

class SelectorParser {
  readonly #tokens: readonly Token[];
  readonly #path: FieldPath;
  #position = 0;

  constructor(tokens: readonly Token[], path: FieldPath) {
    this.#tokens = tokens;
    this.#path = path;
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = [];
    for (;;) {
      const token = this.#peek();
      if (token.kind === "end") return requirements;
      if (token.kind !== "identifier" && token.kind !== "!")
        throw new SelectorProblem(messages.expectedStart(token.text));
      requirements.push(this.#prefixed(() => this.#requirement()));
      const after = this.#next();
      if (after.kind === "end") return requirements;
      if (after.kind !== ",") throw new SelectorProblem(messages.expectedCommaOrEnd(after.text));
      const start = this.#peek();
      if (start.kind !== "identifier" && start.kind !== "!")
        throw new SelectorProblem(messages.expectedAfterComma(start.text));
    }
  }

  #prefixed<T>(parse: () => T): T {
    try {
      return parse();
    } catch (failure) {
      if (failure instanceof SelectorProblem) throw new SelectorProblem(messages.badRequirement(failure.text));
      throw failure;
    }
  }

  #requirement(): Requirement {
    let token = this.#next();
    const isNegated = token.kind === "!";
    if (isNegated) token = this.#next();
    if (token.kind !== "identifier") throw new SelectorProblem(messages.expectedIdentifier(token.text));
    const key = token.text;
    this.#check(keyErrors(key, this.#path));
    const ahead = this.#peek().kind;
    if (isNegated || ahead === "end" || ahead === ",") return this.#make(key, isNegated ? "!" : "exists", []);
    const operator = this.#operator();
    const values = operator === "in" || operator === "notin" ? this.#values() : [this.#exactValue()];
    return this.#make(key, operator, [...new Set(values)].sort(compareStrings));
  }

  #make(key: string, operator: Operator, values: readonly string[]): Requirement {
    this.#check(requirementErrors({ key, operator, values }, this.#path));
    return { key, operator, values };
  }

  #check(errors: readonly FieldError[]): void {
    if (errors.length > 0) throw new SelectorProblem(formatFieldErrors(errors));
  }

  #operator(): Operator {
    const { text, kind } = this.#nextRaw();
    switch (kind) {
      case "in":
      case "notin":
      case "=":
      case "==":
      case "!=":
        return kind;
      case ">":
        return "gt";
      case "<":
        return "lt";
      default:
        throw new SelectorProblem(messages.expectedOperator(text));
    }
  }

  #values(): string[] {
    const open = this.#next();
    if (open.kind !== "(") throw new SelectorProblem(messages.expectedOpen(open.text));
    const first = this.#peek();
    if (first.kind === ")") {
      this.#next();
      return [""];
    }
    if (first.kind !== "identifier" && first.kind !== ",")
      throw new SelectorProblem(messages.expectedValue(first.text));
    const values = this.#valueList();
    if (this.#next().kind !== ")") throw new SelectorProblem(messages.expectedClose(first.text));
    return values;
  }

  /** Empty values occur between two commas, or a comma and a parenthesis. */
  #valueList(): string[] {
    const values: string[] = [];
    for (;;) {
      const token = this.#next();
      const ahead = this.#peek();
      if (token.kind === "identifier") {
        values.push(token.text);
        if (ahead.kind === ")") return values;
        if (ahead.kind !== ",") throw new SelectorProblem(messages.expectedCommaOrClose(ahead.text));
      } else if (token.kind === ",") {
        if (values.length === 0) values.push("");
        if (ahead.kind === ")") return [...values, ""];
        if (ahead.kind === ",") values.push("");
      } else throw new SelectorProblem(messages.expectedCommaOrIdentifier(token.text));
    }
  }

  #exactValue(): string {
    const { kind } = this.#peek();
    if (kind === "end" || kind === ",") return "";
    const token = this.#next();
    if (token.kind !== "identifier") throw new SelectorProblem(messages.expectedIdentifier(token.text));
    return token.text;
  }

  /** `in` and `notin` are operators only where an operator stands. */
  #peek(): Token {
    const token = this.#tokens[this.#position] ?? END;
    return token.kind === "in" || token.kind === "notin" ? { ...token, kind: "identifier" } : token;
  }

  #next(): Token {
    const token = this.#peek();
    this.#position++;
    return token;
  }

  #nextRaw(): Token {
    return this.#tokens[this.#position++] ?? END;
  }
}

const END: Token = { kind: "end", text: "" };

function requirementErrors({ key, operator, values }: Requirement, path: FieldPath): FieldError[] {
  const at = path.child("values");
  const errors = keyErrors(key, path.child("key"));
  const problem = valuesProblem(operator, values.length);
  if (problem !== undefined) errors.push(invalid(at, [...values], problem, "values"));
  if (operator === "gt" || operator === "lt") {
    values.forEach((value, index) => {
      if (strconv.parseInt(value, 10, 64).error !== undefined)
        errors.push(invalid(at.index(index), value, messages.notAnInteger(), "values"));
    });
  }
  values.forEach((value, index) => {
    const problems = checkLabelValue(value);
    if (problems.length > 0) errors.push(invalid(at.index(index).key(key), value, problems.join("; "), "values"));
  });
  return errors;
}

function valuesProblem(operator: Operator, count: number): string | undefined {
  if ((operator === "in" || operator === "notin") && count === 0) return messages.valuesEmpty();
  if ((operator === "exists" || operator === "!") && count > 0) return messages.valuesNotEmpty();
  if ((operator === "gt" || operator === "lt") && count !== 1) return messages.oneIntegerNeeded();
  return undefined;
}

function keyErrors(key: string, path: FieldPath): FieldError[] {
  const problems = checkQualifiedName(key);
  return problems.length === 0 ? [] : [invalid(path, key, problems.join("; "), "key")];
}

/** The structured form, `matchLabels` and `matchExpressions`. Undefined matches nothing, an empty one everything. */
export interface StructuredSelector {
  readonly matchLabels?: Labels | undefined;
  readonly matchExpressions?:
    | readonly { readonly key: string; readonly operator: string; readonly values: readonly string[] }[]
    | undefined;
}

const STRUCTURED_OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

/** Undefined is the selector that matches nothing. */
export function fromStructured(selector: StructuredSelector | undefined): Result<LabelSelector | undefined> {
  if (selector === undefined) return { value: undefined };
  const requirements: Requirement[] = [];
  for (const [key, value] of Object.entries(selector.matchLabels ?? {}))
    requirements.push({ key, operator: "=", values: [value] });
  for (const { key, operator: name, values } of selector.matchExpressions ?? []) {
    const operator = STRUCTURED_OPERATORS.get(name);
    if (operator === undefined) return { error: messages.badOperator(name) };
    requirements.push({ key, operator, values: [...values] });
  }
  const errors = requirements.flatMap((requirement) => requirementErrors(requirement, nilPath));
  return errors.length > 0 ? { error: formatFieldErrors(errors) } : { value: requirements };
}
