/** References to fields of the pod and to resources of its containers, in variables and in files. */
import { type FieldError, invalid, notSupported, required } from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { formatQuantity, isZero } from "../../../value/quantity.ts";
import { textOf } from "../../object.ts";
import { qualifiedName } from "../checks.ts";
import { quantityOf } from "../quantities.ts";
import * as messages from "./messages.ts";

const KNOWN = new Set([
  ...["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"],
  ...["spec.nodeName", "spec.restartPolicy", "spec.serviceAccountName", "spec.schedulerName", "spec.host"],
  ...["status.phase", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"],
]);

/** `supported` are the paths that this place can have, sorted. */
export function objectField(reference: JsonObject, supported: readonly string[], path: FieldPath): FieldError[] {
  const [version, fieldPath] = [textOf(reference, "apiVersion"), textOf(reference, "fieldPath")];
  const at = path.child("fieldPath");
  if (version === "") return [required(path.child("apiVersion"))];
  if (fieldPath === "") return [required(at)];
  if (version !== "v1") return [invalid(at, fieldPath, messages.badVersion(version))];
  const [name, subscript] = subscripted(fieldPath);
  if (subscript === undefined) return plainField(fieldPath, supported, at);
  if (name === "metadata.annotations") return qualifiedName(subscript.toLowerCase(), path);
  if (name === "metadata.labels") return qualifiedName(subscript, path);
  return [invalid(at, fieldPath, messages.noSubscript(fieldPath))];
}

function plainField(fieldPath: string, supported: readonly string[], path: FieldPath): FieldError[] {
  if (!KNOWN.has(fieldPath)) return [invalid(path, fieldPath, messages.unknownFieldPath(fieldPath))];
  const name = fieldPath === "spec.host" ? "spec.nodeName" : fieldPath;
  return supported.includes(name) ? [] : [notSupported(path, name, supported)];
}

/** `metadata.labels['a']` is a path and a subscript. */
function subscripted(fieldPath: string): [path: string, subscript: string | undefined] {
  const start = fieldPath.indexOf("['");
  if (!fieldPath.endsWith("']") || start <= 0) return [fieldPath, undefined];
  return [fieldPath.slice(0, start), fieldPath.slice(start + 2, -2)];
}

const RESOURCES = [
  ...["limits.cpu", "limits.ephemeral-storage", "limits.memory"],
  ...["requests.cpu", "requests.ephemeral-storage", "requests.memory"],
];

export function resourceField(reference: JsonObject, path: FieldPath, { isVolume = false }): FieldError[] {
  const resource = textOf(reference, "resource");
  const isKnown = RESOURCES.includes(resource) || /^(limits|requests)\.hugepages-/.test(resource);
  const errors: FieldError[] = [];
  if (isVolume && textOf(reference, "containerName") === "") errors.push(required(path.child("containerName")));
  else if (resource === "") errors.push(required(path.child("resource")));
  else if (!isKnown) errors.push(notSupported(path.child("resource"), resource, RESOURCES));
  return [...errors, ...divisor(reference, resource, path.child("divisor"))];
}

const SIZES = /^1([kMGTPE]i?|Ki)?$/;

/** What is shown as wrong is the resource. */
function divisor(reference: JsonObject, resource: string, path: FieldPath): FieldError[] {
  const quantity = quantityOf(reference, "divisor");
  if (quantity === undefined || isZero(quantity)) return [];
  const text = formatQuantity(quantity);
  const [, kind = ""] = /^(?:limits|requests)\.(cpu|memory|ephemeral-storage|hugepages)/.exec(resource) ?? [];
  if (kind === "cpu") return text === "1m" || text === "1" ? [] : [invalid(path, resource, messages.cpuDivisor())];
  if (kind === "" || (SIZES.test(text) && text !== "1ki")) return [];
  return [
    invalid(path, resource, messages.sizeDivisor(kind === "ephemeral-storage" ? "local ephemeral storage" : kind)),
  ];
}
