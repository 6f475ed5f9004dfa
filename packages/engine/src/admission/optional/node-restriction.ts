/**
 * Nodes change themselves and what runs on them, and nothing else. Off unless it is enabled. Follows
 * plugin/pkg/admission/noderestriction.
 */
import { decodeBase64 } from "@portcullis/gostd/base64";
import { quote } from "@portcullis/gostd/quote";
import { parseCertificateRequest } from "../../field/certificate-request.ts";
import type { User } from "../../rbac/user.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../../review/cluster-view.ts";
import { objectOf, textOf } from "../../value/read.ts";
import { refusal } from "../refusal.ts";
import { checkClaimStatus, checkNode, checkPod, checkPodEviction, checkPodStatus } from "./node-objects.ts";
import { checkPodCertificateRequest, checkToken } from "./node-tokens.ts";

/** `isEnabled` reports whether a feature gate is on. */
export function nodeRestriction(isEnabled: (gate: string) => boolean): AdmissionPlugin {
  return {
    name: "NodeRestriction",
    mutate: async (request) => {
      const node = nodeOf(request.user);
      if (node === undefined || request.operation === "CONNECT") return request.object;
      if (node === "") throw refusal(request, `could not determine node from user ${quote(request.user.name)}`);
      await check(request, node, isEnabled);
      return request.object;
    },
  };
}

const USER_PREFIX = "system:node:";
const NODES = "system:nodes";

/** Undefined for other users; "" if the user does not name its node. */
function nodeOf({ name, groups }: User): string | undefined {
  return name.startsWith(USER_PREFIX) && groups.includes(NODES) ? name.slice(USER_PREFIX.length) : undefined;
}

async function check(request: AdmissionRequest, node: string, isEnabled: (gate: string) => boolean): Promise<void> {
  const { type, subresource } = request.endpoint;
  const part = subresource?.name ?? "";
  switch (type.group === "" ? type.plural : `${type.plural}.${type.group}`) {
    case "pods":
      return checkPodPart(request, node, part);
    case "nodes":
      return checkNode(request, node);
    case "persistentvolumeclaims":
      if (part !== "status") throw refusal(request, "may only update PVC status");
      return checkClaimStatus(request, node);
    case "serviceaccounts":
      if (request.operation !== "CREATE" || part !== "token") return;
      return checkToken(request, node, isEnabled("ServiceAccountNodeAudienceRestriction"));
    case "podcertificaterequests.certificates.k8s.io":
      return checkPodCertificateRequest(request, node, isEnabled("PodCertificateRequest"));
    case "leases.coordination.k8s.io":
      return checkLease(request, node);
    case "csinodes.storage.k8s.io":
      return checkOwnName(request, node, "can only access CSINode with the same name as the requesting node");
    case "resourceslices.resource.k8s.io":
      return checkSlice(request, node);
    case "certificatesigningrequests.certificates.k8s.io":
      if (!isEnabled("AllowInsecureKubeletCertificateSigningRequests")) checkSigningRequest(request, node);
      return;
    default:
  }
}

async function checkPodPart(request: AdmissionRequest, node: string, part: string): Promise<void> {
  if (part === "") return checkPod(request, node);
  if (part === "status") return checkPodStatus(request, node);
  if (part === "eviction") return checkPodEviction(request, node);
  const cause = `unexpected pod subresource ${quote(part)}, only 'status' and 'eviction' are allowed`;
  throw refusal(request, cause);
}

const LEASES = "kube-node-lease";

function checkLease(request: AdmissionRequest, node: string): void {
  if (request.namespace !== LEASES) {
    throw refusal(request, `can only access leases in the ${quote(LEASES)} system namespace`);
  }
  checkOwnName(request, node, "can only access node lease with the same name as the requesting node");
}

function checkOwnName(request: AdmissionRequest, node: string, cause: string): void {
  const { operation, object, name } = request;
  const asked = operation === "CREATE" ? textOf(objectOf(object?.["metadata"])["name"]) : name;
  if (asked !== node) throw refusal(request, cause);
}

function checkSlice(request: AdmissionRequest, node: string): void {
  const { operation, object, old } = request;
  if (operation !== "CREATE" && operation !== "DELETE") return;
  const slice = operation === "CREATE" ? object : old;
  if (objectOf(slice?.["spec"])["nodeName"] === node) return;
  const verb = operation === "CREATE" ? "create" : "delete";
  throw refusal(request, `can only ${verb} ResourceSlice with the same NodeName as the requesting node`);
}

const NODE_SIGNERS = ["kubernetes.io/kubelet-serving", "kubernetes.io/kube-apiserver-client-kubelet"];

function checkSigningRequest(request: AdmissionRequest, node: string): void {
  const spec = objectOf(request.object?.["spec"]);
  if (request.operation !== "CREATE" || !NODE_SIGNERS.includes(textOf(spec["signerName"]))) return;
  const parsed = parseCertificateRequest(decodeBase64(textOf(spec["request"])).value ?? new Uint8Array());
  if ("error" in parsed) throw refusal(request, `unable to parse csr: ${parsed.error}`);
  if (parsed.commonName !== USER_PREFIX + node) {
    throw refusal(request, `can only create a node CSR with CN=${USER_PREFIX}${node}`);
  }
}
