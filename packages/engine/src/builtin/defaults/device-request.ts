/** Defaults of requests for devices. Follows pkg/apis/resource/v1/defaults.go. */
import { textOf } from "../object.ts";
import { type Draft, type Fillers, fillZero } from "./draft.ts";

export const deviceRequestDefaults: Fillers = {
  "v1.ExactDeviceRequest": fillDeviceRequest,
  "v1.DeviceSubRequest": fillDeviceRequest,
};

function fillDeviceRequest(request: Draft): void {
  fillZero(request, "allocationMode", "ExactCount");
  if (textOf(request, "allocationMode") === "ExactCount") fillZero(request, "count", 1);
}
