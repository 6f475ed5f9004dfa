/** The kinds that texts of a folder may use: those of its CRDs, and the built-in ones. */
import { type KindName, KindViews, versionsOf } from "@portcullis/checker/internal/complete/kind-views";
import type { JsonValue } from "@portcullis/engine/internal/value/json";
import type { ClusterContext } from "./cluster-context.ts";
import type { Folder } from "./folder.ts";

/** Schemas that are kept between requests. */
const MAX_KEPT = 20;

export function folderKinds(folder: Folder, context: ClusterContext): KindViews {
  const kept = new Map<string, JsonValue>();
  let revision = -1;
  const schemaOf = (name: KindName): JsonValue | undefined => {
    if (revision !== folder.revision || kept.size > MAX_KEPT) kept.clear();
    revision = folder.revision;
    const key = `${name.apiVersion} ${name.kind}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const definition = folder.definitionOf(key);
    const document = definition && context.documentOf(definition);
    for (const version of document === undefined ? [] : versionsOf(document.object)) {
      kept.set(`${version.apiVersion} ${version.kind}`, version.schema);
    }
    return kept.get(key);
  };
  return new KindViews({ names: () => folder.definedKinds(), schemaOf });
}
