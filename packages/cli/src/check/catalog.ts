/** The kinds that the definitions among the inputs describe. */
import { readDefinition } from "@portcullis/engine/crd/definition";
import {
  type CustomResource,
  compileResource,
  type EngineOptions,
} from "@portcullis/engine/review/custom-resource/custom-resource";
import type { ManifestDocument } from "../input/manifest.ts";
import { isDefinition } from "./definition.ts";

export interface Catalog {
  /** The compiled resource, or undefined where no definition has this version and kind. */
  find(apiVersion: string, kind: string): CustomResource | undefined;
  /** All kinds, as `apiVersion kind`. */
  readonly kinds: readonly string[];
}

/** A later definition of the same name replaces an earlier one. Schemas are compiled when first needed. */
export function buildCatalog(documents: readonly ManifestDocument[], options: EngineOptions): Catalog {
  const entries = new Map<string, () => CustomResource>();
  for (const document of documents.filter(isDefinition)) {
    const definition = readDefinition(document.object);
    for (const version of definition.versions) {
      const key = keyOf(`${definition.group}/${version.name}`, definition.names.kind);
      entries.set(
        key,
        once(() => compileResource(definition, version, options)),
      );
    }
  }
  return { find: (apiVersion, kind) => entries.get(keyOf(apiVersion, kind))?.(), kinds: [...entries.keys()] };
}

function keyOf(apiVersion: string, kind: string): string {
  return `${apiVersion} ${kind}`;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
