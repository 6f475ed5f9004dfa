/** What the status of a pod says about claims, devices and users. Follows ValidatePodStatusUpdate of core/validation. */
import { byteLength } from "@portcullis/gostd/utf8";
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { isArray, isInteger, type JsonObject, type JsonValue } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { has, objectOf, objectsOf, textOf } from "../../object.ts";
import { eachOf, labelName, subdomain } from "../checks.ts";
import { unquoted } from "../go-values.ts";
import * as shared from "../messages.ts";
import * as messages from "./messages.ts";

const STATUS = newPath("status");

export function validateClaimStatuses(status: JsonObject, spec: JsonObject): FieldError[] {
  const claims = new Set(objectsOf(spec, "resourceClaims").map((claim) => textOf(claim, "name")));
  const seen = new Set<string>();
  return eachOf(status, "resourceClaimStatuses", STATUS, (claim, at) => {
    const name = textOf(claim, "name");
    const isRepeated = seen.has(name);
    seen.add(name);
    return [
      ...(claims.has(name) ? [] : [invalid(at.child("name"), name, messages.unknownPodClaim())]),
      ...(isRepeated ? [duplicate(at.child("name"), name)] : []),
      ...(has(claim, "resourceClaimName")
        ? subdomain(textOf(claim, "resourceClaimName"), at.child(since("1.36") ? "resourceClaimName" : "name"))
        : []),
    ];
  });
}

export function validateExtendedClaim(status: JsonObject, spec: JsonObject): FieldError[] {
  const claim = objectOf(status, "extendedResourceClaimStatus");
  if (claim === undefined) return [];
  const path = STATUS.child("extendedResourceClaimStatus");
  const name = textOf(claim, "resourceClaimName");
  return [
    ...requestMappings(claim, spec, path),
    ...(name === "" ? [required(path.child("resourceClaimName"))] : subdomain(name, path.child("resourceClaimName"))),
  ];
}

function requestMappings(claim: JsonObject, spec: JsonObject, path: FieldPath): FieldError[] {
  if (objectsOf(claim, "requestMappings").length === 0) {
    return [required(path.child("requestMappings"), messages.requestMappingNeeded())];
  }
  const containers = [...objectsOf(spec, "initContainers"), ...objectsOf(spec, "containers")];
  const byName = new Map(containers.map((container) => [textOf(container, "name"), container]));
  const seen = new Set<string>();
  return eachOf(claim, "requestMappings", path, (mapping, at) => {
    const keys = ["containerName", "resourceName", "requestName"];
    const values = keys.map((key) => textOf(mapping, key));
    const identity = JSON.stringify(values);
    const isRepeated = seen.has(identity);
    seen.add(identity);
    return [
      ...mappedResource(mapping, byName.get(textOf(mapping, "containerName")), at),
      // Upstream leaves out which mapping.
      ...labelName(textOf(mapping, "requestName"), path.child("requestName")),
      ...(isRepeated ? keys.map((key, index) => duplicate(at.child(key), values[index] ?? "")) : []),
    ];
  });
}

function mappedResource(mapping: JsonObject, container: JsonObject | undefined, at: FieldPath): FieldError[] {
  if (container === undefined) {
    return [invalid(at.child("containerName"), textOf(mapping, "containerName"), messages.unknownContainer())];
  }
  const name = textOf(mapping, "resourceName");
  const isRequested = has(objectOf(objectOf(container, "resources"), "requests"), name);
  return isRequested ? [] : [invalid(at.child("resourceName"), name, messages.unknownExtendedResource())];
}

const MAX_ID = 2 ** 31 - 1;
/** What a container runtime may report. */
const MAX_UID = 2 ** 32 - 1;

export function validateContainerUsers(status: JsonObject, key: string, spec: JsonObject): FieldError[] {
  const system = textOf(objectOf(spec, "os"), "name") || "linux";
  return eachOf(status, key, STATUS, (container, at) => {
    const user = objectOf(objectOf(container, "user"), "linux");
    const path = since("1.33") ? at.child("user", "linux") : at.child("linux");
    if (user === undefined) return [];
    if (system === "windows") return [forbidden(path, messages.notForWindows())];
    return system === "linux" ? linuxUser(user, path) : [];
  });
}

