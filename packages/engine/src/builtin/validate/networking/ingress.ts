/** Ingresses and their classes. Follows pkg/apis/networking/validation. */

import { type FieldError, forbidden, invalid, notSupported, required, tooLong } from "../../../field/error.ts";
import { checkDns1035Label, checkDnsSubdomain, checkWildcardSubdomain } from "../../../field/names.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { isEnabled } from "../../../value/gates.ts";
import type { JsonObject } from "../../../value/json.ts";
import { has, metaOf, numberOf, objectOf, objectsOf, textOf } from "../../object.ts";
import { parseIpSloppy } from "../addresses.ts";
import {
  eachOf,
  eachTextOf,
  immutable,
  labelName,
  portName,
  portNumber,
  requiredSegment,
  subdomain,
} from "../checks.ts";
import { nilOf } from "../go-values.ts";
import { absolutePath } from "../messages.ts";
import * as messages from "./messages.ts";
import { balancerAddress } from "./service-update.ts";

const SPEC = newPath("spec");
const CLASS_ANNOTATION = "kubernetes.io/ingress.class";

export function validateNewIngress(ingress: JsonObject): FieldError[] {
  const annotations = objectOf(metaOf(ingress), "annotations");
  const [annotated, name] = [annotations?.[CLASS_ANNOTATION], objectOf(ingress, "spec")?.["ingressClassName"]];
  const isOther = annotated !== undefined && name !== undefined && annotated !== name;
  return [
    ...validateIngress(ingress),
    ...(isOther ? [invalid(newPath("annotations", CLASS_ANNOTATION), annotated, messages.sameClass())] : []),
  ];
}

/** What was accepted before stays accepted: bad names of secrets, and paths below wildcards. */
export function validateIngressUpdate(ingress: JsonObject, old: JsonObject): FieldError[] {
  const spec = objectOf(old, "spec");
  const keepsSecrets = objectsOf(spec, "tls").some((tls) => secretName(tls, SPEC).length > 0);
  const keepsWildcards = objectsOf(spec, "rules").some(
    (rule) => textOf(rule, "host").includes("*") && validateHttp(rule, SPEC).length > 0,
  );
  return validateIngress(ingress, { keepsSecrets, keepsWildcards });
}

const STRICT = { keepsSecrets: false, keepsWildcards: false };

function validateIngress(ingress: JsonObject, { keepsSecrets, keepsWildcards } = STRICT): FieldError[] {
  const spec = objectOf(ingress, "spec") ?? {};
  const backend = objectOf(spec, "defaultBackend");
  const isEmpty = backend === undefined && objectsOf(spec, "rules").length === 0;
  return [
    ...(isEmpty ? [invalid(SPEC, spec["rules"] ?? nilOf("[]networking.IngressRule"), messages.backendOrRules())] : []),
    ...(backend === undefined ? [] : validateBackend(backend, SPEC.child("defaultBackend"))),
    ...eachOf(spec, "rules", SPEC, (rule, path) => {
      const isKept = keepsWildcards && textOf(rule, "host").includes("*");
      return [...validateHost(textOf(rule, "host"), path.child("host")), ...(isKept ? [] : validateHttp(rule, path))];
    }),
    ...eachOf(spec, "tls", SPEC, (tls, path) => [
      ...eachTextOf(tls, "hosts", path, hostName),
      ...(keepsSecrets ? [] : secretName(tls, path)),
    ]),
    ...(has(spec, "ingressClassName")
      ? subdomain(textOf(spec, "ingressClassName"), SPEC.child("ingressClassName"))
      : []),
  ];
}

function hostName(host: string, path: FieldPath): FieldError[] {
  const problems = host.includes("*") ? checkWildcardSubdomain(host) : checkDnsSubdomain(host);
  return problems.map((problem) => invalid(path, host, problem));
}

function validateHost(host: string, path: FieldPath): FieldError[] {
  if (host === "") return [];
  const isIp = parseIpSloppy(host) !== undefined;
  return [...(isIp ? [invalid(path, host, messages.notAnIp())] : []), ...hostName(host, path)];
}

function secretName(tls: JsonObject, path: FieldPath): FieldError[] {
  const name = textOf(tls, "secretName");
  return name === "" ? [] : subdomain(name, path.child("secretName"));
}

function validateHttp(rule: JsonObject, path: FieldPath): FieldError[] {
  const http = objectOf(rule, "http");
  if (http === undefined) return [];
  const at = path.child("http");
  if (objectsOf(http, "paths").length === 0) return [required(at.child("paths"))];
  return eachOf(http, "paths", at, validatePath);
}

const PATH_TYPES = ["Exact", "ImplementationSpecific", "Prefix"];
const BAD_SEQUENCES = ["//", "/./", "/../", "%2f", "%2F"];
const BAD_SUFFIXES = ["/..", "/."];

function validatePath(item: JsonObject, path: FieldPath): FieldError[] {
  if (!has(item, "pathType")) return [required(path.child("pathType"), messages.pathTypeNeeded())];
  return [
    ...pathText(textOf(item, "path"), textOf(item, "pathType"), path),
    ...validateBackend(objectOf(item, "backend") ?? {}, path.child("backend")),
  ];
}

