/**
 * The visible parts of a CRD besides its schemas: versions, names, scope, subresources, selectors, columns, conversion.
 */
import type { CustomResourceDefinition, DefinitionVersion } from "../crd/definition.ts";
import { canonicalJson } from "../value/text.ts";

export interface SurfaceChange {
  readonly code: SurfaceCode;
  /** "" if it concerns the whole CRD. */
  readonly version: string;
  readonly detail: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export type SurfaceCode =
  | "scope-changed"
  | "group-changed"
  | "kind-changed"
  | "names-changed"
  | "stored-version-removed"
  | "version-removed"
  | "version-not-served"
  | "version-deprecated"
  | "storage-version-changed"
  | "conversion-changed"
  | "status-added"
  | "status-removed"
  | "scale-removed"
  | "scale-changed"
  | "selectable-field-removed"
  | "column-removed"
  | "preserve-unknown-fields-off";

export function surfaceChanges(old: CustomResourceDefinition, next: CustomResourceDefinition): SurfaceChange[] {
  return [...definitionChanges(old, next), ...old.versions.flatMap((version) => versionChanges(version, next))];
}

function definitionChanges(old: CustomResourceDefinition, next: CustomResourceDefinition): SurfaceChange[] {
  const found: SurfaceChange[] = [];
  const compare = (code: SurfaceCode, detail: string, before: string, after: string): void => {
    if (before !== after) found.push({ code, version: "", detail, before, after });
  };
  compare("scope-changed", "spec.scope", old.scope, next.scope);
  compare("group-changed", "spec.group", old.group, next.group);
  compare("kind-changed", "spec.names.kind", old.names.kind, next.names.kind);
  for (const key of ["plural", "singular", "listKind"] as const) {
    compare("names-changed", `spec.names.${key}`, old.names[key], next.names[key]);
  }
  const lost = (before: readonly string[], after: readonly string[]) => before.filter((each) => !after.includes(each));
  for (const [key, before, after] of [
    ["shortNames", old.names.shortNames, next.names.shortNames],
    ["categories", old.names.categories, next.names.categories],
  ] as const) {
    for (const name of lost(before, after)) {
      found.push({ code: "names-changed", version: "", detail: `spec.names.${key}`, before: name, after: undefined });
    }
  }
  const names = next.versions.map(({ name }) => name);
  for (const stored of lost(storedVersions(old), names)) {
    found.push({
      code: "stored-version-removed",
      version: stored,
      detail: "status.storedVersions",
      before: stored,
      after: undefined,
    });
  }
  compare("storage-version-changed", "storage", storageOf(old), storageOf(next));
  compare("conversion-changed", "spec.conversion.strategy", strategyOf(old), strategyOf(next));
  if (strategyOf(old) === strategyOf(next)) {
    compare("conversion-changed", "spec.conversion.webhook", webhookOf(old), webhookOf(next));
  }
  if (old.preserveUnknownFields && !next.preserveUnknownFields) {
    found.push({
      code: "preserve-unknown-fields-off",
      version: "",
      detail: "spec.preserveUnknownFields",
      before: "true",
      after: undefined,
    });
  }
  return found;
}

/** A CRD in a manifest has no status: its storage version counts as stored. */
function storedVersions(definition: CustomResourceDefinition): readonly string[] {
  if (definition.storedVersions.length > 0) return definition.storedVersions;
  return definition.versions.filter(({ storage }) => storage).map(({ name }) => name);
}

function storageOf({ versions }: CustomResourceDefinition): string {
  return versions.find(({ storage }) => storage)?.name ?? "";
}

export function strategyOf({ conversion }: CustomResourceDefinition): string {
  return typeof conversion?.["strategy"] === "string" ? conversion["strategy"] : "None";
}

function webhookOf({ conversion }: CustomResourceDefinition): string {
  return conversion?.["webhook"] === undefined ? "" : canonicalJson(conversion["webhook"]);
}

function versionChanges(old: DefinitionVersion, definition: CustomResourceDefinition): SurfaceChange[] {
  const next = definition.versions.find(({ name }) => name === old.name);
  const change = (code: SurfaceCode, detail: string, before?: string, after?: string): SurfaceChange => ({
    code,
    version: old.name,
    detail,
    before,
    after,
  });
  if (next === undefined) return old.served ? [change("version-removed", "served version", old.name)] : [];
  const found: SurfaceChange[] = [];
  if (old.served && !next.served) found.push(change("version-not-served", "served", "true", "false"));
  if (!old.deprecated && next.deprecated) found.push(change("version-deprecated", "deprecated", "false", "true"));
  const [before, after] = [old.subresources, next.subresources];
  if (before?.status === true && after?.status !== true)
    found.push(change("status-removed", "subresources.status", "present"));
  if (before?.status !== true && after?.status === true)
    found.push(change("status-added", "subresources.status", undefined, "present"));
  if (before?.scale !== undefined) {
    const [one, other] = [JSON.stringify(before.scale), JSON.stringify(after?.scale)];
    if (after?.scale === undefined) found.push(change("scale-removed", "subresources.scale", one));
    else if (one !== other) found.push(change("scale-changed", "subresources.scale", one, other));
  }
  for (const field of old.selectableFields) {
    if (!next.selectableFields.includes(field)) found.push(change("selectable-field-removed", field, field));
  }
  for (const column of old.columns) {
    if (!next.columns.some(({ name }) => name === column.name))
      found.push(change("column-removed", column.name, column.jsonPath));
  }
  return found;
}
