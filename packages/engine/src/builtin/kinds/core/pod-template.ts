/** PodTemplate: a template of pods that is an object of its own. */
import { newPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { containersOf, mapText, memberTexts, NAME, text } from "../../columns/column.ts";
import { podDefaults } from "../../defaults/pod.ts";
import { metaOf, objectOf } from "../../object.ts";
import { validateTemplate } from "../../validate/pod/pod.ts";
import { podWarnings } from "../../warnings/pod.ts";
import { defineKind } from "../kind.ts";
import { onNewGeneration } from "../pod-template.ts";

const TEMPLATE = newPath("template");

export const podTemplate = defineKind("v1", "PodTemplate", {
  defaults: podDefaults,
  generation: { members: ["template"] },
  podSpec: ["template", "spec"],
  validate: (object) => validateTemplate(templateOf(object), TEMPLATE),
  warnings: onNewGeneration((object) => podWarnings(templateOf(object), TEMPLATE)),
  columns: [
    NAME,
    text("Containers", (object) => memberTexts(containersOf(templateOf(object)), "name")),
    text("Images", (object) => memberTexts(containersOf(templateOf(object)), "image")),
    text("Pod Labels", (object) => mapText(objectOf(metaOf(templateOf(object)), "labels"))),
  ],
  returnsDeletedObject: true,
});

function templateOf(object: JsonObject): JsonObject {
  return objectOf(object, "template") ?? {};
}
