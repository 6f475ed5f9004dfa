/** What kinds that make pods from a template share: where it is, how it is shown, and its warnings. */
import { checkDnsLabel } from "../../field/names.ts";
import { newPath } from "../../field/path.ts";
import type { JsonObject } from "../../value/json.ts";
import {
  AGE,
  type Cell,
  containersOf,
  count,
  memberTexts,
  NAME,
  selectorText,
  spec,
  status,
  statusCount,
  text,
} from "../columns/column.ts";
import { metaOf, numberOf, objectOf, textOf } from "../object.ts";
import * as messages from "../warnings/messages.ts";
import { podWarnings } from "../warnings/pod.ts";
import type { KindWarnings } from "./kind.ts";

/** Where most of them have the spec of the pod. */
export const TEMPLATE_POD_SPEC = ["spec", "template", "spec"];

export function templateOf(object: JsonObject): JsonObject | undefined {
  return objectOf(spec(object), "template");
}

export const CONTAINERS = text("Containers", (object) => memberTexts(containersOf(templateOf(object)), "name"), 1);
export const IMAGES = text("Images", (object) => memberTexts(containersOf(templateOf(object)), "image"), 1);
const SELECTOR = text("Selector", (object) => selectorText(spec(object)["selector"]), 1);
export const TEMPLATE_COLUMNS = [CONTAINERS, IMAGES, SELECTOR];

/** Of sets of equal pods. */
export const REPLICA_COLUMNS = [
  NAME,
  count("Desired", (set) => numberOf(spec(set), "replicas")),
  count("Current", statusCount("replicas")),
  count("Ready", statusCount("readyReplicas")),
  AGE,
  ...TEMPLATE_COLUMNS,
];

export const readyReplicas: Cell = (set) =>
  `${numberOf(status(set), "readyReplicas")}/${numberOf(spec(set), "replicas")}`;

const TEMPLATE = newPath("spec", "template");

export function templateWarnings(object: JsonObject): string[] {
  const template = objectOf(objectOf(object, "spec"), "template");
  return template === undefined ? [] : podWarnings(template, TEMPLATE);
}

/** On create, and on update where the generation changes. */
export function onNewGeneration(
  warn: (object: JsonObject) => string[],
): Required<Pick<KindWarnings, "create" | "update">> {
  return { create: warn, update: (object, old) => (isNewGeneration(object, old) ? warn(object) : []) };
}

/** The same, and on create a warning about names that cannot become part of a pod's name. */
export function onNewGenerationWithName(
  warn: (object: JsonObject) => string[],
): Required<Pick<KindWarnings, "create" | "update">> {
  const { update } = onNewGeneration(warn);
  return { create: (object) => [...nameWarnings(object), ...warn(object)], update };
}

function nameWarnings(object: JsonObject): string[] {
  const problems = checkDnsLabel(textOf(metaOf(object), "name"));
  return problems.length === 0 ? [] : [messages.ownerName(problems)];
}

export function isNewGeneration(object: JsonObject, old: JsonObject): boolean {
  return numberOf(metaOf(object), "generation") !== numberOf(metaOf(old), "generation");
}
