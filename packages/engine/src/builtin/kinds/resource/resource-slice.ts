/** ResourceSlice: devices of one driver. */
import { isObject, type JsonObject } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { type Draft, fill } from "../../defaults/draft.ts";
import * as messages from "../../messages.ts";
import { objectOf, objectsOf, textOf } from "../../object.ts";
import type { PrepareContext } from "../../strategies/strategy.ts";
import { validateResourceSlice } from "../../validate/resource/slice.ts";
import { upperCaseDriver } from "../../warnings/messages.ts";
import { defineKind, onEveryWrite, SPEC_GENERATION } from "../kind.ts";

export const resourceSlice = defineKind("resource.k8s.io/v1", "ResourceSlice", {
  generation: { ...SPEC_GENERATION, countsDropped: true },
  prepareCreate: prepareDevices,
  prepareUpdate: (draft, _old, context) => prepareDevices(draft, context),
  validate: validateResourceSlice,
  warnings: onEveryWrite(driverWarnings),
  selectableFields: { fields: ["spec.nodeName", "spec.driver"], refuse: messages.sliceFieldNotSupported },
  returnsDeletedObject: true,
});

/** Attributes that are lists. The feature is off, like that of devices mapped to resources of their node. */
const LIST_ATTRIBUTES = ["bools", "ints", "strings", "versions"];

function prepareDevices(draft: Draft, { now }: PrepareContext): void {
  for (const device of objectsOf(objectOf(draft, "spec"), "devices")) {
    delete device["nodeAllocatableResourceMappings"];
    for (const attribute of Object.values(objectOf(device, "attributes") ?? {}))
      if (isObject(attribute)) for (const key of LIST_ATTRIBUTES) delete attribute[key];
    for (const taint of objectsOf(device, "taints")) fill(taint, "timeAdded", now());
  }
}

function driverWarnings(slice: JsonObject): string[] {
  const driver = textOf(objectOf(slice, "spec"), "driver");
  return driver === driver.toLowerCase() || !since("1.35") ? [] : [upperCaseDriver(driver)];
}
