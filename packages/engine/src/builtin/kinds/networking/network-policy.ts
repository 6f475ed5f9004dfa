/** NetworkPolicy. */
import { AGE, NAME, selectorText, spec, text } from "../../columns/column.ts";
import { type Draft, fill, fillEmpty, inner } from "../../defaults/draft.ts";
import { isEmpty } from "../../object.ts";
import {
  networkPolicyWarnings,
  validateNetworkPolicy,
  validateNetworkPolicyUpdate,
} from "../../validate/networking/network-policy.ts";
import { defineKind, onEveryWrite, SPEC_GENERATION } from "../kind.ts";

export const networkPolicy = defineKind("networking.k8s.io/v1", "NetworkPolicy", {
  validatedTwiceBefore: "1.36",
  defaults: {
    "v1.NetworkPolicy": fillTypes,
    "v1.NetworkPolicyPort": (port) => fill(port, "protocol", "TCP"),
  },
  generation: { ...SPEC_GENERATION, countsEmpty: true },
  validate: (policy) => validateNetworkPolicy(policy),
  validateUpdate: validateNetworkPolicyUpdate,
  warnings: onEveryWrite(networkPolicyWarnings),
  columns: [NAME, text("Pod-Selector", (policy) => selectorText(spec(policy)["podSelector"]) || "<none>"), AGE],
});

function fillTypes(draft: Draft): void {
  const policySpec = inner(draft, "spec");
  fillEmpty(policySpec, "policyTypes", isEmpty(policySpec["egress"]) ? ["Ingress"] : ["Ingress", "Egress"]);
}
