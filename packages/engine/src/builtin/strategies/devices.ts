/** Slices of devices and the status of claims to them: what is dropped, and when taints were added. */
import type { JsonObject } from "../../value/json.ts";
import { isObject } from "../../value/json.ts";
import { type Draft, fill, inner } from "../defaults/draft.ts";
import { objectOf, objectsOf } from "../object.ts";
import { allocatedDevices, deviceId } from "../validate/resource/claim-status.ts";
import type { PrepareContext } from "./strategy.ts";

/** Attributes that are lists, and devices that stand for resources of their node. */
const DISABLED = ["bools", "ints", "strings", "versions"];

export function prepareSlice(slice: Draft, { now }: PrepareContext): void {
  for (const device of objectsOf(objectOf(slice, "spec"), "devices")) {
    delete device["nodeAllocatableResourceMappings"];
    for (const attribute of Object.values(objectOf(device, "attributes") ?? {}))
      if (isObject(attribute)) for (const key of DISABLED) delete attribute[key];
    for (const taint of objectsOf(device, "taints")) fill(taint, "timeAdded", now());
  }
}

/** Devices that the claim no longer has are no longer told about. */
export function prepareClaimStatus(claim: Draft, old: JsonObject): void {
  const status = inner(claim, "status");
  const kept = new Set(textsOf(status));
  const gone = new Set(textsOf(objectOf(old, "status")).filter((id) => !kept.has(id)));
  const devices = objectsOf(status, "devices").filter((device) => !gone.has(deviceId(device).text));
  if (devices.length === 0) delete status["devices"];
  else status["devices"] = devices;
}

function textsOf(status: JsonObject | undefined): string[] {
  return allocatedDevices(status).map(({ text }) => text);
}
