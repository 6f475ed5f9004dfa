/** Field selectors, `metadata.name=a,spec.x!=b`. Follows apimachinery pkg/fields/selector.go. */
import type { Result } from "@portcullis/gostd/result";
import { compareStrings } from "@portcullis/gostd/utf8";
import * as messages from "./messages.ts";

export interface FieldTerm {
  readonly field: string;
  readonly value: string;
  readonly negated: boolean;
}

/** All terms must hold. */
export type FieldSelector = readonly FieldTerm[];

/** Longer ones are compiled. */
const MANY = 16;
const compiledSelectors = new WeakMap<FieldSelector, ReadonlyMap<string, FieldCondition>>();

interface FieldCondition {
  /** What it must have, all of them. */
  readonly equal: Set<string>;
  readonly unequal: Set<string>;
}

export function matchesFields(selector: FieldSelector, read: (field: string) => string): boolean {
  if (selector.length > MANY) {
    return [...conditionsOf(selector)].every(([field, { equal, unequal }]) => {
      const value = read(field);
      return !unequal.has(value) && (equal.size === 0 || (equal.size === 1 && equal.has(value)));
    });
  }
  return selector.every(({ field, value, negated }) => (read(field) === value) !== negated);
}

function conditionsOf(selector: FieldSelector): ReadonlyMap<string, FieldCondition> {
  const known = compiledSelectors.get(selector);
  if (known !== undefined) return known;
  const conditions = new Map<string, FieldCondition>();
  for (const { field, value, negated } of selector) {
    const condition = conditions.get(field) ?? { equal: new Set(), unequal: new Set() };
    conditions.set(field, condition);
    (negated ? condition.unequal : condition.equal).add(value);
  }
  compiledSelectors.set(selector, conditions);
  return conditions;
}

/** The value a field must have exactly, where the selector says so. */
export function requiredValue(selector: FieldSelector, field: string): string | undefined {
  return selector.find((term) => term.field === field && !term.negated)?.value;
}

export function parseFieldSelector(text: string): Result<FieldSelector> {
  const terms: FieldTerm[] = [];
  for (const part of splitTerms(text).sort(compareStrings)) {
    if (part === "") continue;
    const split = splitTerm(part);
    if (split === undefined) return { error: messages.badFieldTerm(text, part) };
    const value = unescapeValue(split.value);
    if (value.error !== undefined) return value;
    // A term of nothing selects everything.
    if (split.field === "" && value.value === "") continue;
    terms.push({ field: split.field, value: value.value, negated: split.negated });
  }
  return { value: terms };
}

/** The text of one term, which `parseFieldSelector` reads. */
export function formatFieldTerm(field: string, isNegated: boolean, value: string): string {
  return `${field}${isNegated ? "!=" : "="}${value.replace(/[\\,=]/g, "\\$&")}`;
}

/** Commas behind a backslash do not separate. */
function splitTerms(text: string): string[] {
  return text === ""
    ? []
    : (text.match(/(?:^|,)(?:[^\\,]|\\[\s\S]?)*/g) ?? []).map((part, index) =>
        index === 0 && !text.startsWith(",") ? part : part.slice(1),
      );
}

function splitTerm(part: string): FieldTerm | undefined {
  const found = /!=|==|=/.exec(part);
  if (found === null) return undefined;
  const value = part.slice(found.index + found[0].length);
  return { field: part.slice(0, found.index), value, negated: found[0] === "!=" };
}

function unescapeValue(text: string): Result<string> {
  let value = "";
  let isEscaped = false;
  for (const char of text) {
    const isSpecial = char === "\\" || char === "," || char === "=";
    if (isEscaped) {
      if (!isSpecial) return { error: messages.badEscape(`\\${char}`) };
      value += char;
      isEscaped = false;
    } else if (char === "\\") isEscaped = true;
    else if (isSpecial) return { error: messages.unescapedCharacter(char.charCodeAt(0)) };
    else value += char;
  }
  return isEscaped ? { error: messages.badEscape("\\") } : { value };
}
