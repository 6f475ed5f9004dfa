/** Pods and pod templates. Follows ValidatePodSpec of pkg/apis/core/validation; see DIFFERENCES.md for what is left out. */
import { parseIp } from "@portcullis/gostd/net";
import { type FieldError, forbidden, GoJson, invalid, notSupported, required } from "../../field/error.ts";
import { checkDnsSubdomain, checkLabelValue, checkQualifiedName } from "../../field/names.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import { validateAnnotations, validateLabels } from "../../schema/object-meta.ts";
import { deepEqual } from "../../value/equal.ts";
import { isObject, type JsonObject, type JsonValue, sortedKeys } from "../../value/json.ts";
import { parseQuantity, signOf } from "../../value/quantity.ts";
import { canonicalJson } from "../../value/text.ts";
import { has, metaOf, numberOf, objectOf, objectsOf, textOf, textsOf } from "../object.ts";
import { labelName, oneOf, oneOfIfSet, subdomain } from "./checks.ts";
import { validateContainers, validateInitContainers } from "./container.ts";
import * as messages from "./messages.ts";
import { validateAffinity, validateGates, validateSpread } from "./scheduling.ts";
import { validatePodSecurity } from "./security.ts";
import { validateVolumes } from "./volumes.ts";

const SPEC = newPath("spec");

export function validatePod(pod: JsonObject): FieldError[] {
  const spec = objectOf(pod, "spec") ?? {};
  return [
    ...validatePodSpec(spec, SPEC, false),
    ...projectedTokens(spec),
    ...(has(spec, "ephemeralContainers") ? [forbidden(SPEC.child("ephemeralContainers"), messages.notOnCreate())] : []),
  ];
}

/** Upstream's paths leave out `metadata`. */
export function validateTemplate(template: JsonObject, path: FieldPath): FieldError[] {
  const meta = metaOf(template);
  return [
    ...validateLabels(meta["labels"], path.child("labels")),
    ...validateAnnotations(meta["annotations"], path.child("annotations")),
    ...validatePodSpec(objectOf(template, "spec") ?? {}, path.child("spec")),
  ];
}

const DNS_POLICIES = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const MAX_INT32 = 2 ** 31 - 1;

export function validatePodSpec(spec: JsonObject, path: FieldPath, isTemplate = true): FieldError[] {
  const { errors, names } = validateVolumes(objectsOf(spec, "volumes"), path.child("volumes"), { isTemplate });
  const claims = objectsOf(spec, "resourceClaims").map((claim) => textOf(claim, "name"));
  const graceSeconds = numberOf(spec, "terminationGracePeriodSeconds");
  const context = { volumes: names, claims, graceSeconds, isTemplate };
  const containers = objectsOf(spec, "containers");
  const inits = objectsOf(spec, "initContainers");
  const security = objectOf(spec, "securityContext");
  const affinity = objectOf(spec, "affinity");
  return [
    ...errors,
    ...validateClaims(objectsOf(spec, "resourceClaims"), path.child("resourceClaims")),
    ...validateContainers(containers, path.child("containers"), context),
    ...validateInitContainers(inits, containers, path.child("initContainers"), context),
    ...oneOf(spec, "restartPolicy", ["Always", "OnFailure", "Never"], path),
    ...oneOf(spec, "dnsPolicy", DNS_POLICIES, path),
    ...validateLabels(spec["nodeSelector"], path.child("nodeSelector")),
    ...(security === undefined ? [] : validatePodSecurity(security, path.child("securityContext"))),
    ...(affinity === undefined ? [] : validateAffinity(affinity, path.child("affinity"))),
    ...validateDns(spec, path.child("dnsConfig")),
    ...validateGates(spec, path),
    ...validateSpread(objectsOf(spec, "topologySpreadConstraints"), path.child("topologySpreadConstraints")),
    ...subdomainMember(spec, "serviceAccountName", path),
    ...subdomainMember(spec, "nodeName", path),
    ...validateDeadline(spec, path),
    ...hostname(spec, "hostname", path),
    ...hostname(spec, "subdomain", path),
    ...objectsOf(spec, "tolerations").flatMap((each, index) =>
      validateToleration(each, path.child("tolerations").index(index)),
    ),
    ...objectsOf(spec, "hostAliases").flatMap((each, index) =>
      validateHostAlias(each, path.child("hostAliases").index(index)),
    ),
    ...subdomainMember(spec, "priorityClassName", path),
    ...subdomainMember(spec, "runtimeClassName", path),
    ...oneOfIfSet(spec, "preemptionPolicy", ["Never", "PreemptLowerPriority"], path),
    ...validateOverhead(objectOf(spec, "overhead") ?? {}, path.child("overhead", "limits")),
    ...validateOs(objectOf(spec, "os"), path.child("os")),
  ];
}

