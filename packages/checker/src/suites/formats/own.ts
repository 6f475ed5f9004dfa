/**
 * Suites in our own format, `kind: TestSuite`. Policies were tested first, so `kind: PolicySuite` means the same.
 *
 * The fields of a case determine what it is about: `expression`, `claims`, `accessReview`, `device`, writes (`create`,
 * `update`, `status`, `steps`), or otherwise a request to admission. To keep fixtures small, a suite may have a `base`
 * object and a case only its differences: `change` and `oldChange` are JSON merge patches of the base.
 */
import path from "node:path";
import { isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { metaOf } from "@portcullis/engine/internal/value/metadata";
import { UsageError } from "../../input/usage-error.ts";
import { Fields } from "../../policy/fields.ts";
import { loadObject, loadObjects } from "../../policy/load.ts";
import * as messages from "../../policy/messages.ts";
import type { RequestParts } from "../../policy/request.ts";
import { readRequest } from "../../policy/request-file.ts";
import { applyPatch } from "../expectation.ts";
import { readCases, type Subject, type Suite, type SuiteCase } from "../suite.ts";
import { readExpectation } from "./own-expectation.ts";
import { isWrites, readWrites } from "./own-writes.ts";

const KINDS: readonly unknown[] = ["TestSuite", "PolicySuite"];

export function isOwnSuite({ kind }: JsonObject): boolean {
  return KINDS.includes(kind);
}

/** What the cases of a suite share. */
export interface SuiteParts {
  readonly folder: string;
  readonly objects: readonly JsonObject[];
  readonly base: JsonObject | undefined;
  readonly authentication: JsonObject | undefined;
  readonly authorization: JsonObject | undefined;
}

export function readOwnSuite(json: JsonObject, file: string): Suite {
  const fields = new Fields(json, file);
  fields.pass("apiVersion", "kind", "metadata");
  const folder = path.dirname(file);
  const load = (name: string): JsonObject | undefined => {
    const value = fields.any(name);
    return value === undefined ? undefined : loadObject(value, `${file}: ${name}`, folder);
  };
  const files = ["policies", "crds", "webhooks"].flatMap((name) => fields.texts(name));
  const parts = {
    folder,
    objects: [...loadObjects(files, folder), ...loadAll(fields, "with", folder)],
    base: load("base"),
    authentication: load("authentication"),
    authorization: load("authorization"),
  };
  const name = fields.text("name") ?? path.basename(folder);
  const tests = fields.each("tests");
  fields.finish();
  return { file, name, ...readCases(tests, (test) => [readCase(test, parts)]) };
}

/** A list of objects, or of paths to files with objects. */
function loadAll(fields: Fields, name: string, folder: string): JsonObject[] {
  return fields.list(name).flatMap((item: JsonValue) => {
    if (isObject(item)) return [item];
    if (typeof item === "string") return loadObjects([item], folder);
    throw new UsageError(messages.notOf(`${fields.place}: ${name}`, "a list of objects and paths"));
  });
}

function readCase(fields: Fields, parts: SuiteParts): SuiteCase {
  const name = fields.text("name") ?? fields.place;
  const subject = readSubject(fields, parts);
  const expect = subject.type === "writes" ? {} : readExpectation(fields, parts.folder, subject.type);
  fields.finish();
  return { name, path: fields.path, subject, expect };
}

function readSubject(fields: Fields, parts: SuiteParts): Subject {
  if (fields.has("expression")) return readExpression(fields);
  if (fields.has("claims")) return readAuthentication(fields, parts);
  if (fields.has("accessReview")) return readAuthorization(fields, parts);
  if (fields.has("device")) return readDevice(fields, parts);
  return isWrites(fields)
    ? readWrites(fields, parts.folder, ownObjects(fields, parts))
    : readRequestCase(fields, parts);
}

function readExpression(fields: Fields): Subject {
  const expression = fields.text("expression") ?? "";
  return { type: "expression", expression, variables: fields.object("variables") ?? newObject() };
}

function readAuthentication(fields: Fields, { authentication, folder }: SuiteParts): Subject {
  const configuration = ownOr(fields, "authentication", authentication, folder);
  return { type: "authentication", configuration, claims: fields.object("claims") ?? newObject() };
}

function readAuthorization(fields: Fields, { authorization, folder }: SuiteParts): Subject {
  const configuration = ownOr(fields, "authorization", authorization, folder);
  const given = fields.object("accessReview") ?? newObject();
  return { type: "authorization", configuration, review: isObject(given["spec"]) ? given["spec"] : given };
}

function ownOr(fields: Fields, name: string, shared: JsonObject | undefined, folder: string): JsonObject {
  const own = fields.any(name);
  const found = own === undefined ? shared : loadObject(own, `${fields.place}: ${name}`, folder);
  if (found === undefined) throw new UsageError(messages.missingField(fields.place, name));
  return found;
}

function readDevice(fields: Fields, { folder }: SuiteParts): Subject {
  const device = fields.within("device");
  const driver = device?.text("driver") ?? "";
  const made = newObject();
  for (const name of ["attributes", "capacity"]) {
    const value = device?.object(name);
    if (value !== undefined) made[name] = value;
  }
  if (device?.flag("allowMultipleAllocations") === true) made["allowMultipleAllocations"] = true;
  device?.pass("name");
  device?.finish();
  const selectors = [...fields.texts("selectors"), ...selectorsIn(loadObjects(fields.texts("selectorsOf"), folder))];
  if (selectors.length === 0) throw new UsageError(messages.missingField(fields.place, "selectors"));
  return { type: "device", driver, device: made, selectors };
}

/** The expressions of device classes, claims and claim templates. */
function selectorsIn(objects: readonly JsonObject[]): string[] {
  const found: string[] = [];
  const visit = (value: JsonValue | undefined): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        if (name === "cel" && isObject(member) && typeof member["expression"] === "string")
          found.push(member["expression"]);
        else visit(member);
      }
    }
  };
  for (const object of objects) visit(object["spec"]);
  return found;
}

