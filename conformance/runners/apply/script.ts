/**
 * Scripts of writes to one object: read from the corpus, and run through our own server-side apply.
 *
 * The counterpart of `conformance/oracle/apply.go`, which runs the same scripts through the real merge library.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { applyPatch } from "@portcullis/engine/internal/apply/apply-patch";
import { customResourceScope } from "@portcullis/engine/internal/apply/custom-resource-scope";
import { keepTimestamps } from "@portcullis/engine/internal/apply/managers/timestamps";
import { trackWrite } from "@portcullis/engine/internal/apply/managers/track-write";
import type { FieldManagerScope } from "@portcullis/engine/internal/apply/scope";
import { customResourceTypes } from "@portcullis/engine/internal/apply/types/custom-resource-types";
import type { ResourceTypes } from "@portcullis/engine/internal/apply/types/typed";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { parseSchema } from "@portcullis/engine/internal/schema/parse";
import type { Structural } from "@portcullis/engine/internal/schema/structural";
import type { StatusError } from "@portcullis/engine/internal/status/error";
import { isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { RECORDED_VERSION } from "../recorded-version.ts";

export interface ApplyStep {
  readonly op: "create" | "replace" | "merge" | "apply" | "schema";
  readonly manager?: string;
  readonly version?: string;
  readonly subresource?: string;
  readonly force?: boolean;
  readonly schema?: string;
  readonly object?: JsonObject;
}

export interface ApplyScript {
  readonly id: string;
  readonly schema: string;
  readonly steps: readonly ApplyStep[];
}

export interface StepError {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly causes: readonly string[];
}

export interface ScriptResult {
  readonly errors: readonly (StepError | null)[];
  /** After each step. */
  readonly objects: readonly (JsonObject | null)[];
}

interface Definition {
  readonly status: boolean;
  readonly versions: ReadonlyMap<string, Structural | undefined>;
  readonly types: ResourceTypes;
}

export const CORPUS = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../corpora/apply");
const GROUP = "example.com";
const KIND = "Widget";

export function topics(): string[] {
  return readdirSync(CORPUS).filter((file) => file.endsWith(".jsonl"));
}

/** Each line of a corpus: the script and what was recorded for it. */
export function readLines(file: string): JsonObject[] {
  const lines = readFileSync(path.join(CORPUS, file), "utf8").split("\n");
  return lines.filter((line) => line !== "").map(parseObject);
}

export function parseObject(text: string): JsonObject {
  const decoded = decodeJson(text);
  if (!("value" in decoded) || !isObject(decoded.value)) throw new Error(`not an object: ${text.slice(0, 80)}`);
  return decoded.value;
}

export function scriptOf(line: JsonObject): ApplyScript {
  return line as unknown as ApplyScript;
}

const definitions = loadDefinitions();

function loadDefinitions(): ReadonlyMap<string, Definition> {
  const schemas = parseObject(readFileSync(path.join(CORPUS, "schemas.json"), "utf8"));
  return new Map(Object.entries(schemas).map(([name, json]) => [name, definitionOf(json as JsonObject)]));
}

function definitionOf(json: JsonObject): Definition {
  const versions = new Map(
    Object.entries(json["versions"] as JsonObject).map(([name, schema]) => [
      name,
      schema === null ? undefined : parseSchema(schema),
    ]),
  );
  const types = customResourceTypes({
    group: GROUP,
    kind: KIND,
    preserveUnknownFields: json["preserveUnknownFields"] === true,
    versions: [...versions].map(([name, schema]) => ({ name, schema })),
  });
  return { status: json["status"] === true, versions, types };
}

export function runScript(script: ApplyScript): ScriptResult {
  const errors: (StepError | null)[] = [];
  const objects: (JsonObject | null)[] = [];
  let definition = definitionNamed(script.schema);
  let live: JsonObject | undefined;
  script.steps.forEach((step, index) => {
    if (step.op === "schema") {
      definition = definitionNamed(step.schema ?? "");
      errors.push(null);
    } else {
      const result = runStep(definition, live, step, index);
      if ("object" in result) live = result.object;
      errors.push("object" in result ? null : result);
    }
    objects.push(live ?? null);
  });
  return { errors, objects };
}

function definitionNamed(name: string): Definition {
  const definition = definitions.get(name);
  if (definition === undefined) throw new Error(`no schema ${name}`);
  return definition;
}

