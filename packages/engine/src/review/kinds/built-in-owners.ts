/** Who owns fields of built-in kinds: the merge types of their Go types, and the fields that each endpoint resets. */

import { withEmptyEntries } from "../../apply/managers/managed-entries.ts";
import type { Completed, FieldManagerScope } from "../../apply/scope.ts";
import { builtinTypes } from "../../builtin/apply-types.ts";
import type { BuiltinResource } from "../../builtin/builtin.ts";
import { type Kind, normalize } from "../../builtin/decode.ts";
import { SCALE_KIND } from "../../builtin/scale.ts";
import { asWritten } from "../../builtin/stored.ts";
import { type StructType, structOfKind } from "../../builtin/types.ts";
import { fromUnstructured } from "../../builtin/unstructured.ts";
import { decodeJson } from "../../codec/json.ts";
import { makePath } from "../../fieldset/path.ts";
import { type FieldSet, setOf } from "../../fieldset/set.ts";
import { isObject, type JsonObject } from "../../value/json.ts";
import { objectOf } from "../../value/metadata.ts";
import { apiVersionOf } from "../kind.ts";
import * as messages from "../messages.ts";

/** The parts of a kind that ownership needs. */
export interface OwnedKind extends Pick<BuiltinResource, "group" | "version" | "kind" | "resetFields"> {
  decodeFields(json: JsonObject): { readonly value: JsonObject };
}

/** Undefined for subresources whose fields have no owners. */
export function builtinFieldScope(resource: OwnedKind, subresource: string): FieldManagerScope | undefined {
  if (subresource === "scale") return scaleScope;
  const reset = setOf(...resource.resetFields(subresource).map((path) => makePath(...path)));
  const type = typeOf(resource);
  const scope = scopeFor(resource, subresource, reset, (object) => completeTyped(object, resource, type));
  return { ...scope, written: (object) => withEmptyEntries(asWritten(object, type), object) };
}

const scaleScope = scopeFor(SCALE_KIND, "scale", setOf(), (object) => ({ object }));

/** Merging gives a map; upstream's converter makes it an object of the Go type, and has its own messages. */
function completeTyped(object: JsonObject, resource: OwnedKind, type: StructType): Completed {
  const converted = fromUnstructured(object, type);
  if (converted.error !== undefined) {
    return { error: messages.notUnstructured(apiVersionOf(resource), resource.kind, converted.error) };
  }
  return { object: resource.decodeFields(converted.object).value };
}

function typeOf({ group, version, kind }: Kind): StructType {
  const type = structOfKind(group, version, kind);
  if (type === undefined) throw new Error(`no built-in kind ${kind}`);
  return type;
}

function scopeFor(
  kind: Kind,
  subresource: string,
  reset: FieldSet,
  complete: FieldManagerScope["complete"],
): FieldManagerScope {
  const apiVersion = apiVersionOf(kind);
  return {
    apiVersion,
    kind: kind.kind,
    subresource,
    types: builtinTypes,
    resetFields: new Map([[apiVersion, reset]]),
    emptyObject: normalize(objectOf({ kind: kind.kind, apiVersion }), kind),
    complete,
    parseJson,
  };
}

function parseJson(text: string): JsonObject | undefined {
  const decoded = decodeJson(text);
  return decoded.error === undefined && isObject(decoded.value) ? decoded.value : undefined;
}
