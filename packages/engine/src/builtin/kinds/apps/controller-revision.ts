/** ControllerRevision: an earlier state of a DaemonSet or StatefulSet. */
import type { JsonObject } from "../../../value/json.ts";
import { AGE, NAME, text } from "../../columns/column.ts";
import { metaOf, numberOf, objectsOf, textOf } from "../../object.ts";
import { validateNewRevision, validateRevisionUpdate } from "../../validate/workloads/apps.ts";
import { defineKind } from "../kind.ts";

export const controllerRevision = defineKind("apps/v1", "ControllerRevision", {
  metadata: { update: "both" },
  validate: validateNewRevision,
  validateUpdate: validateRevisionUpdate,
  columns: [
    NAME,
    text("Controller", controllerText),
    text("Revision", (revision) => numberOf(revision, "revision")),
    AGE,
  ],
});

function controllerText(revision: JsonObject): string {
  const owner = objectsOf(metaOf(revision), "ownerReferences").find((each) => each["controller"] === true);
  if (owner === undefined) return "<none>";
  const [group] = textOf(owner, "apiVersion").includes("/") ? textOf(owner, "apiVersion").split("/") : [""];
  return `${textOf(owner, "kind").toLowerCase()}${group === "" ? "" : `.${group}`}/${textOf(owner, "name")}`;
}
