/** Sample objects of a CRD, for documentation and for `config/samples`. */
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import { type DefinitionVersion, readDefinition } from "@portcullis/engine/internal/crd/definition";
import { formatFieldError } from "@portcullis/engine/internal/field/format";
import { compatibilityVersion, minorOf } from "@portcullis/engine/internal/kubecel/versions";
import {
  compileResource,
  type EngineOptions,
} from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { exampleObjects } from "@portcullis/engine/internal/upgrade/witness/example-object";
import type { JsonObject } from "@portcullis/engine/internal/value/json";

export interface Sample {
  readonly apiVersion: string;
  readonly kind: string;
  /** With only what is required; undefined if no accepted object was found. */
  readonly minimal: JsonObject | undefined;
  /** With all fields that can be set together. */
  readonly full: JsonObject | undefined;
  /** The fields that do not, with the API server's message. */
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
}

/** Of the version with this name, or of the one that is stored. `json` is a CRD that the API server accepts. */
export function sampleOf(json: JsonObject, engine: EngineOptions, name?: string): Sample | undefined {
  const definition = readDefinition(decodeDefinition(json).value);
  const version = definition.versions.find((each) => (name === undefined ? each.storage : each.name === name));
  if (version === undefined) return undefined;
  const resource = compileResource(definition, version, engine);
  const { minimal, full, leftOut } = exampleObjects(resource, minorOf(compatibilityVersion(engine.version)));
  return {
    apiVersion: `${definition.group}/${version.name}`,
    kind: definition.names.kind,
    minimal,
    full,
    leftOut: leftOut.map(({ path, error }) => ({
      path,
      reason: error === undefined ? "the schema has too many fields" : formatFieldError(error),
    })),
  };
}

/** The names of the versions of a CRD. */
export function versionsOf(json: JsonObject): readonly DefinitionVersion["name"][] {
  return readDefinition(decodeDefinition(json).value).versions.map(({ name }) => name);
}