function validateClaims(claims: readonly JsonObject[], path: FieldPath): FieldError[] {
  return claims.flatMap((claim, index) => {
    const at = path.index(index);
    const [name, template] = [claim["resourceClaimName"], claim["resourceClaimTemplateName"]];
    const shown = new GoJson(
      `{"Name":${canonicalJson(textOf(claim, "name"))},"ResourceClaimName":${canonicalJson(name ?? null)},"ResourceClaimTemplateName":${canonicalJson(template ?? null)}}`,
    );
    if (name !== undefined && template !== undefined) return [invalid(at, shown, messages.oneClaimOnly())];
    return name === undefined && template === undefined ? [invalid(at, shown, messages.claimNeeded())] : [];
  });
}

const MAX_NAMESERVERS = 3;

function validateDns(spec: JsonObject, path: FieldPath): FieldError[] {
  const config = objectOf(spec, "dnsConfig");
  const servers = textsOf(config, "nameservers");
  const isNone = textOf(spec, "dnsPolicy") === "None";
  if (isNone && config === undefined) return [required(path, messages.dnsConfigNeeded())];
  if (isNone && servers.length === 0) return [required(path.child("nameservers"), messages.nameserverNeeded())];
  const errors =
    servers.length > MAX_NAMESERVERS ? [invalid(path.child("nameservers"), servers, messages.manyNameservers())] : [];
  return [
    ...errors,
    ...servers.flatMap((server, index) => ipAddress(server, path.child("nameservers").index(index))),
    ...textsOf(config, "searches").flatMap((search, index) => searchPath(search, path.child("searches").index(index))),
    ...objectsOf(config, "options").flatMap((option, index) =>
      textOf(option, "name") === "" ? [required(path.child("options").index(index), messages.mustNotBeEmpty())] : [],
    ),
  ];
}

function ipAddress(text: string, path: FieldPath): FieldError[] {
  return parseIp(text) === undefined ? [invalid(path, text, messages.badIp(), "ip")] : [];
}

const SEARCH_PATH = /^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;

function searchPath(text: string, path: FieldPath): FieldError[] {
  const name = text.replace(/\.$/, "");
  if (text === "." || (name.length <= 253 && name.split(".").every((part) => SEARCH_PATH.test(part)))) return [];
  return [invalid(path, name, messages.badSearchPath())];
}

function validateHostAlias(alias: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...ipAddress(textOf(alias, "ip"), path.child("ip")),
    ...textsOf(alias, "hostnames").flatMap((name, index) => subdomain(name, path.child("hostnames").index(index))),
  ];
}

function validateOverhead(overhead: JsonObject, path: FieldPath): FieldError[] {
  return sortedKeys(overhead).flatMap((name) => {
    const quantity = parseQuantity(textOf(overhead, name)).value;
    const isNegative = quantity !== undefined && signOf(quantity) < 0;
    return isNegative ? [invalid(path.key(name), textOf(overhead, name), messages.notNegative())] : [];
  });
}

function validateOs(os: JsonObject | undefined, path: FieldPath): FieldError[] {
  const name = textOf(os, "name");
  if (os === undefined || name === "linux" || name === "windows") return [];
  return name === "" ? [required(path.child("name"))] : [notSupported(path, name, ["linux", "windows"])];
}

function subdomainMember(spec: JsonObject, key: string, path: FieldPath): FieldError[] {
  const name = textOf(spec, key);
  return name === "" ? [] : checkDnsSubdomain(name).map((problem) => invalid(path.child(key), name, problem));
}

function hostname(spec: JsonObject, key: string, path: FieldPath): FieldError[] {
  const name = textOf(spec, key);
  return name === "" ? [] : labelName(name, path.child(key));
}

