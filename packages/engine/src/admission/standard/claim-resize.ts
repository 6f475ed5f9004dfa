/** Claims grow only if their storage class allows it. Follows plugin/pkg/admission/storage/persistentvolume/resize. */
import type { AdmissionPlugin, AdmissionRequest } from "../../review/cluster-view.ts";
import type { JsonObject } from "../../value/json.ts";
import { metaOf } from "../../value/metadata.ts";
import { compareQuantities, parseQuantity, type Quantity } from "../../value/quantity.ts";
import { objectOf, textOf } from "../../value/read.ts";
import { refusal } from "../refusal.ts";

export const claimResize: AdmissionPlugin = {
  name: "PersistentVolumeClaimResize",
  validate: async (request) => {
    const { endpoint, operation, object, old } = request;
    const isClaim = endpoint.type.group === "" && endpoint.type.plural === "persistentvolumeclaims";
    if (!isClaim || endpoint.subresource !== undefined || operation !== "UPDATE") return;
    if (object === undefined || old === undefined || !grows(object, old)) return;
    if (objectOf(old["status"])["phase"] !== "Bound") throw refusal(request, ONLY_BOUND);
    if (!(await allowsGrowth(request, object, old))) throw refusal(request, NOT_RESIZABLE);
  },
};

const ONLY_BOUND = "Only bound persistent volume claims can be expanded";
const NOT_RESIZABLE =
  "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";

function grows(object: JsonObject, old: JsonObject): boolean {
  const [now, before] = [sizeOf(object), sizeOf(old)];
  return now !== undefined && before !== undefined && compareQuantities(now, before) > 0;
}

function sizeOf(claim: JsonObject): Quantity | undefined {
  const requests = objectOf(objectOf(objectOf(claim["spec"])["resources"])["requests"]);
  return parseQuantity(String(requests["storage"] ?? "0")).value;
}

async function allowsGrowth({ cluster }: AdmissionRequest, object: JsonObject, old: JsonObject): Promise<boolean> {
  const [name, before] = [classOf(object), classOf(old)];
  const kind = cluster.kinds.find("storage.k8s.io", "v1", "storageclasses");
  if (name === "" || name !== before || kind === undefined) return false;
  return (await cluster.get(kind, "", name))?.["allowVolumeExpansion"] === true;
}

/** The annotation counts first. */
function classOf(claim: JsonObject): string {
  const annotation = objectOf(metaOf(claim)["annotations"])["volume.beta.kubernetes.io/storage-class"];
  return textOf(annotation ?? objectOf(claim["spec"])["storageClassName"]);
}
