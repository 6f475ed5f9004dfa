/** Where a change is in the new CRD: at the keyword, the rule or the field of the CRD that changed. */
import type { Change } from "@portcullis/engine/internal/upgrade/change";
import type { UpgradeFinding } from "@portcullis/engine/internal/upgrade/finding";
import type { SchemaStep } from "@portcullis/engine/internal/upgrade/pairs";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";

export interface Place {
  readonly path: string;
  /** At the name of the field, because its value is too large to mark or is no longer there. */
  readonly atKey: boolean;
}

/** For what is gone, the nearest place above it. */
export function placeOfFinding(finding: UpgradeFinding, json: JsonObject): Place {
  const { version, path, message, code, change } = finding;
  if (code === "upgrade/not-accepted")
    return { path: hoisted(message.slice(0, Math.max(0, message.indexOf(": ")))), atKey: false };
  const index = versionIndex(json, version);
  if (change?.keyword === "subresources.scale") return existing(json, `spec.versions[${index}].subresources.scale`);
  if (path === "") return surfacePlace(finding, json, index);
  if (index < 0) return { path: "spec", atKey: false };
  const root = `spec.versions[${index}].schema.openAPIV3Schema`;
  if (change === undefined) return existing(json, `${root}${inner(path)}`);
  const steps = presentSteps(json, index, change.path);
  const keyword = steps.length < change.path.length ? "" : keywordPath(change, schemaAt(json, index, steps));
  return { path: `${root}${steps.map(stepText).join("")}${keyword}`, atKey: keyword === "" };
}

/** The fields of the CRD that changes besides its schemas are about. */
const SURFACE: Readonly<Record<string, readonly string[]>> = {
  "upgrade/scope-changed": ["spec.scope"],
  "upgrade/group-changed": ["spec.group"],
  "upgrade/kind-changed": ["spec.names.kind"],
  "upgrade/names-changed": ["spec.names"],
  "upgrade/stored-version-removed": ["spec.versions"],
  "upgrade/version-removed": ["spec.versions"],
  "upgrade/version-not-served": ["@.served", "@.name"],
  "upgrade/version-deprecated": ["@.deprecated", "@.name"],
  "upgrade/conversion-changed": ["spec.conversion", "spec"],
  "upgrade/status-added": ["@.subresources.status", "@.subresources", "@.name"],
  "upgrade/status-removed": ["@.subresources", "@.name"],
  "upgrade/scale-removed": ["@.subresources", "@.name"],
  "upgrade/scale-changed": ["@.subresources.scale", "@.subresources", "@.name"],
  "upgrade/selectable-field-removed": ["@.selectableFields", "@.name"],
  "upgrade/column-removed": ["@.additionalPrinterColumns", "@.name"],
  "upgrade/preserve-unknown-fields-off": ["spec.preserveUnknownFields", "spec"],
};

function surfacePlace({ code, message }: UpgradeFinding, json: JsonObject, index: number): Place {
  if (code === "upgrade/storage-version-changed") return existing(json, `spec.versions[${storageIndex(json)}].storage`);
  const named = /\bspec\.names\.\w+/.exec(message)?.[0];
  const candidates = [...(named === undefined ? [] : [named]), ...(SURFACE[code] ?? ["@.name"])];
  const home = index < 0 ? "spec.versions" : `spec.versions[${index}]`;
  const paths = candidates.map((each) =>
    each.startsWith("@") ? (index < 0 ? home : `${home}${each.slice(1)}`) : each,
  );
  const path = paths.find((each) => valueAt(json, each) !== undefined) ?? "spec";
  return { path, atKey: isLarge(valueAt(json, path)) };
}

/** The longest part of a path that the CRD has; a value that spans lines is marked at its name. */
function existing(json: JsonObject, path: string): Place {
  for (let at = path; at !== ""; at = at.replace(/(?:\.[^.[]*|\[[^\]]*\]|^[^.[]+)$/, "")) {
    const value = valueAt(json, at);
    if (value !== undefined) return { path: at, atKey: at !== path || isLarge(value) };
  }
  return { path: "spec", atKey: false };
}

function isLarge(value: JsonValue | undefined): boolean {
  return isArray(value) || isObject(value);
}

/** Names of properties may have dots, so paths of schemas are followed by their steps. */
function valueAt(json: JsonObject, path: string): JsonValue | undefined {
  let at: JsonValue | undefined = json;
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (index !== undefined) at = isArray(at) ? at[Number(index)] : undefined;
    else at = isObject(at) && name !== undefined ? at[name] : undefined;
  }
  return at;
}

function inner(path: string): string {
  const text = path
    .replaceAll("[*]", "\0items")
    .replaceAll("{*}", "\0additionalProperties")
    .replaceAll(/\.([^.\0]+)/g, ".properties.$1")
    .replaceAll("\0", ".");
  return text === "." ? "" : text;
}

function stepText(step: SchemaStep): string {
  if (step.kind === "property") return `.properties.${step.name}`;
  return step.kind === "item" ? ".items" : ".additionalProperties";
}

/** The keyword below its node; a rule by its place in the list. */
function keywordPath({ keyword, detail, axis }: Change, node: JsonValue | undefined): string {
  if (axis === "loss" || !isObject(node) || node[keyword] === undefined) return "";
  const rules = node[keyword];
  if (keyword === "required" && isArray(rules) && rules.includes(detail)) return `.required[${rules.indexOf(detail)}]`;
  if (keyword !== "x-kubernetes-validations" || !isArray(rules)) return `.${keyword}`;
  const text = detail.replace(/ \(optionalOldSelf\)$/, "");
  const at = rules.findIndex(
    (each) => isObject(each) && typeof each["rule"] === "string" && each["rule"].trim() === text,
  );
  return at < 0 ? `.${keyword}` : `.${keyword}[${at}].rule`;
}

/** The steps as far as the new schema has them. */
function presentSteps(json: JsonObject, index: number, path: readonly SchemaStep[]): readonly SchemaStep[] {
  const missing = path.findIndex((_, at) => schemaAt(json, index, path.slice(0, at + 1)) === undefined);
  return missing === -1 ? path : path.slice(0, missing);
}

function schemaAt({ spec }: JsonObject, index: number, path: readonly SchemaStep[]): JsonValue | undefined {
  const versions = isObject(spec) ? spec["versions"] : undefined;
  const version = isArray(versions) ? versions[index] : undefined;
  const member = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
    isObject(value) ? value[key] : undefined;
  let at = member(member(version, "schema"), "openAPIV3Schema");
  for (const step of path) {
    if (step.kind === "property") at = member(member(at, "properties"), step.name);
    else at = member(at, step.kind === "item" ? "items" : "additionalProperties");
  }
  return at;
}

function storageIndex({ spec }: JsonObject): number {
  const versions = isObject(spec) && isArray(spec["versions"]) ? spec["versions"] : [];
  return versions.findIndex((version) => isObject(version) && version["storage"] === true);
}

/** By name; schemas are not compared. */
function versionIndex({ spec }: JsonObject, name: string): number {
  const versions = isObject(spec) && isArray(spec["versions"]) ? spec["versions"] : [];
  return versions.findIndex((version) => isObject(version) && version["name"] === name);
}

/** Fields that all versions share are reported as if they were above `versions`. */
function hoisted(path: string): string {
  return path.replace(/^spec\.validation/, "spec.versions[0].schema");
}
