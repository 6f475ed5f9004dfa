/**
 * What field selectors may ask of built-in kinds beyond name and namespace.
 *
 * Follows the field label conversions of pkg/apis and the attribute functions of pkg/registry.
 */
import { isObject, type JsonObject, type JsonValue } from "../value/json.ts";

export interface FieldSelectors {
  readonly has: (field: string) => boolean;
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

export function selectorsOf(group: string, kind: string): FieldSelectors {
  const fields = new Map(
    (FIELDS[`${group}/${kind}`] ?? []).map((each) => (typeof each === "string" ? [each, each] : each)),
  );
  return {
    has: (field) => fields.has(field),
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
