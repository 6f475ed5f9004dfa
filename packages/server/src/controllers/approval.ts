/**
 * The status condition of a CRD in a group of the Kubernetes project: whether it was approved.
 *
 * Follows apiextensions pkg/controller/apiapproval.
 */
import { APPROVAL_ANNOTATION, approvalInvalid, approvalMissing } from "@portcullis/engine/internal/crd/messages";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { metaOf, objectOf, textOf } from "@portcullis/engine/internal/value/metadata";
import { quote } from "@portcullis/gostd/quote";
import { parseRequestUri } from "@portcullis/gostd/url";

/** Undefined for groups that need no approval. */
export function approvalCondition(definition: JsonObject, group: string): JsonObject | undefined {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return undefined;
  const annotations = metaOf(definition)["annotations"];
  const { status, reason, message } = approvalOf(isObject(annotations) ? textOf(annotations[APPROVAL_ANNOTATION]) : "");
  return objectOf({ type: "KubernetesAPIApprovalPolicyConformant", status, reason, message });
}

function approvalOf(annotation: string): { status: string; reason: string; message: string } {
  const refused = (reason: string, message: string) => ({ status: "False", reason, message });
  if (annotation === "") return refused("MissingAnnotation", approvalMissing());
  if (annotation.startsWith("unapproved")) return refused("UnapprovedAnnotation", `not approved: ${quote(annotation)}`);
  const { url } = parseRequestUri(annotation);
  if (url !== undefined && url.host !== "" && url.scheme !== "") {
    return { status: "True", reason: "ApprovedAnnotation", message: `approved in ${annotation}` };
  }
  return refused("InvalidAnnotation", approvalInvalid());
}
