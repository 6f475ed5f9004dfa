/** Specs of pods and of templates. Follows ValidatePodSpec of pkg/apis/core/validation. */
import { byteLength } from "@portcullis/gostd/utf8";
import { duplicate, type FieldError, forbidden, invalid, required, tooLong } from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import { validateLabels } from "../../../schema/object-meta.ts";
import type { JsonObject } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { internalJson } from "../../internal/internal.ts";
import { has, isSet, numberOf, objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { legacyIp } from "../addresses.ts";
import { eachOf, eachTextOf, labelName, oneOf, oneOfIfSet, subdomain, subdomainIfSet } from "../checks.ts";
import { between } from "../messages.ts";
import { validateVolumes } from "../storage/volumes.ts";
import { validateAffinity } from "./affinity.ts";
import { validateContainers, validateEphemeralContainers, validateInitContainers } from "./containers.ts";
import { validateFileVolumes } from "./env.ts";
import * as messages from "./messages.ts";
import { validateOverhead, validatePodResources } from "./resources.ts";
import { validateReadinessGates, validateSchedulingGates, validateSpread, validateTolerations } from "./scheduling.ts";
import { validatePodSecurity } from "./security.ts";
import { type PlacedContainer, validateHostProcess, validateSystem } from "./windows.ts";

const RESTART_POLICIES = ["Always", "OnFailure", "Never"];
const DNS_POLICIES = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
export const PREEMPTION_POLICIES: readonly string[] = ["PreemptLowerPriority", "Never"];

export interface SpecOptions {
  readonly isTemplate: boolean;
  /** Of the pod; "" in a template. */
  readonly podName: string;
}

export function validatePodSpec(spec: JsonObject, path: FieldPath, options: SpecOptions): FieldError[] {
  const volumes = objectsOf(spec, "volumes");
  const { errors, names } = validateVolumes(volumes, path.child("volumes"), options);
  const claims = objectsOf(spec, "resourceClaims").flatMap((claim) => textOf(claim, "name") || []);
  const context = {
    volumes: names,
    claims,
    graceSeconds: numberOf(spec, "terminationGracePeriodSeconds"),
    restartPolicy: textOf(spec, "restartPolicy"),
    hostUsers: spec["hostUsers"] !== false,
  };
  const containers = placedContainers(spec, path);
  return [
    ...errors,
    ...validateClaims(spec, path),
    ...validateContainers(spec, path, context),
    ...validateInitContainers(spec, path, context),
    ...validateEphemeralContainers(spec, path, context),
    ...validatePodResources(spec, claims, path),
    ...hostNetworkPorts(spec, path, options.isTemplate),
    ...oneOf(spec, "restartPolicy", RESTART_POLICIES, path),
    ...oneOf(spec, "dnsPolicy", DNS_POLICIES, path),
    ...validateLabels(spec["nodeSelector"], path.child("nodeSelector")),
    ...validatePlace(spec, containers, path),
    ...validateNames(spec, path),
    ...validateOthers(spec, containers, path),
    ...validateFileVolumes(containers, volumes),
  ];
}

/** In the order in which upstream visits them. */
export function placedContainers(spec: JsonObject, path: FieldPath): PlacedContainer[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((key) =>
    objectsOf(spec, key).map((container, index): PlacedContainer => [container, path.child(key).index(index)]),
  );
}

function validateClaims(spec: JsonObject, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return eachOf(spec, "resourceClaims", path, (claim, at) => {
    const name = textOf(claim, "name");
    const [isNamed, isMade] = [has(claim, "resourceClaimName"), has(claim, "resourceClaimTemplateName")];
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(at.child("name")));
    else if (seen.has(name)) errors.push(duplicate(at.child("name"), name));
    else errors.push(...labelName(name, at.child("name")));
    seen.add(name);
    const shown = internalJson("core.PodResourceClaim", claim);
    if (isNamed && isMade) errors.push(invalid(at, shown, messages.oneClaimOnly()));
    if (!isNamed && !isMade) errors.push(invalid(at, shown, messages.claimNeeded()));
    for (const key of ["resourceClaimName", "resourceClaimTemplateName"])
      if (has(claim, key)) errors.push(...subdomain(textOf(claim, key), at.child(key)));
    return errors;
  });
}

/** Defaults fill in the ports of a pod, not those of a template. */
function hostNetworkPorts(spec: JsonObject, path: FieldPath, isTemplate: boolean): FieldError[] {
  if (!isSet(spec, "hostNetwork")) return [];
  return eachOf(spec, "containers", path, (container, at) =>
    eachOf(container, "ports", at, (port, place) => {
      const [host, own] = [numberOf(port, "hostPort"), numberOf(port, "containerPort")];
      const isOdd = (!isTemplate || host !== 0) && host !== own;
      return isOdd ? [invalid(place.child("hostPort"), host, messages.sameHostPort())] : [];
    }),
  );
}

function validatePlace(spec: JsonObject, containers: readonly PlacedContainer[], path: FieldPath): FieldError[] {
  const [security, affinity] = [objectOf(spec, "securityContext"), objectOf(spec, "affinity")];
  return [
    ...(security === undefined ? [] : validatePodSecurity(spec, security, path.child("securityContext"))),
    ...(affinity === undefined ? [] : validateAffinity(affinity, path.child("affinity"))),
    ...validateDns(spec, path.child("dnsConfig")),
    ...validateReadinessGates(spec, path),
    ...validateSchedulingGates(spec, path),
    ...validateSpread(spec, path),
    ...validateHostProcess(spec, containers, path),
    ...validateHostUsers(spec, containers, path),
    ...validateHostnameOverride(spec, path.child("hostnameOverride")),
  ];
}

