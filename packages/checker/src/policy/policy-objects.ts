/** Finds policies and bindings among objects and validates them as the API server does. */
import type { MemoryCluster } from "@portcullis/engine/internal/cluster/memory-cluster";
import { isDraftPolicy } from "@portcullis/engine/internal/policy/draft/convert";
import { policyVersionOf } from "@portcullis/engine/internal/policy/objects/decode";
import { review } from "@portcullis/engine/internal/review/review";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText, textOf } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import * as messages from "./messages.ts";
import { makeUser } from "./user.ts";
import { writeOf } from "./write.ts";

const POLICY_KINDS: ReadonlySet<string> = new Set([
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
]);

export function isPolicyObject(object: JsonObject): boolean {
  return policyVersionOf(object) !== undefined && POLICY_KINDS.has(textOf(object["kind"]));
}

/** The API server's refusals of the policies and bindings among the objects. */
export async function refusedPolicies(objects: readonly JsonObject[], cluster: MemoryCluster): Promise<string[]> {
  const refusals: string[] = [];
  for (const object of objects) {
    if (isDraftPolicy(object)) refusals.push(messages.draftPolicy(metaText(object, "name")));
    else if (isPolicyObject(object)) refusals.push(...(await refusalOf(object, cluster)));
  }
  return refusals;
}

const CURRENT = "admissionregistration.k8s.io/v1";

/** Older API versions have the same fields and are validated as the current one. */
async function refusalOf(object: JsonObject, cluster: MemoryCluster): Promise<string[]> {
  const kind = cluster.kinds.findKind(CURRENT, textOf(object["kind"]));
  if (kind === undefined) return [];
  const current = withMember(object, "apiVersion", CURRENT);
  const user = makeUser("user", []);
  const { refusal } = await review(
    writeOf({ kind, object: current, live: undefined, fieldValidation: "Ignore", user }),
    cluster,
  );
  return refusal === undefined ? [] : [refusal.message];
}
