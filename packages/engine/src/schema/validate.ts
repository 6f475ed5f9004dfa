/**
 * Values against a schema: kube-openapi's validator as apiextensions uses it, compiled once per schema.
 *
 * A node runs its keywords in upstream's order (type, combinators, string, format, number, list, enum, object) and
 * returns upstream's count of matches, by which a failed `anyOf` or `oneOf` chooses the branch whose findings it shows.
 *
 * A value is first looked at to see whether anything is wrong at all (`accept.ts`). Only if there is something is it
 * walked to find everything, for an update beside the old value, where findings on what did not change are forgiven. A
 * valid update therefore pays nothing for ratcheting.
 */
import type { FieldError } from "../field/error.ts";
import { type FieldPath, nilPath } from "../field/path.ts";
import { hasKey, type JsonNumber, type JsonObject, type JsonValue } from "../value/json.ts";
import { accepts } from "./accept.ts";
import type { Correlation } from "./correlate.ts";
import { distinct, type Finding, newPlace, type Place, toFieldErrors } from "./finding.ts";
import { checkCombinators } from "./keywords/composition.ts";
import { checkEnum } from "./keywords/enum.ts";
import { ARRAY, INTEGER, kindOf, NULL, NUMBER, OBJECT, STRING } from "./keywords/kind.ts";
import { checkNumber } from "./keywords/number.ts";
import { checkString } from "./keywords/string.ts";
import { fitsType, typeFinding } from "./keywords/type.ts";
import * as messages from "./messages.ts";
import { type CompileOptions, compileNode, type ValidatorNode } from "./node.ts";
import type { Structural } from "./structural.ts";
import { FINDING_SIZE, isOver, newWalk, type Walk } from "./walk.ts";

/** A finding on a value that the update does not touch. */
export interface Forgiven {
  readonly text: string;
  readonly error: FieldError;
  /** The unchanged value that covers it; undefined is the validated root. */
  readonly unchanged: Place | undefined;
}

/** A finding that stands, and where it was found. */
export interface Kept {
  readonly text: string;
  readonly error: FieldError;
  readonly place: Place | undefined;
}

export interface UpdateFindings {
  readonly kept: readonly Kept[];
  readonly forgiven: readonly Forgiven[];
}

export interface SchemaValidator {
  /** All that is wrong with a value. `root` stands before every path. */
  validate(value: JsonValue, root?: FieldPath): FieldError[];
  /** Likewise for the new value of an update; what did not change is forgiven. */
  validateUpdate(correlation: Correlation, root?: FieldPath): UpdateFindings;
}

export function compileValidator(schema: Structural, options: CompileOptions): SchemaValidator {
  const node = compileNode(schema, options);
  return {
    validate: (value, root) => (accepts(node, value) ? [] : toFieldErrors(findAll(node, value).found, root)),
    validateUpdate: (correlation, root = nilPath) => {
      if (accepts(node, correlation.value)) return { kept: [], forgiven: [] };
      return toUpdateFindings(findAll(node, correlation.value, correlation), root);
    },
  };
}

/** All that is wrong with a value, whether or not `accepts` has been asked before. */
export function findAll(node: ValidatorNode, value: JsonValue, correlation?: Correlation): Walk {
  const walk = newWalk([]);
  validateNode(node, value, undefined, correlation, walk);
  if (isOver(walk)) walk.found.push(messages.furtherFindings());
  return walk;
}

function toUpdateFindings(walk: Walk, root: FieldPath): UpdateFindings {
  return {
    kept: distinct(walk.found).map(({ text, place, toError }) => ({ text, place, error: toError(root) })),
    forgiven: distinct(walk.forgiven).map(({ text, finding, unchanged }) => ({
      text,
      unchanged,
      error: finding.toError(root),
    })),
  };
}

function validateNode(
  node: ValidatorNode,
  value: JsonValue,
  place: Place | undefined,
  correlation: Correlation | undefined,
  walk: Walk,
): number {
  const before = walk.found.length;
  const matches = runKeywords(node, value, place, correlation, walk);
  if (walk.found.length === before) return matches;
  // Of several findings the last stands for all: those of the members have been counted.
  walk.size += FINDING_SIZE + (walk.found.at(-1)?.text.length ?? 0);
  if (correlation?.isUnchanged() === true) forgive(walk, before, place);
  return matches;
}

function forgive(walk: Walk, before: number, unchanged: Place | undefined): void {
  for (const finding of walk.found.splice(before)) walk.forgiven.push({ text: finding.text, finding, unchanged });
}

function runKeywords(
  node: ValidatorNode,
  value: JsonValue,
  place: Place | undefined,
  correlation: Correlation | undefined,
  walk: Walk,
): number {
  const kind = kindOf(value);
  const { found } = walk;
  // One match for the node, one for each keyword group that applies to the value.
  let matches = 1;
  if (node.type !== undefined) {
    if (fitsType(node.type, value, kind)) matches += 2;
    else {
      found.push(typeFinding(node.type, kind, place));
      matches += 1;
    }
  }
  if (kind === NULL) return checkNullEnum(node, value, place, found, matches);
  matches += 1 + runCombinators(node, value, place, walk);
  if (kind === STRING) matches += runString(node, value as string, place, found);
  else if (kind === INTEGER || kind === NUMBER) {
    checkNumber(node.number, value as JsonNumber, place, found);
    matches += 2;
  } else if (kind === ARRAY) matches += 2 + runList(node, value as JsonValue[], place, correlation, walk);
  if (node.enum !== undefined) pushFinding(found, checkEnum(node.enum, value, place));
  matches += 1;
  if (kind === OBJECT) matches += 1 + runObject(node, value as JsonObject, place, correlation, walk);
  return matches;
}

