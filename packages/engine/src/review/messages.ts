/** Refusals and warnings of the review, with upstream's texts. */

import { quote } from "@portcullis/gostd/quote";
import { since } from "../value/server-version.ts";
import type { Attributes } from "./authorizer.ts";

export const resourceVersionOnCreate = (): string => "resourceVersion should not be set on objects to be created";
export const beingDeleted = (message: string): string => `object is being deleted: ${message}`;
export const noSystemMetadata = (): string => "system metadata was not initialized";
export const namespaceMismatch = (): string =>
  "the namespace of the provided object does not match the namespace sent on the request";
export const nameUndeterminable = (name: string): string =>
  `the name of the object (${name} based on URL) was undeterminable: name must be provided`;
export const nameMismatch = (own: string, name: string): string =>
  `the name of the object (${own}) does not match the name on the URL (${name})`;
export const resourceVersionNeeded = (): string => "must be specified for an update";
export const objectModified = (): string =>
  "the object has been modified; please apply your changes to the latest version and try again";
export const uidWithoutObject = (uid: string): string =>
  `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;

export function duplicateOwners(uids: readonly string[], isAfterAdmission: boolean): string {
  const when = isAfterAdmission ? " after mutating admission happens" : "";
  return `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids.join(", ")}`;
}

export const uidPrecondition = (wanted: string, found: string): string =>
  `the UID in the precondition (${wanted}) does not match the UID in record (${found}). The object might have been deleted and then recreated`;
export const versionPrecondition = (wanted: string, found: string): string =>
  `the ResourceVersion in the precondition (${wanted}) does not match the ResourceVersion in record (${found}). The object might have been modified`;
export const crdPrecondition = (member: "UID" | "ResourceVersion", wanted: string, found: string): string =>
  `precondition failed: ${member} in precondition: ${wanted}, ${member} in object meta: ${found}`;
/** A storage error that upstream lets through, key and all. */
export const storageUidPrecondition = (key: string, wanted: string, found: string): string =>
  `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`;

export const nameParameterInvalid = (name: string, problems: readonly string[]): string =>
  `Name parameter invalid: ${quote(name)}: ${problems.join(";")}`;
export const namespaceNotDeletable = (): string => "this namespace may not be deleted";
export const namespaceTerminating = (name: string): string =>
  `unable to create new content in namespace ${name} because it is being terminated`;
export const fieldNotSupported = (field: string): string => `field label not supported: ${field}`;
export const terminatingDefinition = (): string => "create not allowed while custom resource definition is terminating";
export const noReplicas = (path: string): string => `the spec replicas field ${quote(path)} does not exist`;
export const emptyReplicas = (path: string): string => `the spec replicas field ${quote(path)} cannot be empty`;
/** Upstream's handler of scales registers no kinds, and says so whatever is wrong with the body. */
export const noScaleKind = (): string =>
  `no kind is registered for the type v1.Scale in scheme "k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go:${scaleLine()}"`;

/** Where the handler makes the scheme. */
function scaleLine(): number {
  if (since("1.35")) return 781;
  if (since("1.34")) return 730;
  return since("1.32") ? 725 : 719;
}

/** Where upstream registers its built-in kinds. */
export const BUILTIN_SCHEME = "pkg/api/legacyscheme/scheme.go:30";
/** Where upstream registers the kinds of scales that custom resources may have. */
export const SCALE_SCHEME = "k8s.io/client-go/scale/util.go:146";
export function unknownKind(kind: string, apiVersion: string, scheme: string | undefined): string {
  const message = `no kind ${quote(kind)} is registered for version ${quote(apiVersion)}`;
  return scheme === undefined ? message : `${message} in scheme ${quote(scheme)}`;
}
export const isBeingTerminated = (namespace: string): string => `namespace ${namespace} is being terminated`;

/** As Go prints a group, version and kind: the core group is the empty text before the slash. */
export const notUnstructured = (apiVersion: string, kind: string, error: string): string =>
  `unable to convert unstructured object to ${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}: ${error}`;
export const invalidOwnersAfterAdmission = (problem: string): string =>
  `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${problem}`;

export const noPriorityClass = (name: string): string => `no PriorityClass with name ${name} was found`;
export const defaultClassExists = (name: string): string =>
  `PriorityClass ${name} is already marked as default. Only one default can exist`;
export const priorityGiven = (given: string, computed: string): string =>
  `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`;
export const preemptionGiven = (given: string, computed: string): string =>
  `the string value of PreemptionPolicy (${given}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`;

export const noRuntimeClass = (name: string): string => `pod rejected: RuntimeClass ${quote(name)} not found`;
export const otherOverhead = (): string => "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
export const overheadWithoutClass = (): string =>
  "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";
export const nodeSelectorConflict = (key: string, wanted: string, own: string): string =>
  `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${wanted}; pod.spec.nodeSelector[${key}] = ${own}`;

export const storageTooLarge = (): string => "etcdserver: request is too large";
export const invalidKey = (key: string): string => `invalid key: ${quote(key)}`;

export const invalidSource = (apiVersion: string): string =>
  `request to convert CR from an invalid group/version: ${apiVersion}`;
export const cannotHandle = (claimed: string, version: string, kind: string, problem: string): string =>
  `${claimed} in version ${quote(version)} cannot be handled as a ${kind}: ${problem}`;
export const unrecognized = (kind: string, problem: string, summary: string): string =>
  `the object provided is unrecognized (must be of type ${kind}): ${problem} (${summary})`;
export const noVersionField = (): string => "Object 'apiVersion' is missing in 'object has no apiVersion field'";
export const versionMismatch = (found: string, expected: string): string =>
  `the API version in the data (${found}) does not match the expected API version (${expected})`;
export const patchRefused = (): string => "the server rejected our request due to an error in our request";
export const nameMissing = (): string => "name must be provided";
export function namespaceRequired(): string {
  return "Namespace parameter required.";
}
export const addressFailed = (address: string, problem: string): string =>
  `failed to allocate IP ${address}: ${problem}`;
export const addressTaken = (): string => "provided IP is already allocated";
export const addressOutOfRange = (): string => "the provided network does not match the current range";
export const addressNotInRange = (address: string, range: string): string =>
  `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${range}`;
export const allocatorNotReady = (): string => "allocator not ready";
export const portTaken = (): string => "provided port is already allocated";
export const portOutOfRange = (range: string): string =>
  `provided port is not in the valid range. The range of valid ports is ${range}`;
export const healthPortFailed = (port: string, problem: string): string =>
  `failed to allocate requested HealthCheck NodePort ${port}: ${problem}`;

export function cannot(attributes: Attributes): string {
  const { user, verb, isResource, path, group, namespace } = attributes;
  const who = `User ${quote(user.name)} cannot ${verb}`;
  if (!isResource) return `${who} path ${quote(path)}`;
  const resource = [attributes.resource, attributes.subresource].filter((part) => part !== "").join("/");
  const what = `${who} resource ${quote(resource)} in API group ${quote(group)}`;
  return namespace === "" ? `${what} at the cluster scope` : `${what} in the namespace ${quote(namespace)}`;
}
