/**
 * What a client may write of resource claims: administrative access to devices only in namespaces with a label; what a
 * claim was given with the right to bind claims; the status of devices with a right for each of their drivers.
 *
 * Follows kubernetes pkg/registry/resource/utils.go.
 */
import { type FieldError, forbidden, internalError } from "@portcullis/engine/internal/field/error";
import { checkDnsSubdomain } from "@portcullis/engine/internal/field/names";
import { type FieldPath, newPath } from "@portcullis/engine/internal/field/path";
import type { CheckRights, RightsRequest } from "@portcullis/engine/internal/review/kind";
import { forbiddenTo } from "@portcullis/engine/internal/review/refusal";
import { deepEqual } from "@portcullis/engine/internal/value/equal";
import { isEnabled } from "@portcullis/engine/internal/value/gates";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { metaOf } from "@portcullis/engine/internal/value/metadata";
import { asServer, SERVER_VERSION, since } from "@portcullis/engine/internal/value/server-version";
import * as messages from "./messages.ts";
import { runsOn } from "./node/runs-on.ts";

interface ClaimRules {
  readonly hasAdministrators: boolean;
  readonly label: string;
  readonly isStatusGranular: boolean;
  readonly hasDeviceStatus: boolean;
}

/** Of claims, and of their templates where `at` is the place of the claim's spec. */
export function claimRights(at: readonly string[]): CheckRights {
  return async (request) => {
    const rules = asServer(request.endpoint.type.rules ?? { version: SERVER_VERSION }, claimRules);
    const { subresource } = request.endpoint;
    if (subresource === undefined) return request.old === undefined ? checkSpec(request, rules, at) : [];
    if (subresource.name !== "status") return [];
    const administrator = await checkAdministrator(request, rules, requestedInStatus(request));
    return rules.isStatusGranular ? [...administrator, ...(await checkStatus(request, rules))] : administrator;
  };
}

function claimRules(): ClaimRules {
  return {
    hasAdministrators: since("1.33") && isEnabled("DRAAdminAccess"),
    label: since("1.34") ? "resource.kubernetes.io/admin-access" : "resource.k8s.io/admin-access",
    isStatusGranular: isEnabled("DRAResourceClaimGranularStatusAuthorization"),
    hasDeviceStatus: isEnabled("DRAResourceClaimDeviceStatus"),
  };
}

async function checkSpec(
  request: RightsRequest,
  rules: ClaimRules,
  at: readonly string[],
): Promise<readonly FieldError[]> {
  const devices = member(memberAt(request.object, at), "devices");
  // The fields of a request are its own in v1beta1, and are those of `exactly` since.
  const index = objects(member(devices, "requests")).findIndex((each) => asks(each["exactly"] ?? each));
  const path = newPath("spec", "devices", "requests").index(index).child("adminAccess");
  return checkAdministrator(request, rules, index < 0 ? undefined : path);
}

const asks = (value: JsonValue | undefined): boolean => member(value, "adminAccess") === true;

/** What was granted once stays. */
function requestedInStatus({ object, old }: RightsRequest): FieldPath | undefined {
  if (results(old).some(asks)) return undefined;
  const index = results(object).findIndex(asks);
  return index < 0
    ? undefined
    : newPath("status", "allocation", "devices", "results").index(index).child("adminAccess");
}

async function checkAdministrator(
  { readNamespace, namespace }: RightsRequest,
  { hasAdministrators, label }: ClaimRules,
  path: FieldPath | undefined,
): Promise<readonly FieldError[]> {
  if (!hasAdministrators || path === undefined) return [];
  const found = await readNamespace();
  if (found === undefined) return [internalError(path, messages.administratorsUnknown(namespace))];
  const isAllowed = member(metaOf(found)["labels"], label) === "true";
  return isAllowed ? [] : [forbidden(path, messages.administratorsNeedLabel(label))];
}

async function checkStatus(request: RightsRequest, rules: ClaimRules): Promise<readonly FieldError[]> {
  const bound = await checkBinding(request);
  // Without an allocation no status of a device is left.
  const hasDevices = rules.hasDeviceStatus && isObject(allocationOf(request.object));
  return hasDevices ? [...bound, ...(await checkDevices(request))] : bound;
}

