/**
 * What field selectors may ask of built-in kinds beyond name and namespace.
 *
 * Follows the field label conversions of pkg/apis and the attribute functions of pkg/registry.
 */
import { isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import * as messages from "./messages.ts";

export interface FieldSelectors {
  readonly has: (field: string) => boolean;
  /** What a field that cannot be asked for is refused with. */
  readonly refuse: (field: string) => string;
  /** The value as selectors compare it; "" where the field is absent. */
  readonly read: (object: JsonObject, field: string) => string;
}

const EVENT_OBJECT = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];

/** Selector names, and where the value stands where that is another place. */
const FIELDS: Readonly<Record<string, readonly (string | readonly [string, string])[]>> = {
  "/Pod": [
    "spec.nodeName",
    ["spec.host", "spec.nodeName"],
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.podIPs",
    "status.nominatedNodeName",
  ],
  "/Node": ["spec.unschedulable"],
  "/Namespace": ["status.phase"],
  "/Secret": ["type"],
  "/Service": ["spec.clusterIP", "spec.type"],
  "/ReplicationController": ["status.replicas"],
  "/Event": [
    ...EVENT_OBJECT.map((name) => `involvedObject.${name}`),
    "reason",
    "type",
    ["reportingComponent", "reportingComponent"],
    ["source", "source.component|reportingComponent"],
  ],
  "events.k8s.io/Event": [
    ...EVENT_OBJECT.map((name): [string, string] => [`regarding.${name}`, `regarding.${name}`]),
    "reason",
    "type",
    ["reportingController", "reportingController"],
  ],
  "batch/Job": [["status.successful", "status.succeeded"]],
  "certificates.k8s.io/CertificateSigningRequest": ["spec.signerName"],
  "resource.k8s.io/ResourceSlice": ["spec.nodeName", "spec.driver"],
};

/** Fields whose zero is a number or a word rather than the empty text. */
const ZEROS: Readonly<Record<string, string>> = {
  "status.replicas": "0",
  "status.successful": "0",
  "spec.hostNetwork": "false",
  "spec.unschedulable": "false",
};

const REFUSALS: Readonly<Record<string, (field: string) => string>> = {
  "batch/Job": messages.jobFieldNotSupported,
  "resource.k8s.io/ResourceSlice": messages.sliceFieldNotSupported,
};

/** Kinds without a list of their own are asked for name and namespace, even those that have none. */
export const DEFAULT_FIELDS: FieldSelectors = {
  has: (field) => field === "metadata.namespace",
  refuse: messages.unknownFieldSelector,
  read: () => "",
};

export function selectorsOf(group: string, kind: string): FieldSelectors {
  const own = FIELDS[`${group}/${kind}`];
  if (own === undefined) return DEFAULT_FIELDS;
  const fields = new Map(own.map((each) => (typeof each === "string" ? [each, each] : each)));
  return {
    has: (field) => fields.has(field),
    refuse: REFUSALS[`${group}/${kind}`] ?? messages.fieldNotSupported,
    read: (object, field) => readFirst(object, fields.get(field) ?? field) ?? ZEROS[field] ?? "",
  };
}

/** The first of several places that is not empty. */
function readFirst(object: JsonObject, paths: string): string | undefined {
  const values = paths.split("|").map((path) => readPath(object, path));
  return values.find((value) => value !== undefined && value !== "") ?? values[0];
}

function readPath(object: JsonObject, path: string): string | undefined {
  let value: JsonValue | undefined = object;
  for (const name of path.split(".")) value = isObject(value) ? value[name] : undefined;
  return value === undefined || value === null || typeof value === "object" ? undefined : String(value);
}
