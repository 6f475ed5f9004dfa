/**
 * Suites in our own format, `kind: PolicySuite`.
 *
 * A case describes a request as a request file does. To keep fixtures small, a suite may have a `base` object and a
 * case only its differences: `change` and `oldChange` are JSON merge patches of the base.
 */
import path from "node:path";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { applyMergePatch } from "@portcullis/engine/internal/patch/merge-patch";
import { isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { metaOf } from "@portcullis/engine/internal/value/metadata";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { UsageError } from "../input/usage-error.ts";
import { Fields } from "../policy/fields.ts";
import { loadObject, loadObjects } from "../policy/load.ts";
import * as messages from "../policy/messages.ts";
import type { RequestParts } from "../policy/request.ts";
import { readRequest } from "../policy/request-file.ts";
import { type Matcher, readMatcher } from "./matcher.ts";
import { type Expectation, type ExpectedOutcome, OUTCOMES, type Suite, type SuiteCase } from "./suite.ts";

export function isOwnSuite({ kind }: JsonObject): boolean {
  return kind === "PolicySuite";
}

interface SuiteContext {
  readonly folder: string;
  readonly objects: readonly JsonObject[];
  readonly base: JsonObject | undefined;
}

export function readOwnSuite(json: JsonObject, file: string): Suite {
  const fields = new Fields(json, file);
  fields.pass("apiVersion", "kind", "metadata");
  const folder = path.dirname(file);
  const base = fields.any("base");
  const context = {
    folder,
    objects: [...loadObjects(fields.texts("policies"), folder), ...loadAll(fields, "with", folder)],
    base: base === undefined ? undefined : loadObject(base, `${file}: base`, folder),
  };
  const name = fields.text("name") ?? path.basename(folder);
  const cases = fields.each("tests").map((test) => readCase(test, context));
  fields.finish();
  return { file, name, cases };
}

/** A list of objects, or of paths to files with objects. */
function loadAll(fields: Fields, name: string, folder: string): JsonObject[] {
  return fields.list(name).flatMap((item: JsonValue) => {
    if (isObject(item)) return [item];
    if (typeof item === "string") return loadObjects([item], folder);
    throw new UsageError(messages.notOf(`${fields.place}: ${name}`, "a list of objects and paths"));
  });
}

function readCase(fields: Fields, { folder, objects, base }: SuiteContext): SuiteCase {
  const name = fields.text("name") ?? fields.place;
  const namespace = fields.any("namespace");
  const own = [
    ...["params", "namespaces", "with"].flatMap((list) => loadAll(fields, list, folder)),
    ...(isObject(namespace) ? [namespace] : []),
  ];
  const request = readRequest(fields, folder);
  const read = {
    name,
    path: fields.path,
    objects:
      own.length === 0 ? objects : [...own, ...objects.filter((object) => !own.some((each) => isSame(each, object)))],
    request: fromBase(request, fields, base),
    expect: readExpectation(fields),
  };
  fields.finish();
  return read;
}

function isSame(left: JsonObject, right: JsonObject): boolean {
  const [one, other] = [metaOf(left), metaOf(right)];
  const sameMeta = one["name"] === other["name"] && one["namespace"] === other["namespace"];
  return sameMeta && left["kind"] === right["kind"] && left["apiVersion"] === right["apiVersion"];
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
    object: operation === "DELETE" ? undefined : patched(base, change),
    oldObject: request.oldObject ?? (hasOld ? patched(base, oldChange) : undefined),
  };
}

function patched(base: JsonObject, change: JsonObject | undefined): JsonObject {
  const text = change === undefined ? undefined : applyMergePatch(canonicalJson(base), canonicalJson(change));
  const made = text === undefined ? undefined : decodeJson(text);
  return made?.error === undefined && isObject(made?.value) ? made.value : base;
}

function readExpectation(fields: Fields): Expectation {
  const text = fields.text("expect");
  const outcome = OUTCOMES.find((each) => each === text);
  if (outcome === undefined) {
    throw new UsageError(messages.unknownExpectation(fields.place, text ?? "", OUTCOMES));
  }
  const message = fields.text("message");
  return {
    outcome,
    message: message === undefined ? undefined : readMatcher(message),
    reason: fields.text("reason"),
    code: fields.number("code"),
    warnings: fields.texts("warnings").map(readMatcher),
    auditAnnotations: readAnnotations(fields),
  } satisfies Expectation & { outcome: ExpectedOutcome };
}

function readAnnotations(fields: Fields): ReadonlyMap<string, Matcher | undefined> {
  const annotations = fields.object("auditAnnotations") ?? {};
  return new Map(
    Object.entries(annotations).map(([key, value]) => {
      if (value === null) return [key, undefined];
      if (typeof value === "string") return [key, readMatcher(value)];
      throw new UsageError(messages.notOf(`${fields.place}: auditAnnotations.${key}`, "a text, or null for none"));
    }),
  );
}