function linuxUser(user: JsonObject, path: FieldPath): FieldError[] {
  const groups = user["supplementalGroups"];
  return [
    ...idInRange(user["uid"] ?? 0, path.child("uid"), since("1.37") ? MAX_UID : MAX_ID),
    ...idInRange(user["gid"] ?? 0, path.child("gid")),
    ...(isArray(groups) ? groups : []).flatMap((group, index) =>
      idInRange(group, path.child("supplementalGroups").index(index)),
    ),
  ];
}

function idInRange(id: JsonValue, path: FieldPath, max = MAX_ID): FieldError[] {
  if (!isInteger(id) || (id >= 0 && id <= max)) return [];
  return [invalid(path, id, shared.between(0, max))];
}

const HEALTHS = ["Healthy", "Unhealthy", "Unknown"];
const MAX_MESSAGE_LENGTH = 1024;

/** `containers` is undefined for those that cannot have resources. */
export function validateAllocated(status: JsonObject, key: string, containers?: readonly JsonObject[]): FieldError[] {
  return eachOf(status, key, STATUS, (each, at) => {
    const path = at.child("allocatedResourcesStatus");
    if (objectsOf(each, "allocatedResourcesStatus").length === 0) return [];
    if (containers === undefined) return [forbidden(path, messages.noAllocatedResources())];
    const container = containers.find((candidate) => textOf(candidate, "name") === textOf(each, "name"));
    return eachOf(each, "allocatedResourcesStatus", at, (allocated, place) => [
      ...(container === undefined
        ? []
        : allocatedName(textOf(allocated, "name"), container, status, place.child("name"))),
      ...healths(allocated, place),
    ]);
  });
}

function allocatedName(name: string, container: JsonObject, status: JsonObject, path: FieldPath): FieldError[] {
  const resources = objectOf(container, "resources");
  if (!name.startsWith(CLAIM)) {
    return has(objectOf(resources, "requests"), name) ? [] : [invalid(path, unquoted(name), messages.unknownRequest())];
  }
  const claims = objectsOf(resources, "claims").map((claim) =>
    [textOf(claim, "name"), textOf(claim, "request")].filter((part, index) => index === 0 || part !== "").join("/"),
  );
  const claim = name.slice(CLAIM.length);
  const isKnown = claims.includes(claim) || (since("1.37") && isExtendedClaim(claim, container, status));
  return isKnown ? [] : [invalid(path, unquoted(name), messages.unknownContainerClaim())];
}

const CLAIM = "claim:";

/** Whether the claim was made for an extended resource of the container. */
function isExtendedClaim(claim: string, container: JsonObject, status: JsonObject): boolean {
  const extended = objectOf(status, "extendedResourceClaimStatus");
  const [name, request] = cut(claim);
  if (extended === undefined || request === "" || name !== textOf(extended, "resourceClaimName")) return false;
  const requests = objectOf(objectOf(container, "resources"), "requests");
  return objectsOf(extended, "requestMappings").some((mapping) => {
    const isOfRequest =
      textOf(mapping, "containerName") === textOf(container, "name") && textOf(mapping, "requestName") === request;
    const amount = textOf(requests, textOf(mapping, "resourceName"));
    return isOfRequest && amount !== "" && amount !== "0";
  });
}

function cut(claim: string): [name: string, request: string] {
  const slash = claim.indexOf("/");
  return slash === -1 ? [claim, ""] : [claim.slice(0, slash), claim.slice(slash + 1)];
}

function healths(allocated: JsonObject, place: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return eachOf(allocated, "resources", place, (resource, at) => {
    const [id, health] = [textOf(resource, "resourceID"), textOf(resource, "health")];
    const isRepeated = seen.has(id);
    seen.add(id);
    return [
      ...(HEALTHS.includes(health) ? [] : [notSupported(at.child("health"), health, HEALTHS)]),
      ...(has(resource, "message") ? healthMessage(textOf(resource, "message"), at.child("message")) : []),
      ...(isRepeated ? [duplicate(at.child("resourceID"), id)] : []),
    ];
  });
}

function healthMessage(text: string, path: FieldPath): FieldError[] {
  if (text === "") return [required(path, messages.emptyHealthMessage())];
  return byteLength(text) > MAX_MESSAGE_LENGTH ? [tooLong(path, MAX_MESSAGE_LENGTH)] : [];
}
