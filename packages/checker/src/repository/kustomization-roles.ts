/** What the files of a repository are to its kustomizations. */
import { decodeDocuments } from "@portcullis/engine/internal/codec/documents";
import { isObject } from "@portcullis/engine/internal/value/json";
import type { Kustomization, ReadText } from "./kustomization.ts";
import { folderOf } from "./paths.ts";

export interface Role {
  /** The kustomization that reads the file and does not apply it. */
  readonly ownedBy?: string;
  readonly changedBy?: string;
  readonly namespacedBy?: string;
}

interface FoundFile {
  readonly file: string;
}

export function rolesOf(
  kustomizations: readonly Kustomization[],
  found: readonly FoundFile[],
  read: ReadText,
): ReadonlyMap<string, Role> {
  const roles = new Map<string, Role>();
  const byFolder = new Map(kustomizations.map((each) => [each.folder, each]));
  for (const { file, folder, parts } of kustomizations) {
    for (const part of [file, ...parts]) roles.set(part, { ownedBy: folder });
  }
  const applied = new Set<string>();
  for (const kustomization of kustomizations) {
    for (const file of resourcesOf(kustomization, byFolder)) {
      applied.add(file);
      const known = roles.get(file);
      if (known?.ownedBy === undefined) roles.set(file, { ...known, ...roleIn(kustomization, known) });
    }
  }
  for (const { folder, unused } of kustomizations) {
    for (const file of unused) if (!applied.has(file) && !roles.has(file)) roles.set(file, { ownedBy: folder });
  }
  addVariants({ roles, applied, byFolder }, found, read);
  return roles;
}

/** The first kustomization that changes the file is the one that is reported. */
function roleIn({ folder, changes, setsNamespace }: Kustomization, known: Role | undefined): Role {
  return {
    ...(changes && known?.changedBy === undefined && { changedBy: folder }),
    ...(setsNamespace && known?.namespacedBy === undefined && { namespacedBy: folder }),
  };
}

/** The files that a kustomization applies, also through other kustomizations. */
function resourcesOf(root: Kustomization, byFolder: ReadonlyMap<string, Kustomization>): readonly string[] {
  const files = new Set<string>();
  const seen = new Set<Kustomization>();
  const open = [root];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    for (const resource of at.resources) {
      const inner = byFolder.get(resource);
      if (inner === undefined) files.add(resource);
      else open.push(inner);
    }
  }
  return [...files];
}

interface Known {
  readonly roles: Map<string, Role>;
  readonly applied: ReadonlySet<string>;
  readonly byFolder: ReadonlyMap<string, Kustomization>;
}

/**
 * A file beside a kustomization that does not name it, with an object that the kustomization has, is a patch that a script
 * adds, or a variant. It may be incomplete.
 */
function addVariants({ roles, applied, byFolder }: Known, found: readonly FoundFile[], read: ReadText): void {
  const names = new Map<Kustomization, ReadonlySet<string>>();
  for (const { file } of found) {
    const kustomization = byFolder.get(folderOf(file));
    if (kustomization === undefined || applied.has(file) || roles.has(file)) continue;
    const known = names.get(kustomization) ?? new Set(resourcesOf(kustomization, byFolder).flatMap(objectsIn(read)));
    names.set(kustomization, known);
    if (objectsIn(read)(file).some((name) => known.has(name))) roles.set(file, { changedBy: kustomization.folder });
  }
}

/** Kinds and names. */
function objectsIn(read: ReadText): (file: string) => readonly string[] {
  return (file) =>
    decodeDocuments(read(file) ?? "").flatMap(({ document }) => {
      const object = document.error === undefined ? document.value : undefined;
      if (!isObject(object) || !isObject(object["metadata"])) return [];
      const { name } = object["metadata"];
      return typeof name === "string" ? [`${object["kind"]} ${name}`] : [];
    });
}
