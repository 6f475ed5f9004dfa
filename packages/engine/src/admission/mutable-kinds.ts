/**
 * Kinds as mutating policies change them.
 *
 * A mutated built-in object is decoded into its Go type again, a JSON patch by the strict decoder; a custom resource is
 * a map that only needs a kind here. Both are defaulted again.
 */

import { invalidConversion } from "../apply/messages.ts";
import type { Completed, FieldManagerScope } from "../apply/scope.ts";
import { customResourceTypes } from "../apply/types/custom-resource-types.ts";
import type { ResourceTypes } from "../apply/types/typed.ts";
import { builtinTypes } from "../builtin/apply-types.ts";
import { builtinResources, type DecodedFields } from "../builtin/builtin.ts";
import { withHeader } from "../builtin/decode.ts";
import { notRegistered, unknownConversion } from "../builtin/messages.ts";
import { shapeOf } from "../builtin/shapes.ts";
import { asWritten } from "../builtin/stored.ts";
import { decodeTypedBody, withLiteral } from "../builtin/strict.ts";
import { type StructType, structOfKind } from "../builtin/types.ts";
import { fromUnstructured } from "../builtin/unstructured.ts";
import { decodeJson } from "../codec/json.ts";
import { strictDecoding } from "../codec/messages.ts";
import type { CustomResourceDefinition } from "../crd/definition.ts";
import { decodeGo } from "../field/go-decode.ts";
import type { GoDecodeOptions } from "../field/go-decode-state.ts";
import { formatKind, type GroupVersionKind, sameKind } from "../policy/attributes.ts";
import type { MatchedKind, MutableKind, MutableKinds } from "../policy/mutating/kinds.ts";
import * as messages from "../review/custom-resource/messages.ts";
import { applyDefaults } from "../schema/default.ts";
import type { Structural } from "../schema/structural.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";

const builtins = new Map<string, MutableKind | undefined>();

/**
 * Undefined if there is no such built-in kind.
 *
 * Upstream reads merge types from the schemas that are published for the kind's group and version: those of a
 * subresource's kind are published elsewhere, and it cannot be merged. What it made of an object in another version than
 * that of the request it wants to convert directly, which no built-in kind can.
 */
export function builtinMutableKind(
  { kind, resource }: Pick<MatchedKind, "kind" | "resource">,
  requested: GroupVersionKind,
): MutableKind | undefined {
  const key = formatKind(kind);
  if (!builtins.has(key)) builtins.set(key, makeBuiltin(kind));
  const made = builtins.get(key);
  if (made === undefined) return undefined;
  const isPublished = kind.group === resource.group && kind.version === resource.version;
  const refusal = sameKind(kind, requested) ? undefined : unknownConversion(goName(kind), goName(requested));
  return { ...made, types: isPublished ? made.types : NO_TYPES, refusal };
}

const NO_TYPES: ResourceTypes = { typeOf: () => undefined, convert: () => ({ outcome: "missing" }) };

function goName({ group, version, kind }: GroupVersionKind): string {
  return structOfKind(group, version, kind)?.go ?? kind;
}

/** The scale of a custom resource, which upstream fails to convert to itself. */
export function customScaleKind(
  matched: Pick<MatchedKind, "kind" | "resource">,
  requested: GroupVersionKind,
): MutableKind | undefined {
  const made = builtinMutableKind(matched, requested);
  return made && { ...made, refusal: invalidConversion(`${requested.group}/${requested.version}`) };
}

function makeBuiltin(kind: GroupVersionKind): MutableKind | undefined {
  const type = structOfKind(kind.group, kind.version, kind.kind);
  if (type === undefined) return undefined;
  const decode = fieldsDecoder(kind, type);
  return {
    types: builtinTypes,
    written: (object) => asWritten(object, type),
    complete(object) {
      const converted = fromUnstructured(object, type);
      if (converted.error !== undefined) {
        return { error: messages.notUnstructured(formatKind(kind), converted.error) };
      }
      return { object: decode(converted.object).value };
    },
    encode: (object) => canonicalJson(object),
    decode: (text) => decodeStrictly(text, kind, type, decode),
  };
}