const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_CHARACTERS = 2048;

function validateDns(spec: JsonObject, path: FieldPath): FieldError[] {
  const config = objectOf(spec, "dnsConfig");
  const [servers, searches] = [textsOf(config, "nameservers"), textsOf(config, "searches")];
  const isNone = textOf(spec, "dnsPolicy") === "None";
  if (isNone && config === undefined) return [required(path, messages.dnsConfigNeeded())];
  if (isNone && servers.length === 0) return [required(path.child("nameservers"), messages.nameserverNeeded())];
  if (config === undefined) return [];
  const isLong = byteLength(searches.join(" ")) > MAX_SEARCH_CHARACTERS;
  const at = path.child("searches");
  return [
    ...(servers.length > MAX_NAMESERVERS
      ? [invalid(path.child("nameservers"), servers, messages.manyNameservers(MAX_NAMESERVERS))]
      : []),
    ...eachTextOf(config, "nameservers", path, (server, place) => legacyIp(server, place)),
    ...(searches.length > MAX_SEARCHES ? [invalid(at, searches, messages.manySearches(MAX_SEARCHES))] : []),
    ...(isLong ? [invalid(at, searches, messages.longSearches(MAX_SEARCH_CHARACTERS))] : []),
    ...eachTextOf(config, "searches", path, searchPath),
    ...eachOf(config, "options", path, (option, place) =>
      textOf(option, "name") === "" ? [required(place, messages.mustNotBeEmpty())] : [],
    ),
  ];
}

const SEARCH_LABEL = /^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const MAX_SEARCH = 253;

function searchPath(text: string, path: FieldPath): FieldError[] {
  if (text === ".") return [];
  const name = text.replace(/\.$/, "");
  return [
    ...(byteLength(name) > MAX_SEARCH ? [invalid(path, name, messages.longSearchPath())] : []),
    ...(name.split(".").every((part) => SEARCH_LABEL.test(part))
      ? []
      : [invalid(path, name, messages.badSearchPath())]),
  ];
}

/** Users of its own go with neither processes nor memory of the node; the names are Go's. */
function validateHostUsers(spec: JsonObject, containers: readonly PlacedContainer[], path: FieldPath): FieldError[] {
  if (spec["hostUsers"] !== false) return [];
  const members = { hostNetwork: "hostNetwork", hostPID: "HostPID", hostIPC: "HostIPC" };
  return [
    ...Object.entries(members).flatMap(([key, shown]) =>
      isSet(spec, key) ? [forbidden(path.child(shown), messages.withoutHostUsers())] : [],
    ),
    ...containers.flatMap(([container, at]) =>
      since("1.34") && objectsOf(container, "volumeDevices").length > 0
        ? [forbidden(at.child("volumeDevices"), messages.withoutHostUsers())]
        : [],
    ),
  ];
}

const MAX_HOSTNAME = 64;

function validateHostnameOverride(spec: JsonObject, path: FieldPath): FieldError[] {
  if (!has(spec, "hostnameOverride")) return [];
  const name = textOf(spec, "hostnameOverride");
  return [
    ...(isSet(spec, "setHostnameAsFQDN") ? [forbidden(path, messages.notWithFqdn())] : []),
    ...(isSet(spec, "hostNetwork") ? [forbidden(path, messages.notWithHostNetwork())] : []),
    ...(byteLength(name) > MAX_HOSTNAME ? [tooLong(path, MAX_HOSTNAME)] : []),
    ...subdomain(name, path),
  ];
}

const MAX_INT32 = 2 ** 31 - 1;

function validateNames(spec: JsonObject, path: FieldPath): FieldError[] {
  const deadline = numberOf(spec, "activeDeadlineSeconds");
  const isOutOfRange = has(spec, "activeDeadlineSeconds") && (deadline < 1 || deadline > MAX_INT32);
  return [
    ...subdomainIfSet(spec, "serviceAccountName", path),
    ...subdomainIfSet(spec, "nodeName", path),
    ...(isOutOfRange ? [invalid(path.child("activeDeadlineSeconds"), deadline, between(1, MAX_INT32))] : []),
    ...["hostname", "subdomain"].flatMap((key) => {
      const name = textOf(spec, key);
      return name === "" ? [] : labelName(name, path.child(key));
    }),
  ];
}

function validateOthers(spec: JsonObject, containers: readonly PlacedContainer[], path: FieldPath): FieldError[] {
  const overhead = objectOf(spec, "overhead");
  const hasRuntime = has(spec, "runtimeClassName");
  return [
    ...validateTolerations(spec, path),
    ...eachOf(spec, "hostAliases", path, (alias, at) => [
      ...legacyIp(textOf(alias, "ip"), at.child("ip")),
      ...eachTextOf(alias, "hostnames", at, subdomain),
    ]),
    ...subdomainIfSet(spec, "priorityClassName", path),
    ...(hasRuntime ? subdomain(textOf(spec, "runtimeClassName"), path.child("runtimeClassName")) : []),
    ...oneOfIfSet(spec, "preemptionPolicy", PREEMPTION_POLICIES, path),
    ...(overhead === undefined ? [] : validateOverhead(overhead, path.child("overhead"))),
    ...validateSystem(spec, containers, path),
  ];
}