function pathText(text: string, type: string, path: FieldPath): FieldError[] {
  const at = path.child("path");
  const absolute = text.startsWith("/") ? [] : [invalid(at, text, absolutePath())];
  if (type === "ImplementationSpecific") return text === "" ? [] : absolute;
  if (!PATH_TYPES.includes(type)) return [notSupported(path.child("pathType"), type, PATH_TYPES)];
  return [
    ...absolute,
    ...BAD_SEQUENCES.filter((each) => text.includes(each)).map((each) => invalid(at, text, messages.noSequence(each))),
    ...BAD_SUFFIXES.filter((each) => text.endsWith(each)).map((each) => invalid(at, text, messages.noSuffix(each))),
  ];
}

function validateBackend(backend: JsonObject, path: FieldPath): FieldError[] {
  const [resource, service] = [objectOf(backend, "resource"), objectOf(backend, "service")];
  if (resource !== undefined && service !== undefined) return [invalid(path, "", messages.oneBackend())];
  if (resource !== undefined) return resourceBackend(resource, path.child("resource"));
  if (service === undefined) return [invalid(path, "", messages.backendNeeded())];
  const name = textOf(service, "name");
  const at = path.child("service", "name");
  return [...(name === "" ? [required(at)] : serviceName(name, at)), ...backendPort(service, path)];
}

function serviceName(name: string, path: FieldPath): FieldError[] {
  if (isEnabled("RelaxedServiceNameValidation")) return labelName(name, path);
  return checkDns1035Label(name).map((problem) => invalid(path, name, problem));
}

function resourceBackend(resource: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...(has(resource, "apiGroup") ? subdomain(textOf(resource, "apiGroup"), path.child("apiGroup")) : []),
    ...requiredMember(resource, "kind", path),
    ...requiredMember(resource, "name", path),
  ];
}

function requiredMember(object: JsonObject, key: string, path: FieldPath): FieldError[] {
  return textOf(object, key) === ""
    ? [required(path.child(key), messages.memberNeeded(key))]
    : requiredSegment(object, key, path);
}

function backendPort(service: JsonObject, path: FieldPath): FieldError[] {
  const port = objectOf(service, "port");
  const [name, number] = [textOf(port, "name"), numberOf(port, "number")];
  if (name !== "" && number !== 0) return [invalid(path, "", messages.onePort())];
  if (name !== "") return portName(name, path.child("service", "port", "name"));
  if (number !== 0) return portNumber(number, path.child("service", "port", "number"));
  return [required(path, messages.portNeeded())];
}

export function validateIngressStatus(ingress: JsonObject, old: JsonObject): FieldError[] {
  const path = newPath("status", "loadBalancer", "ingress");
  const known = new Set(balancersOf(old).map((each) => textOf(each, "ip")));
  return balancersOf(ingress).flatMap((each, index) => balancerAddress(each, path.index(index), known));
}

function balancersOf(object: JsonObject): JsonObject[] {
  return objectsOf(objectOf(objectOf(object, "status"), "loadBalancer"), "ingress");
}

const MAX_CONTROLLER = 250;
const SCOPES = ["Cluster", "Namespace"];

export function validateIngressClass(ingressClass: JsonObject): FieldError[] {
  const spec = objectOf(ingressClass, "spec") ?? {};
  const controller = textOf(spec, "controller");
  const parameters = objectOf(spec, "parameters");
  return [
    ...(controller.length > MAX_CONTROLLER ? [tooLong(SPEC.child("controller"), MAX_CONTROLLER)] : []),
    ...domainPrefixedPath(controller, SPEC.child("controller")),
    ...(parameters === undefined ? [] : validateParameters(parameters, SPEC.child("parameters"))),
  ];
}

const URL_PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

/** A domain, a slash and the path of a URL. */
export function domainPrefixedPath(text: string, path: FieldPath): FieldError[] {
  if (text === "") return [required(path)];
  const slash = text.indexOf("/");
  const [host, rest] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash <= 0 || rest === "") return [invalid(path, text, messages.domainPath())];
  return [...subdomain(host, path), ...(URL_PATH.test(rest) ? [] : [invalid(path, rest, messages.badUrlPath())])];
}

function validateParameters(parameters: JsonObject, path: FieldPath): FieldError[] {
  const scope = textOf(parameters, "scope");
  const group = textOf(parameters, "apiGroup");
  const errors = [
    ...(has(parameters, "apiGroup") ? subdomain(group, path.child("apiGroup")) : []),
    ...requiredMember(parameters, "kind", path),
    ...requiredMember(parameters, "name", path),
  ];
  if (!has(parameters, "scope")) return [...errors, required(path.child("scope"))];
  if (!SCOPES.includes(scope)) return [...errors, notSupported(path.child("scope"), scope, SCOPES)];
  return [...errors, ...parameterNamespace(parameters, scope, path.child("namespace"))];
}

function parameterNamespace(parameters: JsonObject, scope: string, path: FieldPath): FieldError[] {
  const isGiven = has(parameters, "namespace");
  if (scope === "Cluster") return isGiven ? [forbidden(path, messages.scopeCluster())] : [];
  return isGiven ? labelName(textOf(parameters, "namespace"), path) : [required(path, messages.scopeNamespace())];
}

export function validateIngressClassUpdate(ingressClass: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [objectOf(ingressClass, "spec"), objectOf(old, "spec")];
  return [
    ...immutable(textOf(spec, "controller"), textOf(before, "controller"), SPEC.child("controller")),
    ...validateIngressClass(ingressClass),
  ];
}
