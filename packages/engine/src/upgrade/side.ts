/**
 * One CRD of a comparison, with the values derived from it: decoded, as a cluster would store it, and compiled.
 *
 * Each value is computed once per CRD, however often it is compared: while a user edits the new side, the old one
 * stays, and versions of one CRD are compared with each other in pairs.
 */
import { encodeDefinition } from "../crd/decode.ts";
import { type CustomResourceDefinition, type DefinitionVersion, readDefinition } from "../crd/definition.ts";
import { prepareForCreate } from "../crd/prepare.ts";
import { type CustomResource, compileResource, type EngineOptions } from "../review/custom-resource/custom-resource.ts";
import { isArray, isObject, type JsonObject, newObject } from "../value/json.ts";
import { withMember } from "../value/rewrite.ts";

export class Side {
  readonly definition: CustomResourceDefinition;
  readonly #options: EngineOptions;
  readonly #compiled = new Map<DefinitionVersion, CustomResource>();
  #stored: JsonObject | undefined;
  #schemaTexts: ReadonlyMap<string, string> | undefined;

  /** `json` is decoded (`crd/decode`). */
  constructor(json: JsonObject, options: EngineOptions) {
    this.definition = readDefinition(json);
    this.#options = options;
  }

  /** As it is in a cluster: accepted once, with established names and the stored versions it reports. */
  get stored(): JsonObject {
    this.#stored ??= storedForm(this.definition.json, this.#options);
    return this.#stored;
  }

  compile(version: DefinitionVersion): CustomResource {
    const known = this.#compiled.get(version);
    if (known !== undefined) return known;
    const compiled = compileResource(this.definition, version, this.#options);
    this.#compiled.set(version, compiled);
    return compiled;
  }

  /** The canonical text of the schema of a version; "" if it has none. */
  schemaText(version: string): string {
    this.#schemaTexts ??= schemaTexts(this.definition.json);
    return this.#schemaTexts.get(version) ?? "";
  }

  isMadeWith({ version, gates }: EngineOptions): boolean {
    const { version: own, gates: ownGates } = this.#options;
    return (
      version === own &&
      gates.CRDValidationRatcheting === ownGates.CRDValidationRatcheting &&
      gates.CRDPropertyNameSchemas === ownGates.CRDPropertyNameSchemas
    );
  }
}

const sides = new WeakMap<JsonObject, Side>();

export function sideOf(json: JsonObject, options: EngineOptions): Side {
  const known = sides.get(json);
  if (known?.isMadeWith(options) === true) return known;
  const side = new Side(json, options);
  sides.set(json, side);
  return side;
}

function schemaTexts(json: JsonObject): ReadonlyMap<string, string> {
  const { spec } = encodeDefinition(json);
  const versions = isObject(spec) && isArray(spec["versions"]) ? spec["versions"].filter(isObject) : [];
  return new Map(
    versions.map(({ name, schema }) => [String(name), schema === undefined ? "" : JSON.stringify(schema)]),
  );
}

function storedForm(json: JsonObject, { gates }: EngineOptions): JsonObject {
  const prepared = prepareForCreate(json, gates);
  const reported = isObject(json["status"]) ? json["status"] : newObject();
  const established = newObject();
  Object.assign(established, { type: "Established", status: "True" });
  const status = isObject(prepared["status"]) ? prepared["status"] : newObject();
  const stored = reported["storedVersions"] ?? status["storedVersions"] ?? [];
  const acceptedStatus = withMember(withMember(status, "storedVersions", stored), "conditions", [established]);
  return withRevision(withMember(prepared, "status", acceptedStatus));
}

/** Adds a revision, which every update must name. */
export function withRevision(json: JsonObject): JsonObject {
  const metadata = isObject(json["metadata"]) ? json["metadata"] : newObject();
  return withMember(json, "metadata", withMember(metadata, "resourceVersion", "1"));
}
