/** What a claim has got: its devices, and who uses them. Follows pkg/apis/resource/validation. */
import { formatIp } from "@portcullis/gostd/net";
import { is4, unmap } from "@portcullis/gostd/netip";
import { byteLength } from "@portcullis/gostd/utf8";
import {
  type FieldError,
  forbidden,
  GoJson,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from "../../../field/error.ts";
import { type FieldPath, newPath } from "../../../field/path.ts";
import { semanticEqual } from "../../../value/equal.ts";
import type { JsonObject } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { canonicalJson } from "../../../value/text.ts";
import { internalJson } from "../../internal/internal.ts";
import { has, metaOf, objectOf, objectsOf, textOf } from "../../object.ts";
import { parseCidrSloppy } from "../addresses.ts";
import { eachOf, labelName, requiredText } from "../checks.ts";
import { validateConditions } from "../conditions.ts";
import * as shared from "../messages.ts";
import { validateNodeSelector } from "../pod/affinity.ts";
import { csiDriverName } from "../storage/csi-name.ts";
import { validateBindingConditions } from "./binding.ts";
import {
  rawObject,
  requestNames,
  requestReference,
  requestReferences,
  validateConfiguration,
  validateToleration,
} from "./claims.ts";
import { distinctTexts, sized, unique } from "./lists.ts";
import * as messages from "./messages.ts";
import { declaredPoolName, named, poolName, uuid } from "./names.ts";

const STATUS = newPath("status");
const MAX_USERS = 256;
const MAX_RESULTS = 32;
/** Those of the class and those of the claim. */
const MAX_CONFIGURATIONS = 64;

export function validateResourceClaimStatus(claim: JsonObject, old: JsonObject): FieldError[] {
  const [status, before] = [objectOf(claim, "status") ?? {}, objectOf(old, "status") ?? {}];
  const allocated = new Set(allocatedDevices(status).map(({ text }) => text));
  return [
    ...unique(status, "reservedFor", STATUS, {
      max: MAX_USERS,
      check: validateUser,
      identify: (user) => named(textOf(user, "uid")),
      keyName: "uid",
      place: "resource.k8s.io/v1/ResourceClaim status.reservedFor",
    }),
    ...unique(status, "devices", STATUS, {
      max: Number.POSITIVE_INFINITY,
      check: (device, path) => validateDeviceStatus(device, path, allocated),
      identify: deviceId,
      keyName: "deviceID",
      place: "resource.k8s.io/v1/ResourceClaim status.devices",
    }).map(shownIdentity),
    ...validateReservation(status, before, has(metaOf(claim), "deletionTimestamp")),
    ...validateAllocationChange(status, before, requestNames(objectOf(objectOf(claim, "spec"), "devices") ?? {})),
  ];
}

export function allocatedDevices(status: JsonObject | undefined): GoJson[] {
  return objectsOf(objectOf(objectOf(status, "allocation"), "devices"), "results").map(deviceId);
}

/** Up to 1.34 the parts of an identity have no fields that are shown. */
function shownIdentity(error: FieldError): FieldError {
  const { badValue } = error;
  if (since("1.35") || !(badValue instanceof GoJson) || !badValue.text.startsWith('{"Driver":')) return error;
  return { ...error, badValue: new GoJson('{"Driver":{},"Pool":{},"Device":{},"ShareID":{}}') };
}

/** As upstream shows it. */
export function deviceId(device: JsonObject): GoJson {
  const names = { Driver: "driver", Pool: "pool", Device: "device", ShareID: "shareID" };
  const members = Object.entries(names).map(([go, key]) => `"${go}":${canonicalJson(textOf(device, key))}`);
  return new GoJson(`{${members.join(",")}}`);
}

function validateUser(user: JsonObject, path: FieldPath): FieldError[] {
  return ["resource", "name", "uid"].flatMap((key) => requiredText(user, key, path));
}

const MAX_DEVICE_CONDITIONS = 8;

function validateDeviceStatus(device: JsonObject, path: FieldPath, allocated: ReadonlySet<string>): FieldError[] {
  const id = deviceId(device);
  const { length } = objectsOf(device, "conditions");
  const network = objectOf(device, "networkData");
  return [
    ...csiDriverName(textOf(device, "driver"), path.child("driver")),
    ...poolName(textOf(device, "pool"), path.child("pool")),
    ...labelName(textOf(device, "device"), path.child("device")),
    ...(has(device, "shareID") ? uuid(textOf(device, "shareID"), path.child("shareID")) : []),
    ...(allocated.has(id.text) ? [] : [invalid(path, id, messages.otherDevice())]),
    ...(length > MAX_DEVICE_CONDITIONS ? [tooMany(path.child("conditions"), length, MAX_DEVICE_CONDITIONS)] : []),
    ...validateConditions(device, path),
    ...(has(device, "data") ? rawObject(device["data"], path.child("data")) : []),
    ...(network === undefined ? [] : validateNetwork(network, path.child("networkData"))),
  ];
}

const MAX_INTERFACE_NAME = 256;
const MAX_HARDWARE_ADDRESS = 128;
const MAX_IPS = 16;

function validateNetwork(network: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...atMostBytes(network, "interfaceName", path, MAX_INTERFACE_NAME),
    ...atMostBytes(network, "hardwareAddress", path, MAX_HARDWARE_ADDRESS),
    ...distinctTexts(network, "ips", path, MAX_IPS, interfaceAddress),
  ];
}

