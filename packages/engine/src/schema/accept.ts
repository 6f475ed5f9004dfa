/**
 * Checks as fast as possible whether a value is valid: no paths, no counts, no messages.
 *
 * INVARIANT: `accepts` is true exactly if the walk of `validate.ts` finds nothing. That walk follows upstream's order
 * and messages; here only the result counts, so members are visited in their own order and the first failure ends it.
 */
import { countWork } from "@portcullis/gostd/work";
import type { JsonNumber, JsonObject, JsonValue } from "../value/json.ts";
import type { OrderedEntry, OrderedMap } from "../value/key-order.ts";
import type { Finding } from "./finding.ts";
import type { Combinators } from "./keywords/composition.ts";
import { isAllowed } from "./keywords/enum.ts";
import { ARRAY, INTEGER, kindOf, NULL, NUMBER, OBJECT, STRING } from "./keywords/kind.ts";
import { checkNumber } from "./keywords/number.ts";
import { checkString } from "./keywords/string.ts";
import { fitsType } from "./keywords/type.ts";
import type { ValidatorNode } from "./node.ts";

export function accepts(node: ValidatorNode, value: JsonValue): boolean {
  const kind = kindOf(value);
  return (node.free & kind) !== 0 || acceptsKind(node, value, kind);
}

function acceptsKind(node: ValidatorNode, value: JsonValue, kind: number): boolean {
  if (node.type !== undefined && !fitsType(node.type, value, kind)) return false;
  if (node.enum !== undefined && !isAllowed(node.enum, value)) return false;
  if (kind === NULL) return true;
  if (node.combinators !== undefined && !acceptsCombinators(node.combinators, value)) return false;
  switch (kind) {
    case STRING:
      return acceptsText(node, value as string);
    case INTEGER:
    case NUMBER:
      return acceptsNumber(node, value as JsonNumber);
    case ARRAY:
      return acceptsList(node, value as JsonValue[]);
    case OBJECT:
      return acceptsObject(node, value as JsonObject);
    default:
      return true;
  }
}

function acceptsCombinators({ anyOf, oneOf, allOf, not }: Combinators<ValidatorNode>, value: JsonValue): boolean {
  countWork(WORK_OF_BRANCH * (anyOf.length + oneOf.length + allOf.length + 1));
  if (anyOf.length > 0 && !anyOf.some((node) => accepts(node, value))) return false;
  if (oneOf.length > 0 && !acceptsOne(oneOf, value)) return false;
  return allOf.every((node) => accepts(node, value)) && (not === undefined || !accepts(not, value));
}

const WORK_OF_BRANCH = 2;

function acceptsOne(nodes: readonly ValidatorNode[], value: JsonValue): boolean {
  let valid = 0;
  for (const node of nodes) if (accepts(node, value)) valid++;
  return valid === 1;
}

function acceptsText(node: ValidatorNode, text: string): boolean {
  if (node.string !== undefined && checkString(node.string, text, undefined) !== undefined) return false;
  return node.format === undefined || node.format.accepts(text);
}

function acceptsNumber(node: ValidatorNode, value: JsonNumber): boolean {
  const found: Finding[] = [];
  checkNumber(node.number, value, undefined, found);
  return found.length === 0;
}

function acceptsList({ items, minItems, maxItems }: ValidatorNode, list: readonly JsonValue[]): boolean {
  if (list.length < minItems || list.length > maxItems) return false;
  if (items === undefined) return true;
  for (let index = 0; index < list.length; index++) if (!accepts(items, list[index] as JsonValue)) return false;
  return true;
}

function acceptsObject(node: ValidatorNode, object: JsonObject): boolean {
  // Objects inherit nothing, so what is not undefined is there.
  for (const name of node.required) if (object[name] === undefined) return false;
  if (node.limitsSize && !acceptsSize(node, Object.keys(object).length)) return false;
  if (node.members !== undefined) return acceptsMembers(node, node.members, object);
  if (!node.looksAtOthers) return true;
  for (const name in object) if (!acceptsOther(node, name, object[name] as JsonValue)) return false;
  return true;
}

function acceptsMembers(node: ValidatorNode, members: OrderedMap<ValidatorNode>, object: JsonObject): boolean {
  let before: OrderedEntry<ValidatorNode> | undefined;
  for (const name in object) {
    const member = object[name] as JsonValue;
    const property = members.find(name, before);
    if (property === undefined) {
      if (node.looksAtOthers && !acceptsOther(node, name, member)) return false;
    } else {
      if (!accepts(property.value, member)) return false;
      before = property;
    }
  }
  return true;
}

function acceptsSize({ minProperties, maxProperties }: ValidatorNode, size: number): boolean {
  return size >= minProperties && size <= maxProperties;
}

/** A member that no property names. */
function acceptsOther(node: ValidatorNode, name: string, member: JsonValue): boolean {
  if (node.forbidsAdditional) return false;
  if (node.propertyNames !== undefined && !accepts(node.propertyNames, name)) return false;
  return node.additional === undefined || accepts(node.additional, member);
}
