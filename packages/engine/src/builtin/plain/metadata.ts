/** Plain checks of metadata and selectors. */
import { isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { type Check, fields, isText, map, text } from "./check.ts";
import { isLabel, isLabelValue, isOwnKey, isQualifiedName } from "./texts.ts";

/** Labels that controllers of jobs generate. */
const GENERATED = /^batch\.kubernetes\.io\/|^(?:controller-uid|job-name)$/;

const isLabels: Check = map((key) => isQualifiedName(key) && !GENERATED.test(key), text(isLabelValue));

/** All annotations may have 256 KiB; a character has at most three bytes. */
const MAX_CHARACTERS = 80_000;

const areAnnotations = map(isOwnKey, isText);

const isAnnotations: Check = (value) => areAnnotations(value) && lengthOf(value) < MAX_CHARACTERS;

/** The characters of all keys and values. */
export function lengthOf(value: JsonValue): number {
  let total = 0;
  if (!isObject(value)) return total;
  for (const key in value) total += key.length + String(value[key]).length;
  return total;
}

/** Metadata of an object in a namespace. */
export function namedMeta(isName: Check): Check {
  const namespace = text(isLabel);
  return fields({ name: isName, namespace, labels: isLabels, annotations: isAnnotations }, { needs: ["name"] });
}

/** Metadata of an object outside of namespaces. */
export function clusterMeta(isName: Check): Check {
  return fields({ name: isName, labels: isLabels, annotations: isAnnotations }, { needs: ["name"] });
}

/** Metadata of a template. */
export const isTemplateMeta: Check = fields({ labels: isLabels, annotations: isAnnotations });

/** Some labels with their values. */
export const isSelector: Check = fields({ matchLabels: isLabels });

export function selectsNothing(selector: JsonValue | undefined): boolean {
  const labels = isObject(selector) ? selector["matchLabels"] : undefined;
  return !isObject(labels) || Object.keys(labels).length === 0;
}

/** Whether the labels have all that the checked selector asks for. */
export function selects(selector: JsonValue | undefined, labels: JsonValue): boolean {
  if (selectsNothing(selector) || !isObject(labels)) return false;
  const wanted = (selector as JsonObject)["matchLabels"] as JsonObject;
  for (const key in wanted) if (labels[key] !== wanted[key]) return false;
  return true;
}
