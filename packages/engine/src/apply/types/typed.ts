/**
 * Objects together with their types, and the versions they can be converted to.
 *
 * Follows apimachinery util/managedfields/internal/{typeconverter,versionconverter}.go.
 */
import { isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { type KubernetesVersion, minorOf } from "../../value/server-version.ts";
import { isDeeperThan, MAX_OBJECT_DEPTH } from "../depth.ts";
import { withoutManagedFields } from "../managers/managed-entries.ts";
import { DepthError, MergeError } from "../merge-error.ts";
import * as messages from "../messages.ts";
import { formatFindings, type ValidateOptions, validateType } from "../validate.ts";
import { formatKind, kindOf, parseGroupVersion } from "./kind.ts";
import type { MergeType } from "./types.ts";

/** INVARIANT: the value fits the type. */
export interface Typed {
  readonly type: MergeType;
  readonly value: JsonValue;
}

/** What a resource says about its versions. Built-in kinds and custom resources each have their own. */
export interface ResourceTypes {
  /** The type of objects of this kind; undefined if the kind is not known in this version. */
  typeOf(apiVersion: string, kind: string): MergeType | undefined;
  convert(object: JsonObject, apiVersion: string): Conversion;
  /** Whether an item of a keyed list must have all keys, as before Kubernetes 1.34; one is enough otherwise. */
  readonly needsAllKeys?: boolean;
}

/** The same types as a server of this version applies them. */
export function typesOfServer(types: ResourceTypes, version: KubernetesVersion): ResourceTypes {
  return { ...types, needsAllKeys: minorOf(version) < 34 };
}

export type Conversion =
  | { readonly outcome: "converted"; readonly object: JsonObject }
  /** The version does not exist any more: who owned fields in it is forgotten. */
  | { readonly outcome: "missing" }
  | { readonly outcome: "failed"; readonly reason: string };

export function asTyped(types: ResourceTypes, object: JsonObject, options: ValidateOptions): Typed {
  const type = typeOfObject(types, object);
  if (type === undefined) throw new MergeError(messages.noType(formatKind(kindOf(object))));
  if (isDeeperThan(withoutManagedFields(object), MAX_OBJECT_DEPTH))
    throw new DepthError(messages.deepObject(MAX_OBJECT_DEPTH));
  const findings = validateType(type, object, { ...options, needsAllKeys: types.needsAllKeys ?? false });
  if (findings.length > 0) throw new MergeError(formatFindings(findings));
  return { type, value: object };
}

/** Undefined if the version does not exist any more. */
export function convertTyped(types: ResourceTypes, typed: Typed, apiVersion: string): Typed | undefined {
  const { value } = typed;
  if (!isObject(value)) throw new MergeError(messages.notAnObject(value));
  const target = parseGroupVersion(apiVersion);
  if (target === undefined) throw new MergeError(messages.badGroupVersion(apiVersion));
  const from = kindOf(value);
  if (from.group === target.group && from.version === target.version) return typed;
  const conversion = types.convert(value, apiVersion);
  if (conversion.outcome === "missing") return undefined;
  if (conversion.outcome === "failed") throw new MergeError(conversion.reason);
  if (typeOfObject(types, conversion.object) === undefined) return undefined;
  return asTyped(types, conversion.object, { allowDuplicates: false });
}

function typeOfObject(types: ResourceTypes, object: JsonObject): MergeType | undefined {
  const { apiVersion, kind } = object;
  return types.typeOf(typeof apiVersion === "string" ? apiVersion : "", typeof kind === "string" ? kind : "");
}