async function checkBinding(request: RightsRequest): Promise<readonly FieldError[]> {
  const { object, old, verb } = request;
  const usersOf = (claim: JsonObject | undefined): JsonValue => member(claim?.["status"], "reservedFor") ?? [];
  const isSame = deepEqual(allocationOf(object) ?? null, allocationOf(old) ?? null);
  if (isSame && deepEqual(usersOf(object), usersOf(old))) return [];
  const refusal = await ask(request, { verb, subresource: "binding", namespace: "", name: "" });
  if (refusal === undefined) return [];
  return [forbidden(newPath("status", "allocation"), messages.bindingNeedsRight(verb, refusal))];
}

async function checkDevices(request: RightsRequest): Promise<readonly FieldError[]> {
  const { object, user, verb, namespace } = request;
  const node = nodeOf(allocationOf(object));
  const isLocal = node !== undefined && checkDnsSubdomain(node).length === 0 && runsOn(user, node);
  const verbs = [...(isLocal ? [`associated-node:${verb}`] : []), `arbitrary-node:${verb}`];
  const errors: FieldError[] = [];
  for (const name of changedDrivers(request)) {
    const refusals = await refusalsOf(request, verbs, { subresource: "driver", namespace, name });
    if (refusals.length < verbs.length) continue;
    errors.push(forbidden(newPath("status", "devices"), messages.devicesNeedRight(verbs, refusals[0] ?? "")));
  }
  return errors;
}

interface Target {
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** One right is enough: no more is asked once it is found. */
async function refusalsOf(request: RightsRequest, verbs: readonly string[], target: Target): Promise<string[]> {
  const refusals: string[] = [];
  for (const verb of verbs) {
    const refusal = await ask(request, { verb, ...target });
    if (refusal === undefined) break;
    refusals.push(refusal);
  }
  return refusals;
}

/** Why not; undefined if it is allowed. */
async function ask(
  { authorizer, endpoint, user }: RightsRequest,
  target: Target & { readonly verb: string },
): Promise<string | undefined> {
  const { group, version, plural: resource } = endpoint.type;
  const attributes = { ...target, user, group, version, resource, isResource: true, path: "" };
  const { verdict, reason } = await authorizer(attributes);
  return verdict === "allow" ? undefined : forbiddenTo(attributes, reason).message;
}

/** Sorted, as upstream asks. */
function changedDrivers({ object, old }: RightsRequest): string[] {
  const before = new Map(devicesOf(old).map((device) => [deviceKey(device), device]));
  const drivers: JsonValue[] = [];
  for (const device of devicesOf(object)) {
    const key = deviceKey(device);
    if (!deepEqual(device, before.get(key) ?? null)) drivers.push(device["driver"] ?? "");
    before.delete(key);
  }
  for (const device of before.values()) drivers.push(device["driver"] ?? "");
  return [...new Set(drivers.map(String))].sort();
}

const deviceKey = ({ driver, pool, device, shareID }: JsonObject): string =>
  JSON.stringify([driver, pool, device, shareID ?? ""]);

/** The only node that an allocation is for. */
function nodeOf(allocation: JsonValue | undefined): string | undefined {
  const [term, ...others] = objects(member(member(allocation, "nodeSelector"), "nodeSelectorTerms"));
  const [field, ...fields] = objects(term?.["matchFields"]);
  if (others.length > 0 || fields.length > 0 || objects(term?.["matchExpressions"]).length > 0) return undefined;
  if (field?.["key"] !== "metadata.name" || field["operator"] !== "In") return undefined;
  const values = field["values"];
  const [value] = isArray(values) && values.length === 1 ? values : [];
  return typeof value === "string" ? value : undefined;
}

const allocationOf = (claim: JsonObject | undefined): JsonValue | undefined => member(claim?.["status"], "allocation");
const devicesOf = (claim: JsonObject | undefined): JsonObject[] => objects(member(claim?.["status"], "devices"));
const results = (claim: JsonObject | undefined): JsonObject[] =>
  objects(member(member(allocationOf(claim), "devices"), "results"));

function memberAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(member, value);
}

function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isObject(value) ? value[key] : undefined;
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}
