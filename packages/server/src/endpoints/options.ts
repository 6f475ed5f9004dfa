/**
 * Options of requests, from the query or from a DeleteOptions body.
 *
 * Go decodes parameters in the order of its structs and stops at the first that is malformed; unknown ones are ignored,
 * and of repeated ones the first counts.
 */

import type { FieldValidation } from "@portcullis/engine/internal/codec/strict";
import { goTexts } from "@portcullis/engine/internal/crd/go-json";
import {
  type FieldError,
  forbidden,
  invalid as invalidField,
  notSupported,
  required,
} from "@portcullis/engine/internal/field/error";
import { newPath } from "@portcullis/engine/internal/field/path";
import { validateManager } from "@portcullis/engine/internal/schema/object-meta";
import { type FieldSelector, parseFieldSelector } from "@portcullis/engine/internal/selector/fields";
import { type LabelSelector, parseLabelSelector } from "@portcullis/engine/internal/selector/labels";
import { badRequest, invalid } from "@portcullis/engine/internal/status/error";
import { isArray, isInteger, isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, textOf } from "@portcullis/engine/internal/value/metadata";
import type { Result } from "@portcullis/gostd/result";
import { parseInt as parseGoInt } from "@portcullis/gostd/strconv";
import type { QueryValues } from "@portcullis/gostd/url";
import * as messages from "./messages.ts";

export interface WriteOptions {
  readonly isDryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  readonly force: boolean | undefined;
  /** As admission sees them. */
  readonly json: JsonObject;
}

export type WriteOptionsKind = "CreateOptions" | "UpdateOptions" | "PatchOptions";

export function readWriteOptions(query: QueryValues, kind: WriteOptionsKind, patchType = ""): WriteOptions {
  const dryRun = [...(query.get("dryRun") ?? [])];
  const force = kind === "PatchOptions" ? readBool(query, "force") : undefined;
  const [fieldManager, validation] = [first(query, "fieldManager"), first(query, "fieldValidation")];
  const errors = [
    ...(kind === "PatchOptions" ? patchErrors(patchType, fieldManager, force) : []),
    ...validateManager(fieldManager, newPath("fieldManager")),
    ...dryRunErrors(dryRun),
    ...fieldValidationErrors(validation),
  ];
  refuse(errors, kind);
  return {
    isDryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: isFieldValidation(validation) ? validation : "Warn",
    force,
    json: objectOf({
      kind,
      apiVersion: "meta.k8s.io/v1",
      dryRun: dryRun.length > 0 ? dryRun : undefined,
      force,
      fieldManager: fieldManager || undefined,
      fieldValidation: validation || undefined,
    }),
  };
}

function patchErrors(patchType: string, manager: string, force: boolean | undefined): FieldError[] {
  if (patchType.startsWith("application/apply-patch")) {
    return manager === "" ? [required(newPath("fieldManager"), messages.managerNeeded())] : [];
  }
  return force === undefined ? [] : [forbidden(newPath("force"), messages.forceWithoutApply())];
}

function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  if (dryRun.every((each) => each === "All")) return [];
  return [notSupported(newPath("dryRun"), goTexts([...dryRun]), ["All"])];
}

function fieldValidationErrors(value: string): FieldError[] {
  if (value === "" || isFieldValidation(value)) return [];
  return [notSupported(newPath("fieldValidation"), value, ["", "Ignore", "Strict", "Warn"])];
}

function isFieldValidation(value: string): value is FieldValidation {
  return value === "Strict" || value === "Warn" || value === "Ignore";
}

export interface ListRequest {
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
  readonly hasSelector: boolean;
  readonly isWatch: boolean;
  readonly allowBookmarks: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly timeoutSeconds: number | undefined;
  readonly limit: number;
  readonly continue: string;
  readonly sendInitialEvents: boolean | undefined;
}

/** Follows the order of ListOptions' fields. */
export function readListRequest(query: QueryValues): ListRequest {
  const isWatch = readBool(query, "watch") ?? false;
  const allowBookmarks = readBool(query, "allowWatchBookmarks") ?? false;
  const timeoutSeconds = readInt(query, "timeoutSeconds");
  const limit = readInt(query, "limit") ?? 0;
  const sendInitialEvents = readBool(query, "sendInitialEvents");
  const labels = readSelector(first(query, "labelSelector"), parseLabelSelector);
  const fields = readSelector(first(query, "fieldSelector"), parseFieldSelector);
  const request = {
    labels,
    fields,
    isWatch,
    allowBookmarks,
    timeoutSeconds,
    limit,
    sendInitialEvents,
    hasSelector: labels.length > 0 || fields.length > 0,
    resourceVersion: first(query, "resourceVersion"),
    resourceVersionMatch: first(query, "resourceVersionMatch"),
    continue: first(query, "continue"),
  };
  refuse(isWatch ? watchErrors(request) : listErrors(request), "ListOptions");
  return request;
}

function readSelector<T>(text: string, parse: (text: string) => Result<T>): T {
  const parsed = parse(text);
  if (parsed.error !== undefined) throw badRequest(parsed.error);
  return parsed.value;
}

const MATCH = newPath("resourceVersionMatch");