function runStep(
  definition: Definition,
  live: JsonObject | undefined,
  step: ApplyStep,
  index: number,
): { readonly object: JsonObject } | StepError {
  const version = step.version ?? "v1";
  const scope = scopeOf(definition, version, step.subresource ?? "");
  const current = live === undefined ? undefined : withMember(live, "apiVersion", scope.apiVersion);
  const now = `2020-01-01T00:${String(index).padStart(2, "0")}:00Z`;
  const next = write(scope, current, step, now);
  if (!("object" in next)) return next;
  const kept = current === undefined ? next.object : keepTimestamps(next.object, current);
  return { object: withUid(kept) };
}

function write(
  scope: FieldManagerScope,
  live: JsonObject | undefined,
  step: ApplyStep,
  now: string,
): { readonly object: JsonObject } | StepError {
  const manager = step.manager ?? "";
  const object = step.object ?? newObject();
  switch (step.op) {
    case "create":
      return { object: trackWrite(scope, { live: undefined, next: withKind(object, scope), manager, now }) };
    case "replace": {
      const next = withUidOf(withKind(object, scope), live);
      return { object: trackWrite(scope, { live: live ?? scope.emptyObject, next, manager, now }) };
    }
    case "merge": {
      const next = mergePatched(live ?? scope.emptyObject, object) as JsonObject;
      return { object: trackWrite(scope, { live: live ?? scope.emptyObject, next, manager, now }) };
    }
    default: {
      const patch = withKind(object, scope);
      const applied = applyPatch(scope, { live, patch, manager, force: step.force === true, now });
      return applied.refusal === undefined ? { object: applied.object } : errorOf(applied.refusal);
    }
  }
}

function errorOf(refusal: StatusError): StepError {
  const causes = (refusal.details?.causes ?? []).map(({ type, message, field }) => `${type}|${message}|${field}`);
  return {
    code: refusal.code,
    reason: refusal.reason,
    message: sortedFindings(refusal.message),
    causes: causes.sort(),
  };
}

function sortedFindings(message: string): string {
  const [head, ...lines] = message.split("\n");
  return lines.length > 1 && head?.endsWith("errors:") ? [head, ...lines.sort()].join("\n") : message;
}

function scopeOf(definition: Definition, version: string, subresource: string): FieldManagerScope {
  const scope = customResourceScope({
    group: GROUP,
    kind: KIND,
    version,
    subresource: subresource === "status" ? "status" : "",
    types: definition.types,
    schema: definition.versions.get(version),
    versionsWithStatus: definition.status ? [...definition.versions.keys()] : [],
    parseJson: (text) => {
      const decoded = decodeJson(text);
      return "value" in decoded && isObject(decoded.value) ? decoded.value : undefined;
    },
  });
  return { ...scope, serverVersion: RECORDED_VERSION };
}

function withKind(object: JsonObject, scope: FieldManagerScope): JsonObject {
  const named = object["apiVersion"] === undefined ? withMember(object, "apiVersion", scope.apiVersion) : object;
  return named["kind"] === undefined ? withMember(named, "kind", KIND) : named;
}

function withUidOf(object: JsonObject, live: JsonObject | undefined): JsonObject {
  const metadata = isObject(object["metadata"]) ? object["metadata"] : newObject();
  const uid = isObject(live?.["metadata"]) ? live["metadata"]["uid"] : undefined;
  return uid === undefined ? object : withMember(object, "metadata", withMember(metadata, "uid", uid));
}

function withUid(object: JsonObject): JsonObject {
  const metadata = isObject(object["metadata"]) ? object["metadata"] : newObject();
  return typeof metadata["uid"] === "string" && metadata["uid"] !== ""
    ? object
    : withMember(object, "metadata", withMember(metadata, "uid", "uid"));
}

function mergePatched(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const merged = newObject();
  if (isObject(target)) Object.assign(merged, target);
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) delete merged[name];
    else merged[name] = mergePatched(merged[name], change);
  }
  return merged;
}

/** The same text for errors that are equal for the recorder and us. */
export function errorText(error: JsonValue | StepError | null | undefined): string {
  if (error === null || error === undefined) return "";
  const { code, reason, message, causes } = error as unknown as StepError;
  return `${code} ${reason ?? ""} ${message}\n${(causes ?? []).join("\n")}`;
}

export function objectText(object: JsonValue | null | undefined): string {
  return canonicalJson(object ?? null);
}
