/** Finds the inputs that other inputs depend on. In its own file because the reading thread needs nothing else. */
import type { ObjectId } from "../report/finding.ts";

const CRD = "CustomResourceDefinition";
/** Kinds that the review of other objects reads. */
const CONTEXT_KINDS: readonly string[] = [CRD, "PriorityClass", "RuntimeClass"];
const POD_SECURITY = "pod-security.kubernetes.io/";

export function isDefinition({ id }: { readonly id: ObjectId }): boolean {
  return id.kind === CRD && id.apiVersion === "apiextensions.k8s.io/v1";
}

/** Whether reviews of other objects read this one. */
export function isContext(document: { readonly id: ObjectId }): boolean {
  const { kind, apiVersion } = document.id;
  if (kind === CRD) return isDefinition(document);
  return CONTEXT_KINDS.includes(kind) || (kind === "Namespace" && apiVersion === "v1");
}

/** Whether a text may contain such an object, in any notation. */
export function mayHaveContext(text: string): boolean {
  return CONTEXT_KINDS.some((kind) => text.includes(kind)) || mayHavePodSecurity(text);
}

/** Whether a text may have a namespace with Pod Security labels: they count for everything with pods in it. */
function mayHavePodSecurity(text: string): boolean {
  return text.includes(POD_SECURITY);
}

/** Whether a text may contain a CRD, in any notation. */
export function mayDefine(text: string): boolean {
  return text.includes(CRD);
}
