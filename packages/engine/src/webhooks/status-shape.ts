/** The parts of metav1.Status that are visible when decoding into it. */
import {
  field,
  type GoStruct,
  goInt32,
  goInt64,
  goList,
  goString,
  goStruct,
  namedString,
  pointerField,
} from "../field/go-shape.ts";

const listMeta = goStruct("v1.ListMeta", () => ({
  selfLink: field(goString),
  resourceVersion: field(goString),
  continue: field(goString),
  remainingItemCount: pointerField(goInt64),
}));

const cause = goStruct("v1.StatusCause", () => ({
  reason: field(namedString("v1.CauseType")),
  message: field(goString),
  field: field(goString),
}));

const details = goStruct("v1.StatusDetails", () => ({
  name: field(goString),
  group: field(goString),
  kind: field(goString),
  uid: field(namedString("types.UID")),
  causes: field(goList(cause)),
  retryAfterSeconds: field(goInt32),
}));

export const STATUS: GoStruct = goStruct("v1.Status", () => ({
  kind: field(goString),
  apiVersion: field(goString),
  metadata: field(listMeta),
  status: field(goString),
  message: field(goString),
  reason: field(namedString("v1.StatusReason")),
  details: pointerField(details),
  code: field(goInt32),
}));