function listErrors(request: ListRequest): FieldError[] {
  const errors: FieldError[] = [];
  const match = request.resourceVersionMatch;
  if (match !== "") {
    if (request.resourceVersion === "") errors.push(forbidden(MATCH, messages.matchNeedsVersion()));
    if (request.continue !== "") errors.push(forbidden(MATCH, messages.matchWithContinue()));
    if (match !== "Exact" && match !== "NotOlderThan") {
      errors.push(notSupported(MATCH, match, ["Exact", "NotOlderThan", ""]));
    }
    if (match === "Exact" && request.resourceVersion === "0") errors.push(forbidden(MATCH, messages.exactZero()));
  }
  if (request.sendInitialEvents !== undefined) {
    errors.push(forbidden(newPath("sendInitialEvents"), messages.sendInitialForbidden()));
  }
  return errors;
}

function watchErrors(request: ListRequest): FieldError[] {
  const errors: FieldError[] = [];
  const match = request.resourceVersionMatch;
  if (request.sendInitialEvents !== undefined && match !== "NotOlderThan") {
    errors.push(forbidden(MATCH, messages.initialNeedsMatch()));
  }
  if (match === "") {
    // A watch from nowhere counts as one that asks for what is there first, and so for a match.
    const isFromNowhere = request.resourceVersion === "" || request.resourceVersion === "0";
    const isLegacy = request.sendInitialEvents === undefined && isFromNowhere;
    return isLegacy && request.continue !== "" ? [forbidden(MATCH, messages.matchWithContinue())] : errors;
  }
  if (request.sendInitialEvents === undefined) errors.push(forbidden(MATCH, messages.matchNeedsInitial()));
  if (match !== "NotOlderThan") errors.push(notSupported(MATCH, match, ["NotOlderThan"]));
  if (request.continue !== "") errors.push(forbidden(MATCH, messages.matchWithContinue()));
  return errors;
}

export interface DeleteRequest {
  readonly isDryRun: boolean;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: string | undefined;
  readonly gracePeriodSeconds: number | undefined;
  readonly json: JsonObject;
}

export function readDeleteQuery(query: QueryValues): DeleteRequest {
  const grace = readInt(query, "gracePeriodSeconds");
  const orphan = readBool(query, "orphanDependents");
  const policy = query.get("propagationPolicy")?.[0];
  return checkDelete(
    objectOf({
      gracePeriodSeconds: grace,
      orphanDependents: orphan,
      propagationPolicy: policy,
      preconditions: preconditionsOf(query),
      dryRun: query.has("dryRun") ? [...(query.get("dryRun") ?? [])] : undefined,
    }),
  );
}

/** `body` is a decoded DeleteOptions. */
/** A query can name what must be, too. */
function preconditionsOf(query: QueryValues): JsonObject | undefined {
  const [uid, resourceVersion] = [first(query, "uid"), first(query, "resourceVersion")];
  if (uid === "" && resourceVersion === "") return undefined;
  return objectOf({
    uid: uid === "" ? undefined : uid,
    resourceVersion: resourceVersion === "" ? undefined : resourceVersion,
  });
}

export function checkDelete(body: JsonObject): DeleteRequest {
  const policy = body["propagationPolicy"];
  const orphan = body["orphanDependents"];
  const dryRun = isArray(body["dryRun"]) ? body["dryRun"].map(textOf) : [];
  const preconditions = isObject(body["preconditions"]) ? body["preconditions"] : objectOf({});
  const errors: FieldError[] = [];
  const path = newPath("propagationPolicy");
  if (typeof policy === "string" && typeof orphan === "boolean") {
    errors.push(invalidField(path, policy, messages.bothPropagations()));
  }
  if (typeof policy === "string" && !POLICIES.slice(0, 3).includes(policy)) {
    errors.push(notSupported(path, policy, POLICIES));
  }
  refuse([...errors, ...dryRunErrors(dryRun)], "DeleteOptions");
  return {
    isDryRun: dryRun.length > 0,
    uid: optionalText(preconditions["uid"]),
    resourceVersion: optionalText(preconditions["resourceVersion"]),
    orphanDependents: typeof orphan === "boolean" ? orphan : undefined,
    propagationPolicy: optionalText(policy),
    gracePeriodSeconds: isInteger(body["gracePeriodSeconds"]) ? Number(body["gracePeriodSeconds"]) : undefined,
    json: objectOf({ kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1", ...body }),
  };
}

const POLICIES = ["Foreground", "Background", "Orphan", "nil"];

function optionalText(value: JsonObject[string] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function refuse(errors: readonly FieldError[], kind: string): void {
  if (errors.length > 0) throw invalid({ group: "meta.k8s.io", kind }, "", errors);
}

function first(query: QueryValues, name: string): string {
  return query.get(name)?.[0] ?? "";
}

/** Anything but "false" and "0" is true. */
function readBool(query: QueryValues, name: string): boolean | undefined {
  const text = query.get(name)?.[0];
  if (text === undefined) return undefined;
  return text !== "0" && text.toLowerCase() !== "false" && text !== "";
}

function readInt(query: QueryValues, name: string): number | undefined {
  const text = query.get(name)?.[0];
  if (text === undefined || text === "") return undefined;
  const parsed = parseGoInt(text, 10, 64);
  if (parsed.error !== undefined) throw badRequest(parsed.error);
  const value = Number(parsed.value);
  return isInteger(value) ? value : undefined;
}