function atMostBytes(object: JsonObject, key: string, path: FieldPath, max: number): FieldError[] {
  return byteLength(textOf(object, key)) > max ? [tooLong(path.child(key), max)] : [];
}

/** An address with the size of its network, written the one canonical way. */
function interfaceAddress(text: string, path: FieldPath): FieldError[] {
  const cidr = parseCidrSloppy(text);
  if (cidr === undefined) return [invalid(path, text, messages.badInterfaceAddress())];
  const written = Number(text.slice(text.indexOf("/") + 1));
  const bits = is4(unmap(cidr.ip)) && written > 32 ? written - 96 : written;
  const canonical = `${formatIp(cidr.ip)}/${bits}`;
  return canonical === text ? [] : [invalid(path, text, shared.canonicalIp(canonical))];
}

/** While a claim goes away users may leave and none may come. */
function validateReservation(status: JsonObject, before: JsonObject, isDeleted: boolean): FieldError[] {
  const users = objectsOf(status, "reservedFor");
  const path = STATUS.child("reservedFor");
  if (users.length === 0) return [];
  if (!has(status, "allocation")) return [forbidden(path, messages.notAllocated())];
  const known = new Set(objectsOf(before, "reservedFor").map((user) => canonicalJson(user)));
  const hasNew = users.some((user) => !known.has(canonicalJson(user)));
  return isDeleted && hasNew ? [forbidden(path, messages.noNewUsers())] : [];
}

function validateAllocationChange(status: JsonObject, before: JsonObject, known: ReadonlySet<string>): FieldError[] {
  const [allocation, old] = [objectOf(status, "allocation"), objectOf(before, "allocation")];
  const path = STATUS.child("allocation");
  if (allocation === undefined) return [];
  if (old === undefined) return validateAllocation(allocation, path, known);
  if (semanticEqual(allocation, old)) return [];
  return [invalid(path, internalJson("resource.AllocationResult", allocation), shared.immutable(), "update")];
}

function validateAllocation(allocation: JsonObject, path: FieldPath, known: ReadonlySet<string>): FieldError[] {
  const devices = objectOf(allocation, "devices") ?? {};
  const at = path.child("devices");
  const selector = objectOf(allocation, "nodeSelector");
  return [
    ...sized(devices, "results", at, MAX_RESULTS, (each, place) => validateResult(each, place, known)),
    ...sized(devices, "config", at, MAX_CONFIGURATIONS, (each, place) => [
      ...validateSource(textOf(each, "source"), place.child("source")),
      ...requestReferences(each, place, known),
      ...validateConfiguration(each, place),
    ]),
    ...(selector === undefined ? [] : validateNodeSelector(selector, path.child("nodeSelector"))),
  ];
}

function validateResult(result: JsonObject, path: FieldPath, known: ReadonlySet<string>): FieldError[] {
  return [
    ...requestReference(textOf(result, "request"), path.child("request"), known),
    ...csiDriverName(textOf(result, "driver"), path.child("driver")),
    ...declaredPoolName(textOf(result, "pool"), path.child("pool")),
    ...labelName(textOf(result, "device"), path.child("device")),
    ...validateBindingConditions(result, path),
    ...(since("1.37") ? eachOf(result, "tolerations", path, validateToleration) : []),
    ...(has(result, "shareID") ? uuid(textOf(result, "shareID"), path.child("shareID")) : []),
  ];
}

const SOURCES = ["FromClaim", "FromClass"];

function validateSource(source: string, path: FieldPath): FieldError[] {
  if (source === "") return [required(path)];
  return SOURCES.includes(source) ? [] : [notSupported(path, named(source), SOURCES)];
}
