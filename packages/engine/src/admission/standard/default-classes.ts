/** Objects without a class get the class that is marked as the default one. */
import type { AdmissionPlugin, AdmissionRequest } from "../../review/cluster-view.ts";
import { isObject, type JsonObject } from "../../value/json.ts";
import { metaOf } from "../../value/metadata.ts";
import { objectOf, textOf } from "../../value/read.ts";
import { withMember } from "../../value/rewrite.ts";

/** A claim without a storage class gets the default one. Follows plugin/pkg/admission/storage/storageclass/setdefault. */
export const defaultStorageClass: AdmissionPlugin = {
  name: "DefaultStorageClass",
  mutate: async (request) => {
    const { object } = request;
    const spec = object?.["spec"];
    if (object === undefined || !isNew(request, "", "persistentvolumeclaims") || !isObject(spec)) return object;
    if (spec["storageClassName"] !== undefined || textOf(annotationOf(object, CLASS_ANNOTATION)) !== "") return object;
    const name = await defaultClass(request, STORAGE);
    return name === undefined ? object : withMember(object, "spec", withMember(spec, "storageClassName", name));
  },
};

const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

/** An ingress without a class gets the default one. Follows plugin/pkg/admission/network/defaultingressclass. */
export const defaultIngressClass: AdmissionPlugin = {
  name: "DefaultIngressClass",
  mutate: async (request) => {
    const { object } = request;
    if (object === undefined || !isNew(request, "networking.k8s.io", "ingresses")) return object;
    const spec = objectOf(object["spec"]);
    // The annotation counts even if it is empty.
    if (spec["ingressClassName"] !== undefined || annotationOf(object, INGRESS_ANNOTATION) !== undefined) return object;
    const name = await defaultClass(request, INGRESS);
    return name === undefined ? object : withMember(object, "spec", withMember(spec, "ingressClassName", name));
  },
};

const INGRESS_ANNOTATION = "kubernetes.io/ingress.class";

interface ClassKind {
  readonly group: string;
  readonly plural: string;
  /** Annotations, each of which marks the default class. */
  readonly marks: readonly string[];
}

const STORAGE: ClassKind = {
  group: "storage.k8s.io",
  plural: "storageclasses",
  marks: ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"],
};

const INGRESS: ClassKind = {
  group: "networking.k8s.io",
  plural: "ingressclasses",
  marks: ["ingressclass.kubernetes.io/is-default-class"],
};

function isNew({ endpoint: { type, subresource }, operation }: AdmissionRequest, group: string, plural: string) {
  return type.group === group && type.plural === plural && subresource === undefined && operation === "CREATE";
}

/** Of several the newest, and of those the first by name. */
async function defaultClass({ cluster }: AdmissionRequest, of: ClassKind): Promise<string | undefined> {
  const kind = cluster.kinds.find(of.group, "v1", of.plural);
  const all = kind === undefined ? [] : await cluster.list(kind, "");
  const text = (object: JsonObject, key: string): string => textOf(metaOf(object)[key]);
  const marked = all.filter((each) => of.marks.some((mark) => annotationOf(each, mark) === "true"));
  const newest = marked.map((each) => text(each, "creationTimestamp")).sort();
  const latest = marked.filter((each) => text(each, "creationTimestamp") === newest.at(-1));
  return latest.map((each) => text(each, "name")).sort()[0];
}

function annotationOf(object: JsonObject, name: string): string | undefined {
  const value = objectOf(metaOf(object)["annotations"])[name];
  return typeof value === "string" ? value : undefined;
}
