/** The fields of every kind that can be written: built-in kinds, and kinds of CRDs that the caller knows. */
import { type BuiltinResource, builtinResources } from "@portcullis/engine/internal/builtin/builtin";
import { structOfKind } from "@portcullis/engine/internal/builtin/types";
import { definitionShape } from "@portcullis/engine/internal/crd/shape";
import { policyShapes } from "@portcullis/engine/internal/policy/objects/shape";
import { parseSchema } from "@portcullis/engine/internal/schema/parse";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { builtinView } from "./builtin-view.ts";
import { schemaView, shapeView, type View } from "./view.ts";

export interface KindName {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A version of a CRD. */
export interface DefinedKind extends KindName {
  readonly group: string;
  readonly plural: string;
}

/** The kinds of CRDs. Schemas are asked for one by one, because a workspace may have hundreds. */
export interface DefinedKinds {
  readonly names: () => readonly DefinedKind[];
  readonly schemaOf: (name: KindName) => JsonValue | undefined;
}

const CRD: KindName = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };

export class KindViews {
  readonly #defined: DefinedKinds;

  constructor(defined: DefinedKinds) {
    this.#defined = defined;
  }

  find({ apiVersion, kind }: KindName): View | undefined {
    if (kind === CRD.kind) return shapeView(definitionShape);
    const shape = POLICY_SHAPES[kind];
    if (shape !== undefined) return shapeView(policyShapes("v1")[shape]);
    const schema = this.#defined.schemaOf({ apiVersion, kind });
    if (schema !== undefined) return schemaView(parseSchema(schema), true);
    const builtin = builtinResources().find((each) => each.kind === kind && apiVersionOf(each) === apiVersion);
    if (builtin === undefined) return undefined;
    const struct = structOfKind(builtin.group, builtin.version, builtin.kind);
    const view = shapeView(builtin.shape);
    return struct === undefined ? view : builtinView(view, struct, builtin.group);
  }

  /** The kind of a resource, such as `deployments` of `apps`; any version if it is `*`. */
  ofResource(group: string, version: string, plural: string): KindName | undefined {
    const fits = (each: { readonly group: string; readonly plural: string }, own: string): boolean =>
      each.plural === plural && each.group === group && (version === "*" || own === version);
    const defined = this.#defined.names().find((each) => fits(each, each.apiVersion.slice(each.group.length + 1)));
    if (defined !== undefined) return defined;
    const builtin = builtinResources().find((each) => fits(each, each.version));
    return builtin && { apiVersion: apiVersionOf(builtin), kind: builtin.kind };
  }

  /** The values of `kind` or `apiVersion` that fit the other one, if that is known already. */
  headers(key: keyof KindName, given: KindName): string[] {
    const all: KindName[] = [
      ...this.#defined.names(),
      ...builtinResources().map((each) => ({ apiVersion: apiVersionOf(each), kind: each.kind })),
      CRD,
    ];
    const other = key === "kind" ? "apiVersion" : "kind";
    const fitting = all.filter((each) => each[other] === given[other]);
    return [...new Set((fitting.length > 0 ? fitting : all).map((each) => each[key]))].sort();
  }
}

/** The kinds of CRDs that are in memory. */
export function definedKindsOf(definitions: () => readonly JsonObject[]): DefinedKinds {
  const all = () => definitions().flatMap(versionsOf);
  return {
    names: all,
    schemaOf: (name) => all().find((each) => each.apiVersion === name.apiVersion && each.kind === name.kind)?.schema,
  };
}

/** The versions that a CRD serves, with their schemas. */
export function versionsOf({ spec }: JsonObject): readonly (DefinedKind & { readonly schema: JsonValue })[] {
  const versions = valueAt(spec, ["versions"]);
  const group = String(valueAt(spec, ["group"]));
  const served = (isArray(versions) ? versions : []).filter((version) => valueAt(version, ["served"]) !== false);
  return served.map((version) => ({
    apiVersion: `${group}/${valueAt(version, ["name"])}`,
    kind: String(valueAt(spec, ["names", "kind"])),
    group,
    plural: String(valueAt(spec, ["names", "plural"])),
    schema: valueAt(version, ["schema", "openAPIV3Schema"]) ?? null,
  }));
}

export function valueAt(json: JsonValue | undefined, path: readonly (string | number)[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, step) => {
    if (typeof step === "number") return isArray(value) ? value[step] : undefined;
    return isObject(value) ? value[step] : undefined;
  }, json);
}

const POLICY_SHAPES: Readonly<Record<string, keyof ReturnType<typeof policyShapes>>> = {
  ValidatingAdmissionPolicy: "policy",
  ValidatingAdmissionPolicyBinding: "binding",
  MutatingAdmissionPolicy: "mutatingPolicy",
  MutatingAdmissionPolicyBinding: "mutatingBinding",
};

function apiVersionOf({ group, version }: Pick<BuiltinResource, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}