/** For null only type and enum run, and upstream counts no matches but the type's own. */
function checkNullEnum(
  node: ValidatorNode,
  value: JsonValue,
  place: Place | undefined,
  found: Finding[],
  matches: number,
): number {
  if (node.enum !== undefined) pushFinding(found, checkEnum(node.enum, value, place));
  // An absent type keyword still runs for null and matches.
  return node.type === undefined || matches === 3 ? 1 : 0;
}

function runCombinators(node: ValidatorNode, value: JsonValue, place: Place | undefined, walk: Walk): number {
  if (node.combinators === undefined) return 1;
  return checkCombinators(node.combinators, value, place, walk.found, validateBranch);
}

function validateBranch(node: ValidatorNode, value: JsonValue, place: Place | undefined, found: Finding[]): number {
  return validateNode(node, value, place, undefined, newWalk(found));
}

function runString(node: ValidatorNode, text: string, place: Place | undefined, found: Finding[]): number {
  if (node.string !== undefined) pushFinding(found, checkString(node.string, text, place));
  if (node.format === undefined) return 1;
  if (!node.format.accepts(text)) found.push(messages.wrongType(place, node.format.name, text, "format"));
  return 2;
}

function runList(
  node: ValidatorNode,
  items: readonly JsonValue[],
  place: Place | undefined,
  correlation: Correlation | undefined,
  walk: Walk,
): number {
  let matches = 0;
  if (node.items !== undefined) {
    for (let index = 0; index < items.length && !isOver(walk); index++) {
      const item = items[index] as JsonValue;
      const at = newPlace(place, index, "item");
      matches += validateNode(node.items, item, at, correlation?.index(index), walk);
    }
  }
  if (items.length < node.minItems) walk.found.push(messages.tooFewItems(place, node.minItems, items.length));
  if (items.length > node.maxItems) walk.found.push(messages.tooManyItems(place, node.maxItems, items.length));
  return matches;
}

function runObject(
  node: ValidatorNode,
  object: JsonObject,
  place: Place | undefined,
  correlation: Correlation | undefined,
  walk: Walk,
): number {
  const { found } = walk;
  checkSize(node, object, place, found);
  const matches =
    runAdditional(node, object, place, correlation, walk) + runMembers(node, object, place, correlation, walk);
  for (const name of node.required) {
    if (!hasKey(object, name)) found.push(messages.missingProperty(place, name));
  }
  return matches;
}

function runMembers(
  node: ValidatorNode,
  object: JsonObject,
  place: Place | undefined,
  correlation: Correlation | undefined,
  walk: Walk,
): number {
  let matches = 0;
  for (const [name, property] of node.properties) {
    if (!hasKey(object, name)) continue;
    const child = correlationOf(name, place, correlation);
    matches += validateNode(property, object[name] as JsonValue, newPlace(place, name, "member"), child, walk);
  }
  return matches;
}

function checkSize(node: ValidatorNode, object: JsonObject, place: Place | undefined, found: Finding[]): void {
  if (!node.limitsSize) return;
  const size = Object.keys(object).length;
  if (size < node.minProperties) found.push(messages.tooFewProperties(place, node.minProperties, size));
  if (size > node.maxProperties) found.push(messages.tooManyProperties(place, node.maxProperties, size));
}

/** Members that no property names, and with `x-kubernetes-property-names` their keys first. */
function runAdditional(
  node: ValidatorNode,
  object: JsonObject,
  place: Place | undefined,
  correlation: Correlation | undefined,
  walk: Walk,
): number {
  if (!node.looksAtOthers) return 0;
  let matches = 0;
  for (const key of Object.keys(object).sort()) {
    if (isOver(walk)) break;
    if (node.properties.has(key)) continue;
    if (node.forbidsAdditional) {
      walk.found.push(messages.forbiddenProperty(place, key));
      walk.size += FINDING_SIZE;
    }
    if (node.propertyNames !== undefined) runKey(node.propertyNames, key, place, correlation, walk);
    if (node.additional === undefined) continue;
    const child = correlationOf(key, place, correlation);
    const at = newPlace(place, key, "key");
    matches += validateNode(node.additional, object[key] as JsonValue, at, child, walk);
  }
  return matches;
}

/** A key that the old map has too is forgiven, whatever happened to its value. */
function runKey(
  node: ValidatorNode,
  key: string,
  place: Place | undefined,
  correlation: Correlation | undefined,
  walk: Walk,
): void {
  const before = walk.found.length;
  const keyPlace = newPlace(place, key, "keyName");
  validateNode(node, key, keyPlace, undefined, walk);
  if (walk.found.length > before && correlation?.hasOldKey(key) === true) forgive(walk, before, keyPlace);
}

/** The kind and apiVersion of the root are never forgiven: both sides were converted to the same version. */
function correlationOf(
  name: string,
  place: Place | undefined,
  correlation: Correlation | undefined,
): Correlation | undefined {
  if (correlation === undefined) return undefined;
  if (place === undefined && (name === "kind" || name === "apiVersion")) return undefined;
  return correlation.key(name);
}

function pushFinding(found: Finding[], finding: Finding | undefined): void {
  if (finding !== undefined) found.push(finding);
}
