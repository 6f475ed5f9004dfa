/** Drivers, their nodes and attachments of volumes. Follows pkg/apis/storage/validation. */

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
import { semanticEqual } from "../../../value/equal.ts";
import { isEnabled } from "../../../value/gates.ts";
import { isObject, type JsonObject, type JsonValue } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { internalJson } from "../../internal/internal.ts";
import { has, numberOf, objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { repeatedPlaces } from "../../repeats.ts";
import { eachOf, immutable, notNegative, qualifiedName, subdomain } from "../checks.ts";
import { between, immutable as immutableText } from "../messages.ts";
import { csiDriverName, declaredDriverName } from "./csi-name.ts";
import * as messages from "./messages.ts";
import { validateInlineVolume } from "./persistent-volume.ts";

const SPEC = newPath("spec");
const GROUP_POLICIES = ["File", "None", "ReadWriteOnceWithFSType"];
const LIFECYCLES = ["Persistent", "Ephemeral"];
const MIN_PERIOD = 10;

export function validateDriver(driver: JsonObject): FieldError[] {
  const spec = objectOf(driver, "spec") ?? {};
  const [policy, period] = [textOf(spec, "fsGroupPolicy"), numberOf(spec, "nodeAllocatableUpdatePeriodSeconds")];
  const isPolicy = !has(spec, "fsGroupPolicy") || GROUP_POLICIES.includes(policy);
  const isShort = has(spec, "nodeAllocatableUpdatePeriodSeconds") && period < MIN_PERIOD;
  const unknown = textsOf(spec, "volumeLifecycleModes").filter((mode) => !LIFECYCLES.includes(mode));
  const inSecrets = spec["serviceAccountTokenInSecrets"];
  const isIdle = inSecrets !== undefined && objectsOf(spec, "tokenRequests").length === 0;
  return [
    ...(isPolicy ? [] : [notSupported(SPEC.child("fsGroupPolicy"), policy, GROUP_POLICIES)]),
    ...tokenRequests(spec),
    ...unknown.map((mode) => notSupported(SPEC.child("volumeLifecycleModes"), mode, LIFECYCLES)),
    ...(isShort ? [invalid(SPEC.child("nodeAllocatableUpdatePeriodSeconds"), period, messages.updatePeriod())] : []),
    ...(isIdle
      ? [invalid(SPEC.child("serviceAccountTokenInSecrets"), inSecrets ?? null, messages.tokensWithoutRequests())]
      : []),
  ];
}

const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;

function tokenRequests(spec: JsonObject): FieldError[] {
  const audiences = new Set<string>();
  return eachOf(spec, "tokenRequests", SPEC, (request, path) => {
    const audience = textOf(request, "audience");
    if (audiences.has(audience)) return [duplicate(path.child("audience"), audience)];
    audiences.add(audience);
    if (!has(request, "expirationSeconds")) return [];
    const seconds = numberOf(request, "expirationSeconds");
    const at = path.child("expirationSeconds");
    if (seconds < MIN_SECONDS) return [invalid(at, seconds, messages.tokenTooShort())];
    return seconds > MAX_SECONDS ? [invalid(at, seconds, messages.tokenTooLong())] : [];
  });
}

export function validateDriverUpdate(driver: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [objectOf(driver, "spec") ?? {}, objectOf(old, "spec") ?? {}];
  return [
    ...validateDriver(driver),
    ...immutable(spec["attachRequired"], before["attachRequired"], SPEC.child("attachedRequired")),
    ...immutable(spec["volumeLifecycleModes"], before["volumeLifecycleModes"], SPEC.child("volumeLifecycleModes")),
  ];
}

export function validateCsiNode(node: JsonObject): FieldError[] {
  const names = new Set<string>();
  return eachOf(objectOf(node, "spec"), "drivers", SPEC, (driver, path) => {
    const name = textOf(driver, "name");
    const isRepeated = names.has(name);
    names.add(name);
    return [
      ...csiDriverName(name, path.child("name")),
      ...nodeId(textOf(driver, "nodeID"), path.child("nodeID")),
      ...notNegative(objectOf(driver, "allocatable") ?? {}, "count", path.child("allocatable")),
      ...(isRepeated ? [duplicate(path.child("name"), name)] : []),
      ...topologyKeys(textsOf(driver, "topologyKeys"), path),
    ];
  });
}

const MAX_NODE_ID = 256;

function nodeId(id: string, path: FieldPath): FieldError[] {
  if (id === "") return [required(path)];
  return byteLength(id) > MAX_NODE_ID ? [invalid(path, id, messages.nodeIdLength(MAX_NODE_ID))] : [];
}

/** Upstream's paths leave out the list. */
function topologyKeys(keys: readonly string[], path: FieldPath): FieldError[] {
  const repeated = repeatedPlaces(keys);
  return keys.flatMap((key, index) => [
    ...(key === "" ? [required(path)] : []),
    ...(repeated.has(index) ? [duplicate(path, key)] : []),
    ...qualifiedName(key, path),
  ]);
}

export function validateCsiNodeUpdate(node: JsonObject, old: JsonObject): FieldError[] {
  const drivers = new Map<string, JsonObject[]>();
  for (const driver of objectsOf(objectOf(node, "spec"), "drivers")) {
    const name = textOf(driver, "name");
    const namesakes = drivers.get(name);
    if (namesakes === undefined) drivers.set(name, [driver]);
    else namesakes.push(driver);
  }
  const known = new Map(objectsOf(objectOf(old, "spec"), "drivers").map((each) => [textOf(each, "name"), each]));
  return [
    ...validateCsiNode(node),
    ...[...known].flatMap(([name, before]) =>
      (drivers.get(name) ?? []).flatMap((driver) => keptDriver(driver, before)),
    ),
  ];
}

function keptDriver(driver: JsonObject, before: JsonObject): FieldError[] {
  if (!since("1.33")) {
    const shown = internalJson("storage.CSINodeDriver", driver);
    return semanticEqual(driver, before)
      ? []
      : [invalid(newPath("CSINodeDriver"), shown, immutableText(), "immutable")];
  }
  const isMutable = isEnabled("MutableCSINodeAllocatableCount");
  const [now, then] = isMutable ? [withoutAllocatable(driver), withoutAllocatable(before)] : [driver, before];
  if (semanticEqual(now, then)) return [];
  return [invalid(SPEC.child("drivers"), internalJson("storage.CSINodeDriver", now), immutableText(), "immutable")];
}

function withoutAllocatable({ allocatable: _, ...rest }: JsonObject): JsonValue {
  return isObject(rest) ? rest : null;
}

export function validateAttachment(attachment: JsonObject, old?: JsonObject): FieldError[] {
  const spec = objectOf(attachment, "spec") ?? {};
  const source = objectOf(spec, "source") ?? {};
  return [
    ...attacherName(textOf(spec, "attacher"), SPEC.child("attacher")),
    ...attachmentSource(source, SPEC.child("source")),
    ...subdomain(textOf(spec, "nodeName"), SPEC.child("nodeName")),
    ...validateAttachmentStatus(attachment),
    ...(old === undefined || since("1.36") ? attachmentNames(spec, source) : []),
  ];
}

function attacherName(name: string, path: FieldPath): FieldError[] {
  if (since("1.36")) return declaredDriverName(name, path);
  return name === "" ? [required(path)] : [];
}

/** Up to 1.35 names were checked when an attachment was created, after everything else. */
function attachmentNames(spec: JsonObject, source: JsonObject): FieldError[] {
  const name = textOf(source, "persistentVolumeName");
  return [
    ...(since("1.36") ? [] : csiDriverName(textOf(spec, "attacher"), SPEC.child("attacher"))),
    ...(has(source, "persistentVolumeName") ? subdomain(name, newPath("spec.source.persistentVolumeName")) : []),
  ];
}

function attachmentSource(source: JsonObject, path: FieldPath): FieldError[] {
  const inline = objectOf(source, "inlineVolumeSpec");
  const isNamed = has(source, "persistentVolumeName");
  if (inline === undefined && !isNamed) return [required(path, messages.attachmentSource())];
  if (inline !== undefined && isNamed) return [forbidden(path, messages.attachmentSource())];
  if (inline !== undefined) return validateInlineVolume(inline, path.child("inlineVolumeSpec"));
  const isEmpty = textOf(source, "persistentVolumeName") === "";
  return isEmpty ? [required(path.child("persistentVolumeName"), messages.volumeNameNeeded())] : [];
}

const MAX_METADATA = 256 * 1024;
const MAX_MESSAGE = 1024;
const MAX_INT32 = 2 ** 31 - 1;

function validateAttachmentStatus(attachment: JsonObject): FieldError[] {
  const status = objectOf(attachment, "status");
  if (status === undefined) return [];
  const path = newPath("status");
  const metadata = Object.entries(objectOf(status, "attachmentMetadata") ?? {});
  const size = metadata.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(String(value)), 0);
  return [
    ...(size > MAX_METADATA ? [tooLong(path.child("attachmentMetadata"), MAX_METADATA)] : []),
    ...["attachError", "detachError"].flatMap((key) => volumeError(objectOf(status, key), path.child(key))),
  ];
}

/** Up to 1.36 the limit in the message is not the one that is checked. */
function volumeError(error: JsonObject | undefined, path: FieldPath): FieldError[] {
  const code = numberOf(error, "errorCode");
  return [
    ...(byteLength(textOf(error, "message")) > MAX_MESSAGE
      ? [tooLong(path.child("message"), since("1.37") ? MAX_MESSAGE : MAX_METADATA)]
      : []),
    ...(code < 0 ? [invalid(path.child("errorCode"), code, between(0, MAX_INT32))] : []),
  ];
}

/** Up to 1.34 an update was validated twice, that of the status too. */
export function validateAttachmentStatusUpdate(attachment: JsonObject, old: JsonObject): FieldError[] {
  const again = since("1.35") ? [] : validateAttachment(attachment, old);
  return [...again, ...validateAttachmentUpdate(attachment, old)];
}

export function validateAttachmentUpdate(attachment: JsonObject, old: JsonObject): FieldError[] {
  const { spec } = attachment;
  return [
    ...validateAttachment(attachment, old),
    ...(semanticEqual(spec, old["spec"])
      ? []
      : [invalid(SPEC, internalJson("storage.VolumeAttachmentSpec", spec), immutableText(), "immutable")]),
  ];
}