/** Objects of the case replace objects of the suite with the same name. */
function ownObjects(fields: Fields, { folder, objects }: SuiteParts): readonly JsonObject[] {
  const namespace = fields.any("namespace");
  const own = [
    ...["params", "namespaces", "with"].flatMap((list) => loadAll(fields, list, folder)),
    ...(isObject(namespace) ? [namespace] : []),
  ];
  if (own.length === 0) return objects;
  return [...own, ...objects.filter((object) => !own.some((each) => isSame(each, object)))];
}

function isSame(left: JsonObject, right: JsonObject): boolean {
  const [one, other] = [metaOf(left), metaOf(right)];
  const sameMeta = one["name"] === other["name"] && one["namespace"] === other["namespace"];
  return sameMeta && left["kind"] === right["kind"] && left["apiVersion"] === right["apiVersion"];
}

function readRequestCase(fields: Fields, parts: SuiteParts): Subject {
  const objects = ownObjects(fields, parts);
  const request = readRequest(fields, parts.folder);
  return { type: "request", objects, request: fromBase(request, fields, parts.base) };
}

function fromBase(request: RequestParts, fields: Fields, base: JsonObject | undefined): RequestParts {
  const change = fields.object("change");
  const oldChange = fields.object("oldChange");
  if (base === undefined || request.object !== undefined) return request;
  const operation = request.operation?.toUpperCase();
  if (operation === "CONNECT") return request;
  const hasOld = oldChange !== undefined || operation === "UPDATE" || operation === "DELETE";
  return {
    ...request,
    object: operation === "DELETE" ? undefined : changed(base, change),
    oldObject: request.oldObject ?? (hasOld ? changed(base, oldChange) : undefined),
  };
}

function changed(base: JsonObject, change: JsonObject | undefined): JsonObject {
  const made = change === undefined ? base : applyPatch(base, change);
  return typeof made === "string" ? base : made;
}
