/** Namespace. Its end is the business of the server's namespace controller. */
import type { JsonObject } from "../../../value/json.ts";
import { AGE, NAME, status, text } from "../../columns/column.ts";
import { type Draft, fillZero, inner } from "../../defaults/draft.ts";
import { objectFrom, objectOf, textOf, textsOf } from "../../object.ts";
import { validateNamespace, validateNamespaceStatus } from "../../validate/cluster/namespace.ts";
import { defineKind } from "../kind.ts";
import { labelName } from "../names.ts";

export const namespace = defineKind("v1", "Namespace", {
  defaults: {
    "v1.Namespace": (draft) => {
      if (textOf(inner(draft, "metadata"), "name") !== "") setNameLabel(draft);
    },
    "v1.NamespaceStatus": (draft) => fillZero(draft, "phase", "Active"),
  },
  checkName: labelName,
  metadata: { update: "both" },
  ownsStatus: true,
  prepareCreate: prepareNamespace,
  prepareUpdate: keepFinalizers,
  validate: validateNamespace,
  validateStatusUpdate: validateNamespaceStatus,
  columns: [NAME, text("Status", (object) => textOf(status(object), "phase")), AGE],
  selectableFields: { fields: ["status.phase"] },
  returnsDeletedObject: true,
});

function setNameLabel(draft: Draft): void {
  const metadata = inner(draft, "metadata");
  inner(metadata, "labels")["kubernetes.io/metadata.name"] = textOf(metadata, "name");
}

function prepareNamespace(draft: Draft): void {
  draft["status"] = objectFrom({ phase: "Active" });
  const spec = inner(draft, "spec");
  const finalizers = textsOf(spec, "finalizers");
  if (!finalizers.includes("kubernetes")) spec["finalizers"] = [...finalizers, "kubernetes"];
  setNameLabel(draft);
}

function keepFinalizers(draft: Draft, old: JsonObject): void {
  const finalizers = objectOf(old, "spec")?.["finalizers"];
  if (finalizers !== undefined) inner(draft, "spec")["finalizers"] = finalizers;
}
