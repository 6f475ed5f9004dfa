/** RuntimeClass. */
import { AGE, NAME, text } from "../../columns/column.ts";
import { textOf } from "../../object.ts";
import { validateRuntimeClass, validateRuntimeClassUpdate } from "../../validate/cluster/classes.ts";
import { runtimeClassWarnings } from "../../warnings/nodes.ts";
import { defineKind, onEveryWrite } from "../kind.ts";

export const runtimeClass = defineKind("node.k8s.io/v1", "RuntimeClass", {
  metadata: { update: "both", finalizers: "any" },
  validate: validateRuntimeClass,
  validateUpdate: validateRuntimeClassUpdate,
  warnings: onEveryWrite(runtimeClassWarnings),
  columns: [NAME, text("Handler", (object) => textOf(object, "handler")), AGE],
  unconditionalUpdate: false,
  createOnUpdate: true,
});
