/** Who serves a version of a group. Follows kube-aggregator's pkg/apis/apiregistration/validation. */
import { decodeBase64 } from "@portcullis/gostd/base64";
import { type FieldError, GoJson, invalid, notSupported, required } from "../../field/error.ts";
import { checkDns1035Label, checkPathSegment } from "../../field/names.ts";
import { newPath } from "../../field/path.ts";
import type { NameCheck } from "../../schema/object-meta.ts";
import type { JsonObject } from "../../value/json.ts";
import { canonicalJson } from "../../value/text.ts";
import { isSet, numberOf, objectOf, textOf } from "../object.ts";
import { eachOf, portNumber, requiredText, subdomainIfSet } from "./checks.ts";
import * as messages from "./messages.ts";

const SPEC = newPath("spec");
const MAX_GROUP_PRIORITY = 20_000;
const MAX_VERSION_PRIORITY = 1000;

/** An APIService is called after what it serves. */
export function apiServiceName(service: JsonObject): NameCheck {
  const spec = objectOf(service, "spec");
  const wanted = `${textOf(spec, "version")}.${textOf(spec, "group")}`;
  return (name) => {
    const problems = checkPathSegment(name, false);
    if (problems.length > 0) return problems;
    return name === wanted ? [] : [messages.apiServiceName(wanted)];
  };
}

export function validateApiService(service: JsonObject): FieldError[] {
  const spec = objectOf(service, "spec") ?? {};
  const [group, version] = [textOf(spec, "group"), textOf(spec, "version")];
  const isLegacy = group !== "" || version === "v1";
  return [
    ...(isLegacy ? [] : [required(SPEC.child("group"), messages.legacyGroup())]),
    ...subdomainIfSet(spec, "group", SPEC),
    ...checkDns1035Label(version).map((problem) => invalid(SPEC.child("version"), version, problem)),
    ...priority(spec, "groupPriorityMinimum", MAX_GROUP_PRIORITY),
    ...priority(spec, "versionPriority", MAX_VERSION_PRIORITY),
    ...validateBackend(spec, objectOf(spec, "service")),
  ];
}

function priority(spec: JsonObject, key: string, limit: number): FieldError[] {
  const value = numberOf(spec, key);
  return value > 0 && value <= limit ? [] : [invalid(SPEC.child(key), value, messages.priorityRange(limit))];
}

/** A group that the server itself serves needs no trust settings. */
function validateBackend(spec: JsonObject, service: JsonObject | undefined): FieldError[] {
  const bundle = decodeBase64(textOf(spec, "caBundle")).value?.length ?? 0;
  const isInsecure = isSet(spec, "insecureSkipTLSVerify");
  const insecure = (problem: string): FieldError => invalid(SPEC.child("insecureSkipTLSVerify"), true, problem);
  if (service === undefined) {
    return [
      ...(bundle === 0 ? [] : [invalid(SPEC.child("caBundle"), `${bundle} bytes`, messages.localBundle())]),
      ...(isInsecure ? [insecure(messages.localInsecure())] : []),
    ];
  }
  const path = SPEC.child("service");
  return [
    ...requiredText(service, "namespace", path),
    ...requiredText(service, "name", path),
    ...portNumber(numberOf(service, "port"), path.child("port")).map((error) => ({
      ...error,
      detail: messages.badPort(error.detail),
    })),
    ...(isInsecure && bundle > 0 ? [insecure(messages.insecureWithBundle())] : []),
  ];
}

const STATUSES = ["True", "False", "Unknown"];

export function validateApiServiceStatus(service: JsonObject): FieldError[] {
  return eachOf(objectOf(service, "status"), "conditions", newPath("status"), (condition, path) => {
    const status = textOf(condition, "status");
    if (STATUSES.includes(status)) return [];
    return [notSupported(path.child("status"), new GoJson(canonicalJson(status)), STATUSES)];
  });
}
