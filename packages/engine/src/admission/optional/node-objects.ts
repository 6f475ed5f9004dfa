/** What a node may do to pods, claims and itself. Follows plugin/pkg/admission/noderestriction. */
import { quote } from "@portcullis/gostd/quote";
import type { AdmissionRequest } from "../../review/cluster-view.ts";
import { notFound } from "../../status/error.ts";
import { looseEqual } from "../../value/equal.ts";
import { type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { labelsOf, metaOf, metaText, withMeta } from "../../value/metadata.ts";
import { objectOf, objectsOf, textOf } from "../../value/read.ts";
import { withMember, withoutMember } from "../../value/rewrite.ts";
import { refusal } from "../refusal.ts";
import { referredResources } from "./pod-references.ts";

export const MIRROR = "kubernetes.io/config.mirror";

/** Throws a StatusError, in the words of upstream's listers, for an object that is missing. */
export async function getObject(request: AdmissionRequest, plural: string, name: string): Promise<JsonObject> {
  const kind = request.cluster.kinds.find("", "v1", plural);
  const namespace = kind?.namespaced === true ? request.namespace : "";
  const found = kind === undefined || name === "" ? undefined : await request.cluster.get(kind, namespace, name);
  if (found === undefined) throw notFound({ group: "", resource: plural.replace(/s$/, "") }, name);
  return found;
}

export function nodeNameOf(pod: JsonObject | undefined): string {
  return textOf(objectOf(pod?.["spec"])["nodeName"]);
}

export async function checkPod(request: AdmissionRequest, node: string): Promise<void> {
  const { operation, object, name } = request;
  if (operation === "CREATE" && object !== undefined) return checkMirrorPod(request, object, node);
  if (operation !== "DELETE") {
    const cause = `unexpected operation ${quote(operation)}, node ${quote(node)} can only create and delete mirror pods`;
    throw refusal(request, cause);
  }
  if (nodeNameOf(await getObject(request, "pods", name)) !== node) {
    throw refusal(request, `node ${quote(node)} can only delete pods with spec.nodeName set to itself`);
  }
}

async function checkMirrorPod(request: AdmissionRequest, pod: JsonObject, node: string): Promise<void> {
  const refuse = (cause: string): Error => refusal(request, `node ${quote(node)} ${cause}`);
  if (objectOf(metaOf(pod)["annotations"])[MIRROR] === undefined) {
    const cause = `pod does not have ${quote(MIRROR)} annotation, node ${quote(node)} can only create mirror pods`;
    throw refusal(request, cause);
  }
  if (nodeNameOf(pod) !== node) throw refuse("can only create pods with spec.nodeName set to itself");
  const [owner, ...others] = objectsOf(metaOf(pod)["ownerReferences"]);
  if (others.length > 0) throw refuse("can only create pods with a single owner reference set to itself");
  const isItself = owner?.["apiVersion"] === "v1" && owner["kind"] === "Node" && owner["name"] === node;
  if (owner === undefined || !isItself) throw refuse("can only create pods with an owner reference set to itself");
  if (owner["controller"] !== true) {
    throw refuse("can only create pods with a controller owner reference set to itself");
  }
  if (owner["blockOwnerDeletion"] === true) throw refuse("must not set blockOwnerDeletion on an owner reference");
  const [uid, wanted] = [textOf(owner["uid"]), metaText(await getObject(request, "nodes", node), "uid")];
  if (uid !== wanted) throw refusal(request, `node ${node} UID mismatch: expected ${uid} got ${wanted}`);
  const resources = referredResources(objectOf(pod["spec"]));
  if (resources !== undefined) throw refuse(`can not create pods that reference ${resources}`);
}

export async function checkPodStatus(request: AdmissionRequest, node: string): Promise<void> {
  const { operation, object = newObject(), old = newObject() } = request;
  if (operation !== "UPDATE") throw refusal(request, `unexpected operation ${quote(operation)}`);
  const refuse = (cause: string): Error => refusal(request, `node ${quote(node)} ${cause}`);
  if (nodeNameOf(old) !== node) throw refuse("can only update pod status for pods with spec.nodeName set to itself");
  if (!isSame(labelsOf(object), labelsOf(old))) throw refuse("cannot update labels through pod status");
  const [now, before] = [objectOf(object["status"]), objectOf(old["status"])];
  if (!isSame(now["resourceClaimStatuses"], before["resourceClaimStatuses"])) {
    throw refuse("cannot update resource claim statues");
  }
  if (!isSame(now["extendedResourceClaimStatus"], before["extendedResourceClaimStatus"])) {
    throw refuse("cannot update extended resource claim status");
  }
}

export async function checkPodEviction(request: AdmissionRequest, node: string): Promise<void> {
  const { operation, object, name } = request;
  if (operation !== "CREATE") throw refusal(request, `unexpected operation ${operation}`);
  const pod = name === "" && object !== undefined ? metaText(object, "name") : name;
  if (pod === "") throw refusal(request, "could not determine pod from request data");
  if (nodeNameOf(await getObject(request, "pods", pod)) !== node) {
    throw refusal(request, `node ${node} can only evict pods with spec.nodeName set to itself`);
  }
}

const CLAIM_STATUS = ["capacity", "conditions", "allocatedResourceStatuses", "allocatedResources"];

export function checkClaimStatus(request: AdmissionRequest, node: string): void {
  const { operation, object = newObject(), old = newObject() } = request;
  if (operation !== "UPDATE") throw refusal(request, `unexpected operation ${quote(operation)}`);
  if (isSame(withoutChangeable(object), withoutChangeable(old))) return;
  const cause = `node ${quote(node)} is not allowed to update fields other than status.quantity and status.conditions`;
  throw refusal(request, cause);
}

function withoutChangeable(claim: JsonObject): JsonObject {
  const status = CLAIM_STATUS.reduce(withoutMember, objectOf(claim["status"]));
  const meta = { resourceVersion: undefined, managedFields: undefined };
  return withMember(withMeta(claim, meta), "status", status);
}

export function checkNode(request: AdmissionRequest, node: string): void {
  const { operation, object = newObject(), old = newObject() } = request;
  const name = request.name === "" ? metaText(object, "name") : request.name;
  const refuse = (cause: string): Error => refusal(request, `node ${quote(node)} is not allowed to ${cause}`);
  if (name !== node) throw refuse(`modify node ${quote(name)}`);
  if (operation !== "CREATE" && operation !== "UPDATE") return;
  const [now, before] = [objectOf(object["spec"]), objectOf(old["spec"])];
  if (operation === "CREATE" && now["configSource"] !== undefined) {
    throw refuse("create pods with a non-nil configSource");
  }
  const labels = forbiddenLabels(labelsOf(object), labelsOf(old)).join(", ");
  if (operation === "CREATE") {
    if (labels !== "") throw refuse(`set the following labels: ${labels}`);
    return;
  }
  if (now["configSource"] !== undefined && !isSame(now["configSource"], before["configSource"])) {
    throw refuse("update configSource to a new non-nil configSource");
  }
  if (!isSame(now["taints"], before["taints"])) throw refuse("modify taints");
  if (!isSame(metaOf(object)["ownerReferences"], metaOf(old)["ownerReferences"]))
    throw refuse("modify ownerReferences");
  if (labels !== "") throw refusal(request, `is not allowed to modify labels: ${labels}`);
}

const OWN_LABELS = new Set([
  "kubernetes.io/hostname",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/instance-type",
  "kubernetes.io/os",
  "kubernetes.io/arch",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/arch",
]);

/** Changed labels that decide what runs on a node, sorted. */
function forbiddenLabels(now: Readonly<Record<string, string>>, before: Readonly<Record<string, string>>): string[] {
  const changed = [...new Set([...Object.keys(now), ...Object.keys(before)])].filter((key) => now[key] !== before[key]);
  return changed.filter(isForbidden).sort();
}

function isForbidden(label: string): boolean {
  const domain = label.includes("/") ? (label.split("/")[0] ?? "") : "";
  const isIn = (parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`);
  if (isIn("node-restriction.kubernetes.io")) return true;
  if (!isIn("kubernetes.io") && !isIn("k8s.io")) return false;
  return !OWN_LABELS.has(label) && !isIn("kubelet.kubernetes.io") && !isIn("node.kubernetes.io");
}

/** Absent and empty are the same, as in Go. */
function isSame(a: JsonValue | Readonly<Record<string, string>> | undefined, b: typeof a): boolean {
  const known = (value: typeof a): JsonValue => (isEmpty(value) ? null : (value as JsonValue));
  return looseEqual(known(a), known(b));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);
}