function validateDeadline(spec: JsonObject, path: FieldPath): FieldError[] {
  if (!has(spec, "activeDeadlineSeconds")) return [];
  const value = numberOf(spec, "activeDeadlineSeconds");
  if (value >= 1 && value <= MAX_INT32) return [];
  return [invalid(path.child("activeDeadlineSeconds"), value, messages.between(1, MAX_INT32))];
}

const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

function validateToleration(toleration: JsonObject, path: FieldPath): FieldError[] {
  const [key, operator, value] = [
    textOf(toleration, "key"),
    textOf(toleration, "operator"),
    textOf(toleration, "value"),
  ];
  const effect = textOf(toleration, "effect");
  const errors = key === "" ? [] : checkQualifiedName(key).map((problem) => invalid(path.child("key"), key, problem));
  const at = path.child("operator");
  if (key === "" && operator !== "Exists") errors.push(invalid(at, operator, messages.keylessToleration()));
  if (has(toleration, "tolerationSeconds") && effect !== "NoExecute") {
    errors.push(invalid(path.child("effect"), effect, messages.tolerationEffect()));
  }
  if (operator === "" || operator === "Equal") {
    const problems = checkLabelValue(value);
    if (problems.length > 0) errors.push(invalid(at, value, problems.join(";")));
  } else if (operator === "Exists") {
    if (value !== "") errors.push(invalid(at, value, messages.tolerationValue()));
  } else errors.push(notSupported(at, operator, ["Equal", "Exists"]));
  if (effect !== "" && !EFFECTS.includes(effect)) errors.push(notSupported(path.child("effect"), effect, EFFECTS));
  return errors;
}

/** Only where a pod itself is created; a template may get its account later. */
function projectedTokens(spec: JsonObject): FieldError[] {
  if (textOf(spec, "serviceAccountName") !== "") return [];
  return objectsOf(spec, "volumes").flatMap((volume, index) => {
    const path = SPEC.child("volumes").index(index).child("projected", "sources");
    return objectsOf(objectOf(volume, "projected"), "sources").flatMap((source, at) =>
      has(source, "serviceAccountToken")
        ? [forbidden(path.index(at).child("serviceAccountToken"), messages.noServiceAccount())]
        : [],
    );
  });
}

/** What an update may change: images, the deadline, more tolerations. */
export function validatePodUpdate(pod: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [objectOf(pod, "spec") ?? {}, objectOf(old, "spec") ?? {}];
  const wrong = validatePodSpec(spec, SPEC, false);
  const sameCount = ["containers", "initContainers"].filter((key) => !sameLength(spec, before, key));
  if (sameCount.length > 0)
    return [...wrong, ...sameCount.map((key) => forbidden(SPEC.child(key), messages.fewerContainers()))];
  const isKept = deepEqual(comparable(spec), comparable(before)) && keepsGrace(spec, before);
  return [
    ...wrong,
    ...(keepsTolerations(spec, before) ? [] : [forbidden(SPEC.child("tolerations"), messages.changedToleration())]),
    ...(isKept ? [] : [forbidden(SPEC, messages.podUpdate())]),
  ];
}

function sameLength(spec: JsonObject, before: JsonObject, key: string): boolean {
  return objectsOf(spec, key).length === objectsOf(before, key).length;
}

/** A negative one may become 1. */
function keepsGrace(spec: JsonObject, before: JsonObject): boolean {
  const [grace, old] = [
    numberOf(spec, "terminationGracePeriodSeconds"),
    numberOf(before, "terminationGracePeriodSeconds"),
  ];
  return grace === old || (old < 0 && grace === 1);
}

function keepsTolerations(spec: JsonObject, before: JsonObject): boolean {
  const now = objectsOf(spec, "tolerations").map(withoutSeconds);
  return objectsOf(before, "tolerations").every((old) => now.some((each) => deepEqual(each, withoutSeconds(old))));
}

function withoutSeconds({ tolerationSeconds: _, ...rest }: JsonObject): JsonValue {
  return isObject(rest) ? rest : null;
}

function comparable(spec: JsonObject): JsonValue {
  const { activeDeadlineSeconds: _a, tolerations: _b, terminationGracePeriodSeconds: _c, ...rest } = spec;
  for (const key of ["containers", "initContainers"]) {
    rest[key] = objectsOf(spec, key).map((container) => {
      const { image: _, ...others } = container;
      return others;
    });
  }
  return isObject(rest) ? rest : null;
}
