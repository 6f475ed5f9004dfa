/** Objects that conversions make. */
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { metaOf, textOf } from "@portcullis/engine/internal/value/metadata";

/** Something that the converted policy does not do, or does otherwise. */
export interface Loss {
  readonly object: string;
  readonly path: string;
  readonly message: string;
}

export interface Conversion {
  readonly objects: readonly JsonObject[];
  readonly losses: readonly Loss[];
}

/** A policy of Kubernetes; members that are undefined are left out. */
export function policyObject(kind: string, name: string, spec: Readonly<Record<string, unknown>>): JsonObject {
  const present = Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined));
  const made = fromPlain({ apiVersion: "admissionregistration.k8s.io/v1", kind, metadata: { name }, spec: present });
  if (!isObject(made)) throw new Error("a policy is an object");
  return made;
}

export function nameIn(object: JsonObject): string {
  return textOf(metaOf(object)["name"]);
}

/** A text as a CEL literal. */
export function celText(text: string): string {
  return JSON.stringify(text);
}
