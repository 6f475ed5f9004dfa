/** Conditions of the common form. Follows apimachinery meta/v1/validation. */
import { byteLength } from "@portcullis/gostd/utf8";
import { duplicate, type FieldError, invalid, notSupported, required, tooLong } from "../../field/error.ts";
import type { FieldPath } from "../../field/path.ts";
import type { JsonObject } from "../../value/json.ts";
import { since } from "../../value/server-version.ts";
import { has, numberOf, textOf } from "../object.ts";
import { eachOf, qualifiedName } from "./checks.ts";
import * as messages from "./messages.ts";

const STATUSES = ["False", "True", "Unknown"];
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const MAX_REASON = 1024;
const MAX_MESSAGE = 32 * 1024;

export function validateConditions(status: JsonObject | undefined, path: FieldPath): FieldError[] {
  const types = new Set<string>();
  return eachOf(status, "conditions", path, (condition, at) => {
    const type = textOf(condition, "type");
    const isRepeated = types.has(type);
    types.add(type);
    const place = since("1.37") ? at : at.child("type");
    return [...(isRepeated ? [duplicate(place, type)] : []), ...validateCondition(condition, at)];
  });
}

function validateCondition(condition: JsonObject, path: FieldPath): FieldError[] {
  const [status, reason] = [textOf(condition, "status"), textOf(condition, "reason")];
  const generation = numberOf(condition, "observedGeneration");
  const isLong = byteLength(textOf(condition, "message")) > MAX_MESSAGE;
  return [
    ...conditionType(textOf(condition, "type"), path.child("type")),
    ...conditionStatus(status, path.child("status")),
    ...(generation < 0 ? [invalid(path.child("observedGeneration"), generation, messages.atLeastZero())] : []),
    ...(has(condition, "lastTransitionTime")
      ? []
      : [required(path.child("lastTransitionTime"), messages.conditionNeeds())]),
    ...(reason === ""
      ? [required(path.child("reason"), messages.conditionNeeds())]
      : conditionReason(reason, path.child("reason"))),
    ...(isLong ? [tooLong(path.child("message"), MAX_MESSAGE)] : []),
  ];
}

function conditionType(type: string, path: FieldPath): FieldError[] {
  return type === "" && since("1.37") ? [required(path, messages.isRequired())] : qualifiedName(type, path);
}

function conditionStatus(status: string, path: FieldPath): FieldError[] {
  if (STATUSES.includes(status)) return [];
  return status === "" && since("1.37") ? [required(path)] : [notSupported(path, status, STATUSES)];
}

function conditionReason(reason: string, path: FieldPath): FieldError[] {
  return [
    ...(REASON.test(reason) ? [] : [invalid(path, reason, messages.badReason())]),
    ...(byteLength(reason) > MAX_REASON ? [tooLong(path, MAX_REASON)] : []),
  ];
}