type DecodeFields = (json: JsonObject, options?: GoDecodeOptions) => DecodedFields;

/** Kinds that are no resources, such as Scale, have no defaults. */
function fieldsDecoder({ group, version, kind }: GroupVersionKind, type: StructType): DecodeFields {
  const resource = builtinResources().find(
    (each) => each.group === group && each.version === version && each.kind === kind,
  );
  if (resource !== undefined) return resource.decodeFields;
  return (json, options) => {
    const { value, unknown, error } = decodeGo(json, shapeOf(type), options);
    return { value: isObject(value) ? value : newObject(), unknown, error };
  };
}

function decodeStrictly(text: string, kind: GroupVersionKind, type: StructType, decode: DecodeFields): Completed {
  const body = decodeJson(text, { duplicates: true });
  if (body.error !== undefined) return { error: body.error };
  const other = otherKind(body.value, kind);
  if (other !== undefined) return { error: other };
  const { value, strictErrors } = body;
  const { decoded, findings } = decodeTypedBody({ value, strictErrors, text: () => text }, shapeOf(type), decode);
  if (decoded.error !== undefined) return { error: withLiteral(decoded.error, text) };
  if (findings.length > 0) return { error: strictDecoding(findings) };
  return { object: withHeader(decoded.value, kind) };
}

/** What is said where the text claims to be of another kind. */
function otherKind(value: unknown, { group, version, kind }: GroupVersionKind): string | undefined {
  const header: Readonly<Record<string, unknown>> = typeof value === "object" && value !== null ? { ...value } : {};
  const own = group === "" ? version : `${group}/${version}`;
  const [foundKind, foundVersion] = [header["kind"] || kind, header["apiVersion"] || own];
  if (foundKind === kind && foundVersion === own) return undefined;
  return notRegistered(String(foundKind), String(foundVersion));
}

/** How objects of a custom resource merge and are defaulted. */
export type CustomKind = Pick<FieldManagerScope, "types" | "complete">;

/** A kind of a CRD as mutating policies need it: how it merges, and how a patched text becomes an object. */
export function customMutableKind({ types, complete }: CustomKind): MutableKind {
  return {
    types,
    written: (object) => object,
    complete,
    encode: (object) => canonicalJson(object),
    decode(text) {
      const decoded = decodeJson(text);
      if (decoded.error !== undefined) return { error: decoded.error };
      const { value } = decoded;
      const isKnown = isObject(value) && typeof value["kind"] === "string" && value["kind"] !== "";
      return isKnown ? complete(value) : { error: messages.kindMissing(text) };
    },
  };
}

/** The kinds of definitions, and the built-in ones. */
export function mutableKindsFrom(definitions: readonly CustomResourceDefinition[]): MutableKinds {
  return {
    find(matched, requested) {
      const { group, version, resource } = matched.resource;
      const definition = definitions.find((each) => each.group === group && each.names.plural === resource);
      if (definition === undefined) return builtinMutableKind(matched, requested);
      return matched.subresource === "scale"
        ? customScaleKind(matched, requested)
        : definedMutableKind(definition, version);
    },
  };
}

function definedMutableKind(definition: CustomResourceDefinition, version: string): MutableKind | undefined {
  const found = definition.versions.find(({ name }) => name === version);
  if (found === undefined) return undefined;
  const { group, names, preserveUnknownFields, versions } = definition;
  const types = customResourceTypes({ group, kind: names.kind, preserveUnknownFields, versions });
  return customMutableKind({ types, complete: (object) => ({ object: defaulted(object, found.schema) }) });
}

function defaulted(object: JsonObject, schema: Structural | undefined): JsonObject {
  const result = applyDefaults(object, schema);
  return isObject(result) ? result : object;
}
