/**
 * Whether a value has the shape of its type.
 *
 * Follows structured-merge-diff typed/validate.go. Null fits everything. A map stops at its first undeclared member and
 * a list at its first item without identity; upstream visits maps in random order, we in the order of their keys.
 */
import type { Result } from "@portcullis/gostd/result";
import type { PathElement } from "../fieldset/element.ts";
import { formatElement } from "../fieldset/path.ts";
import { isArray, isNumber, isObject, type JsonObject, type JsonValue, sortedKeys } from "../value/json.ts";
import { completeItem, identityOf, itemElement } from "./list-item.ts";
import * as messages from "./messages.ts";
import { formOf, resolveForm } from "./types/form.ts";
import type { ListType, MapType, MergeType, ScalarKind } from "./types/types.ts";

export interface TypeFinding {
  readonly path: string;
  readonly message: string;
}

export interface ValidateOptions {
  /** Lists of stored objects may have items with equal keys; those of applied configurations may not. */
  readonly allowDuplicates: boolean;
  readonly needsAllKeys?: boolean;
}

export function validateType(type: MergeType, value: JsonValue, options: ValidateOptions): TypeFinding[] {
  // Sorting keys is for the order of findings only, so it waits until there are some.
  if (check(type, value, { ...options, keysOf: Object.keys, left: 1 }).length === 0) return [];
  return check(type, value, { ...options, keysOf: sortedKeys, left: MAX_FINDINGS });
}

/** Ours: upstream lists a million of them. */
const MAX_FINDINGS = 2_000;

export function formatFindings(findings: readonly TypeFinding[]): string {
  const texts = findings.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return texts.length === 1 ? (texts[0] ?? "") : ["errors:", ...texts.map((text) => `  ${text}`)].join("\n");
}

interface Walk extends ValidateOptions {
  readonly keysOf: (object: JsonObject) => string[];
  /** How many more findings are wanted. */
  left: number;
}

const FINE: TypeFinding[] = [];

function check(type: MergeType, value: JsonValue, walk: Walk): TypeFinding[] {
  const form = resolveForm(type, formOf(type, value));
  if (form === "map" && type.map !== undefined) return checkMap(type.map, value, walk);
  if (form === "scalar" && type.scalar !== undefined) return finding(checkScalar(type.scalar, value), walk);
  if (form === "list" && type.list !== undefined) return checkList(type.list, value, walk);
  return finding(messages.invalidType(type.name), walk);
}

function finding(message: string | undefined, walk: Walk): TypeFinding[] {
  if (message === undefined) return FINE;
  walk.left--;
  return [{ path: "", message }];
}

function checkScalar(kind: ScalarKind, value: JsonValue): string | undefined {
  if (value === null) return undefined;
  switch (kind) {
    case "numeric":
      return isNumber(value) ? undefined : messages.expectedNumeric(value);
    case "string":
      return typeof value === "string" ? undefined : messages.expectedString(value);
    case "boolean":
      return typeof value === "boolean" ? undefined : messages.expectedBoolean(value);
    default:
      return isArray(value) || isObject(value) ? messages.expectedScalar(value) : undefined;
  }
}

function checkMap(type: MapType, value: JsonValue, walk: Walk): TypeFinding[] {
  if (value === null) return FINE;
  if (!isObject(value)) return finding(messages.expectedMap(value), walk);
  const findings: TypeFinding[] = [];
  for (const name of walk.keysOf(value)) {
    const member = type.fields.get(name)?.type ?? type.element;
    if (member === undefined) {
      findings.push({ path: `.${name}`, message: messages.undeclaredField() });
      break;
    }
    append(findings, check(member, value[name] ?? null, walk), () => `.${name}`);
    if (walk.left <= 0) break;
  }
  return findings;
}

function checkList(type: ListType, value: JsonValue, walk: Walk): TypeFinding[] {
  if (value === null) return FINE;
  if (!isArray(value)) return finding(messages.expectedList(value), walk);
  return type.relationship === "associative" ? checkItems(type, value, walk) : checkAtomic(type, value, walk);
}

function checkAtomic(type: ListType, items: readonly JsonValue[], walk: Walk): TypeFinding[] {
  const findings: TypeFinding[] = [];
  for (let index = 0; index < items.length && walk.left > 0; index++) {
    append(findings, checkItem(type, items[index] ?? null, walk), () => `[${index}]`);
  }
  return findings;
}

function checkItems(type: ListType, items: readonly JsonValue[], walk: Walk): TypeFinding[] {
  const findings: TypeFinding[] = [];
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const { value: element, error } = itemOf(type, item, walk);
    if (element === undefined) {
      findings.push({ path: "", message: messages.badItem(index, error) });
      break;
    }
    const identity = identityOf(element);
    if (!walk.allowDuplicates && seen.has(identity)) {
      findings.push(...finding(messages.duplicateItem(formatElement(element)), walk));
    }
    seen.add(identity);
    append(findings, checkItem(type, item, walk), () => formatElement(element));
    if (walk.left <= 0) break;
  }
  return findings;
}

function itemOf(type: ListType, item: JsonValue, { needsAllKeys }: Walk): Result<PathElement> {
  return needsAllKeys === true ? completeItem(type, item) : itemElement(type, item);
}

function checkItem(type: ListType, item: JsonValue, walk: Walk): TypeFinding[] {
  return type.element === undefined ? finding(messages.invalidType(undefined), walk) : check(type.element, item, walk);
}

function append(findings: TypeFinding[], more: readonly TypeFinding[], prefix: () => string): void {
  for (const { path, message } of more) findings.push({ path: prefix() + path, message });
}
