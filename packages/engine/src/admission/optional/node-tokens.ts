/** Tokens and certificates that nodes request for their pods. Follows plugin/pkg/admission/noderestriction. */
import { quote } from "@portcullis/gostd/quote";
import { aggregate } from "../../field/format.ts";
import type { AdmissionRequest } from "../../review/cluster-view.ts";
import { bareError, StatusError } from "../../status/error.ts";
import type { JsonObject } from "../../value/json.ts";
import { metaOf, metaText } from "../../value/metadata.ts";
import { objectOf, objectsOf, textOf, textsOf } from "../../value/read.ts";
import { refusal } from "../refusal.ts";
import { getObject, MIRROR, nodeNameOf } from "./node-objects.ts";

/** A node gets tokens for pods that run on it, and only for the audiences that they use. */
export async function checkToken(request: AdmissionRequest, node: string, checksAudience: boolean): Promise<void> {
  const spec = objectOf(request.object?.["spec"]);
  const ref = objectOf(spec["boundObjectRef"]);
  const [name, uid] = [textOf(ref["name"]), textOf(ref["uid"])];
  if (ref["apiVersion"] !== "v1" || ref["kind"] !== "Pod" || name === "") {
    throw refusal(request, "node requested token not bound to a pod");
  }
  if (uid === "") throw refusal(request, "node requested token with a pod binding without a uid");
  const pod = await getObject(request, "pods", name);
  if (metaText(pod, "uid") !== uid) throw refusal(request, otherUid(uid));
  if (nodeNameOf(pod) !== node) {
    throw refusal(request, "node requested token bound to a pod scheduled on a different node");
  }
  if (checksAudience) await checkAudience(request, pod, textsOf(spec["audiences"]));
}

