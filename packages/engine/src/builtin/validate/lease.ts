/** Leases. */
import { type FieldError, invalid } from "../../field/error.ts";
import { newPath } from "../../field/path.ts";
import type { JsonObject } from "../../value/json.ts";
import { has, numberOf, objectOf } from "../object.ts";
import { allNotNegative } from "./checks.ts";
import * as messages from "./messages.ts";

export function validateLease(lease: JsonObject): FieldError[] {
  const spec = objectOf(lease, "spec") ?? {};
  const path = newPath("spec");
  const duration = numberOf(spec, "leaseDurationSeconds");
  const isShort = has(spec, "leaseDurationSeconds") && duration <= 0;
  return [
    ...(isShort ? [invalid(path.child("leaseDurationSeconds"), duration, messages.positive())] : []),
    ...allNotNegative(spec, ["leaseTransitions"], path),
  ];
}
