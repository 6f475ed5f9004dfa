/** How the API server answered a write, and how far the write came. The order of steps is that of kube-apiserver. */
import type { AuditEvent } from "./log/audit-event.ts";
import { isRefusedByMutatingWebhook } from "./recorded-webhooks.ts";

export type Step =
  /** Before anything that replay evaluates: authorization, decoding, patching, conflicts, missing objects. */
  | "before"
  | "mutating-policy"
  | "definition"
  | "pod-security"
  | "policy"
  /** Admission that replay does not evaluate, and that comes after policies: validating webhooks and quotas. */
  | "admission"
  /** After admission: the object exists already, a node is not reachable. */
  | "after";

export type Recorded = { readonly isAccepted: true } | { readonly isAccepted: false; readonly refusedBy: Step };

/** Admission comes first here; then the object is looked for. */
const SEARCHED_AFTER_ADMISSION: ReadonlySet<string> = new Set(["pods/binding", "pods/eviction", "bindings/"]);

const ACCEPTED: Recorded = { isAccepted: true };

export function recordedOf(event: AuditEvent, isConnect: boolean): Recorded {
  if (event.code < 400) return ACCEPTED;
  return { isAccepted: false, refusedBy: refusedBy(event, isConnect) };
}

function refusedBy({ code, reason, message, annotations, verb, ref }: AuditEvent, isConnect: boolean): Step {
  if (code === 401 || annotations["authorization.k8s.io/decision"] === "forbid") return "before";
  if (/ValidatingAdmissionPolicy '[^']*' (with binding '[^']*' )?denied request/.test(message)) return "policy";
  if (/^policy ['"].*denied request/.test(message)) return "mutating-policy";
  if (message.includes('violates PodSecurity "')) return "pod-security";
  if (/^admission webhook ".*denied the request|failed calling webhook/.test(message)) {
    return isRefusedByMutatingWebhook(message, annotations) ? "before" : "admission";
  }
  if (/exceeded quota: /.test(message)) return "admission";
  if (reason === "AlreadyExists" || isConnect) return "after";
  if (/^namespaces "[^"]*" not found$/.test(message)) return "before";
  const isSearchedAfter = verb === "create" && SEARCHED_AFTER_ADMISSION.has(`${ref?.resource}/${ref?.subresource}`);
  if (
    isSearchedAfter &&
    (code === 404 || code === 409) &&
    / "[^"]*"( not found$|: pod .* is already assigned)/.test(message)
  ) {
    return "after";
  }
  return code === 422 ? "definition" : "before";
}