function otherUid(uid: string): string {
  return `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
}

async function checkAudience(request: AdmissionRequest, pod: JsonObject, audiences: readonly string[]): Promise<void> {
  if (audiences.length > 1) throw refusal(request, "node may only request 0 or 1 audiences");
  const [audience = ""] = audiences;
  if (await usesAudience(request, pod, audience)) return;
  const { user, namespace, name, cluster } = request;
  const verb = "request-serviceaccounts-token-audience";
  const about = { user, verb, namespace, name, resource: audience, group: "", version: "v1", subresource: "" };
  if ((await cluster.authorizer({ ...about, isResource: true, path: "" })).verdict === "allow") return;
  const reason = `${user.name} is not authorized to request tokens for this audience`;
  throw refusal(request, `audience ${quote(audience)} not found in pod spec volume, ${reason}`);
}

async function usesAudience(request: AdmissionRequest, pod: JsonObject, audience: string): Promise<boolean> {
  const problems: string[] = [];
  for (const volume of objectsOf(objectOf(pod["spec"])["volumes"])) {
    const tokens = objectsOf(objectOf(volume["projected"])["sources"]).map((source) => source["serviceAccountToken"]);
    const isProjected = tokens.some((each) => each !== undefined && textOf(objectOf(each)["audience"]) === audience);
    if (isProjected) return true;
    try {
      const driver = await driverOf(request, pod, volume);
      if (driver !== "" && (await driverUses(request, driver, audience))) return true;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length === 0) return false;
  throw refusal(request, `error validating audience ${quote(audience)}: ${aggregate(problems)}`);
}

/** Volumes of drivers that were once part of Kubernetes, and the drivers that replaced them. */
const MIGRATED: Readonly<Record<string, string>> = {
  awsElasticBlockStore: "ebs.csi.aws.com",
  azureDisk: "disk.csi.azure.com",
  azureFile: "file.csi.azure.com",
  cinder: "cinder.csi.openstack.org",
  gcePersistentDisk: "pd.csi.storage.gke.io",
  portworxVolume: "pxd.portworx.com",
  vsphereVolume: "csi.vsphere.vmware.com",
};

/** "" for a volume without a driver. */
async function driverOf(request: AdmissionRequest, pod: JsonObject, volume: JsonObject): Promise<string> {
  const ephemeral = objectOf(volume["ephemeral"])["volumeClaimTemplate"];
  if (ephemeral !== undefined) return claimDriver(request, `${metaText(pod, "name")}-${textOf(volume["name"])}`);
  const claim = volume["persistentVolumeClaim"];
  return claim === undefined ? ownDriver(volume) : claimDriver(request, textOf(objectOf(claim)["claimName"]));
}

async function claimDriver(request: AdmissionRequest, name: string): Promise<string> {
  const claim = await getObject(request, "persistentvolumeclaims", name);
  const volume = textOf(objectOf(claim["spec"])["volumeName"]);
  return ownDriver(objectOf((await getObject(request, "persistentvolumes", volume))["spec"]));
}

function ownDriver(source: JsonObject): string {
  if (source["csi"] !== undefined) return textOf(objectOf(source["csi"])["driver"]);
  return Object.entries(MIGRATED).find(([member]) => source[member] !== undefined)?.[1] ?? "";
}

async function driverUses({ cluster }: AdmissionRequest, name: string, audience: string): Promise<boolean> {
  const kind = cluster.kinds.find("storage.k8s.io", "v1", "csidrivers");
  const driver = kind === undefined ? undefined : await cluster.get(kind, "", name);
  if (driver === undefined) throw bareError(`csidriver.storage.k8s.io ${quote(name)} not found`);
  return objectsOf(objectOf(driver["spec"])["tokenRequests"]).some((each) => textOf(each["audience"]) === audience);
}

/** A node requests certificates for pods that run on it. */
export async function checkPodCertificateRequest(
  request: AdmissionRequest,
  node: string,
  isEnabled: boolean,
): Promise<void> {
  const { operation, endpoint, namespace } = request;
  if (!isEnabled) throw refusal(request, "PodCertificateRequest feature gate is disabled");
  if (operation !== "CREATE") throw refusal(request, `unexpected operation ${operation}`);
  if (endpoint.subresource !== undefined) {
    throw refusal(request, `unexpected subresource ${endpoint.subresource.name}`);
  }
  const spec = objectOf(request.object?.["spec"]);
  const of = (member: string): string => textOf(spec[member]);
  const label = `PodCertificateRequest for pod ${quote(`${namespace}/${of("podName")}`)}`;
  if (of("nodeName") !== node) {
    const cause = `PodCertificateRequest.Spec.NodeName=${quote(of("nodeName"))}, which is not the requesting node ${quote(node)}`;
    throw refusal(request, cause);
  }
  const nodeUid = metaText(await named(request, "nodes", "node", node), "uid");
  if (nodeUid !== of("nodeUID")) {
    throw bareError(
      `${label} names node UID ${quote(of("nodeUID"))}, inconsistent with the running node (${quote(nodeUid)})`,
    );
  }
  const pod = await named(request, "pods", "pod", of("podName"));
  const podUid = metaText(pod, "uid");
  if (podUid !== of("podUID")) {
    throw bareError(
      `${label} contains pod UID (${quote(of("podUID"))}) which differs from running pod ${quote(podUid)}`,
    );
  }
  checkRunningPod(request, pod, node);
  const account = await named(request, "serviceaccounts", "service account", of("serviceAccountName"));
  const uid = metaText(account, "uid");
  if (uid !== of("serviceAccountUID")) {
    const cause = `names service account UID ${quote(of("serviceAccountUID"))}, which differs from the running service account (${quote(uid)})`;
    throw bareError(`${label} ${cause}`);
  }
}

function checkRunningPod(request: AdmissionRequest, pod: JsonObject, node: string): void {
  const shown = quote(`${request.namespace}/${metaText(pod, "name")}`);
  if (nodeNameOf(pod) !== node) {
    const cause = `pod ${shown} is not running on node ${quote(node)} named in the PodCertificateRequest`;
    throw refusal(request, cause);
  }
  if (objectOf(metaOf(pod)["annotations"])[MIRROR] !== undefined)
    throw refusal(request, `pod ${shown} is a mirror pod`);
  const asked = textOf(objectOf(request.object?.["spec"])["serviceAccountName"]);
  const wanted = textOf(objectOf(pod["spec"])["serviceAccountName"]);
  if (asked === wanted) return;
  const cause = `contains serviceAccountName (${quote(asked)}) that differs from running pod (${quote(wanted)})`;
  throw refusal(request, `PodCertificateRequest for pod ${shown} ${cause}`);
}

/** An object that a request for a certificate names. */
async function named(request: AdmissionRequest, plural: string, label: string, name: string): Promise<JsonObject> {
  try {
    return await getObject(request, plural, name);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const shown = quote(plural === "nodes" ? name : `${request.namespace}/${name}`);
    throw bareError(`while retrieving ${label} ${shown} named in the PodCertificateRequest: ${error.message}`);
  }
}
