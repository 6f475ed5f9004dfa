/**
 * The object of a request as mutating webhooks see and change it, each in the version of its rule.
 *
 * A changed object is converted back to the version of the request before it is converted to another one. Follows
 * apiserver pkg/admission/conversion.go, and for custom resources apiextensions pkg/apiserver/conversion/converter.go.
 */
import {
  type AdmissionAttributes,
  type EquivalentResources,
  formatKind,
  type GroupVersionKind,
  parseGroupVersion,
  sameKind,
} from "../policy/attributes.ts";
import type { JsonObject } from "../value/json.ts";
import { textOf } from "../value/read.ts";
import { withMember } from "../value/rewrite.ts";
import type { VersionedObjects } from "./conditions.ts";
import * as messages from "./messages.ts";

export interface VersionedState extends VersionedObjects {
  /** The object in the version of the request, with the changes up to the last conversion. */
  readonly base: JsonObject | undefined;
  /** The changed object with the empty lists and maps that JSON does not show. */
  readonly kept?: JsonObject | undefined;
  /** Whether the object was changed since it was converted. */
  readonly isDirty: boolean;
}

export interface ConversionContext {
  readonly equivalents: EquivalentResources;
  readonly isCustom: boolean;
  /** An object as JSON shows it. */
  readonly written?: ((object: JsonObject, kind: GroupVersionKind) => JsonObject) | undefined;
  /** What becomes of a patched object, where that is not the object of the request yet. */
  readonly complete?: ((object: JsonObject) => JsonObject | string) | undefined;
}

/**
 * The state as another kind; a string is the reason why it cannot be converted. `state` is undefined before the first
 * webhook.
 */
export function versionedAs(
  kind: GroupVersionKind,
  state: VersionedState | undefined,
  attributes: AdmissionAttributes,
  context: ConversionContext,
): VersionedState | string {
  if (state !== undefined && sameKind(state.kind, kind)) return state;
  const convert = (object: JsonObject | undefined): JsonObject | string | undefined =>
    object === undefined || sameKind(kind, attributes.kind) ? object : context.equivalents.convert(object, kind);
  const oldObject = convert(attributes.oldObject);
  if (typeof oldObject === "string") return oldObject;
  const base = state === undefined ? attributes.object : baseOf(state, attributes, context);
  if (typeof base === "string") return base;
  const object = convert(base);
  if (typeof object === "string") return object;
  return { kind, base, object: object && (context.written?.(object, kind) ?? object), oldObject, isDirty: false };
}

/** The object in the version of the request; a string is the reason why it cannot be converted. */
export function baseOf(
  state: VersionedState,
  attributes: AdmissionAttributes,
  { equivalents, isCustom, complete }: ConversionContext,
): JsonObject | string | undefined {
  const { kept, object, isDirty, base, kind } = state;
  if (!isDirty || object === undefined) return base;
  if (complete !== undefined) return complete(object);
  if (isCustom) return customBase(object, attributes, equivalents);
  const full = kept ?? object;
  return sameKind(kind, attributes.kind) ? full : equivalents.convert(full, attributes.kind);
}

/** The patched `apiVersion` and `kind` decide how a custom resource is converted. */
function customBase(
  object: JsonObject,
  { kind: target, resource }: AdmissionAttributes,
  equivalents: EquivalentResources,
): JsonObject | string {
  const from = claimedKind(object);
  const wanted = `${target.group}/${target.version}`;
  if (from.group !== target.group) return messages.notSuitable(formatKind(from), wanted);
  if (from.version === target.version) return object;
  const versions = equivalents.equivalents(resource, "").map(({ version }) => version);
  if (!versions.includes(from.version)) return messages.invalidSource(`${from.group}/${from.version}`);
  const converted = equivalents.convert(object, { ...target, kind: from.kind });
  return typeof converted === "string" ? converted : withMember(converted, "apiVersion", wanted);
}

function claimedKind(object: JsonObject): GroupVersionKind {
  const { group, version } = parseGroupVersion(textOf(object["apiVersion"])) ?? { group: "", version: "" };
  return { group, version, kind: textOf(object["kind"]) };
}
