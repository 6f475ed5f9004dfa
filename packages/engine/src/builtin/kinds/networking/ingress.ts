/** Ingress. */
import type { JsonObject } from "../../../value/json.ts";
import { AGE, NAME, shortenedList, spec, specText, status, text } from "../../columns/column.ts";
import { has, metaOf, objectOf, objectsOf, textOf } from "../../object.ts";
import { validateIngressStatus, validateIngressUpdate, validateNewIngress } from "../../validate/networking/ingress.ts";
import * as messages from "../../warnings/messages.ts";
import { balancerWarnings } from "../../warnings/networking.ts";
import { defineKind, SPEC_GENERATION } from "../kind.ts";

export const ingress = defineKind("networking.k8s.io/v1", "Ingress", {
  metadata: { update: "both" },
  ownsStatus: true,
  generation: SPEC_GENERATION,
  validate: validateNewIngress,
  validateUpdate: validateIngressUpdate,
  validateStatusUpdate: validateIngressStatus,
  warnings: { create: classWarnings, statusUpdate: balancerWarnings },
  columns: [
    NAME,
    specText("Class", "ingressClassName", "<none>"),
    text("Hosts", hostText),
    text("Address", addressText),
    text("Ports", (object) => (objectsOf(spec(object), "tls").length > 0 ? "80, 443" : "80")),
    AGE,
  ],
  storagePrefix: "ingress",
});

const CLASS = "kubernetes.io/ingress.class";

/** The annotation was replaced by a field. */
function classWarnings(object: JsonObject): string[] {
  const hasAnnotation = has(objectOf(metaOf(object), "annotations"), CLASS);
  return hasAnnotation && !has(objectOf(object, "spec"), "ingressClassName") ? [messages.ingressClass()] : [];
}

function hostText(object: JsonObject): string {
  const hosts = objectsOf(spec(object), "rules").map((rule) => textOf(rule, "host"));
  return shortenedList(hosts.filter((host) => host !== "")) || "*";
}

function addressText(object: JsonObject): string {
  const addresses = objectsOf(objectOf(status(object), "loadBalancer"), "ingress");
  return addresses.map((each) => textOf(each, "ip") || textOf(each, "hostname")).join(",");
}
