/** IngressClass. */
import type { JsonObject } from "../../../value/json.ts";
import { AGE, NAME, spec, specText, text } from "../../columns/column.ts";
import { type Draft, fill, inner } from "../../defaults/draft.ts";
import { has, objectOf, textOf } from "../../object.ts";
import { validateIngressClass, validateIngressClassUpdate } from "../../validate/networking/ingress.ts";
import { defineKind, SPEC_GENERATION } from "../kind.ts";

export const ingressClass = defineKind("networking.k8s.io/v1", "IngressClass", {
  defaults: { "v1.IngressClass": fillScope },
  metadata: { update: "both" },
  generation: SPEC_GENERATION,
  validate: validateIngressClass,
  validateUpdate: validateIngressClassUpdate,
  columns: [
    NAME,
    specText("Controller", "controller"),
    text("Parameters", (object) => parametersText(objectOf(spec(object), "parameters"))),
    AGE,
  ],
});

function fillScope(draft: Draft): void {
  const parameters = objectOf(inner(draft, "spec"), "parameters");
  if (parameters !== undefined) fill(parameters, "scope", "Cluster");
}

function parametersText(parameters: JsonObject | undefined): string {
  if (parameters === undefined) return "<none>";
  const group = has(parameters, "apiGroup") ? `.${textOf(parameters, "apiGroup")}` : "";
  return `${textOf(parameters, "kind")}${group}/${textOf(parameters, "name")}`;
}
