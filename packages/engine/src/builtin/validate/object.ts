/** Validates a whole object of a built-in kind: its metadata, then the rules of its kind. */
import type { FieldError } from "../../field/error.ts";
import { newPath } from "../../field/path.ts";
import { validateMeta, validateMetaUpdate } from "../../schema/object-meta.ts";
import type { JsonObject } from "../../value/json.ts";
import { since } from "../../value/server-version.ts";
import type { BuiltinKind } from "../kinds/kind.ts";
import { metaOf } from "../object.ts";
import type { ResourceInfo } from "../resources.ts";
import type { ServiceNetwork } from "../strategies/service-network.ts";
import { validateFinalizerNames } from "./finalizers.ts";

const METADATA = newPath("metadata");

type Scope = Pick<ResourceInfo, "namespaced">;

interface CreateContext {
  readonly network?: ServiceNetwork | undefined;
  /** Given where an update is validated as a new object as well. */
  readonly old?: JsonObject | undefined;
}

export function validateObject(
  object: JsonObject,
  scope: Scope,
  kind: BuiltinKind,
  { network, old }: CreateContext = {},
): FieldError[] {
  const first = kind.validateFirst?.(object, undefined, network) ?? [];
  if (first.length > 0) return first;
  if (kind.metadata.create === "last") return validateMetadataLast(object, scope, kind);
  return [...validateWholeMetadata(object, scope, kind), ...(kind.validate?.(object, old) ?? [])];
}

/** The generic rules run last, and only for objects that the kind accepts. */
function validateMetadataLast(object: JsonObject, { namespaced }: Scope, kind: BuiltinKind): FieldError[] {
  const errors = kind.validate?.(object) ?? [];
  const { checkName } = kind;
  return errors.length > 0 ? errors : validateMeta(metaOf(object), { namespaced, checkName }, METADATA);
}

function validateWholeMetadata(object: JsonObject, { namespaced }: Scope, kind: BuiltinKind): FieldError[] {
  const checkName = kind.checkNameOf?.(object) ?? kind.checkName;
  return [...validateMeta(metaOf(object), { namespaced, checkName }, METADATA), ...validateFinalizers(object, kind)];
}

export function validateObjectUpdate(
  { object, old }: { readonly object: JsonObject; readonly old: JsonObject },
  scope: Scope,
  kind: BuiltinKind,
  network?: ServiceNetwork,
): FieldError[] {
  const first = kind.validateFirst?.(object, old, network) ?? [];
  if (first.length > 0) return first;
  const validate = kind.validateUpdate ?? kind.validate;
  const isTwice = kind.validatedTwiceBefore !== undefined && !since(kind.validatedTwiceBefore);
  const { update: once = "change", updateTwice = once } = kind.metadata;
  const update = isTwice ? updateTwice : once;
  // Kinds that check both report the same problem twice.
  return [
    ...(isTwice ? validateObject(object, scope, kind, { network, old }) : []),
    ...(update === "change" || update === "both" ? validateMetadataChange(object, old, kind) : []),
    ...(update === "whole" || update === "both" ? validateWholeMetadata(object, scope, kind) : []),
    ...(validate?.(object, old) ?? []),
  ];
}

/** Metadata that changes along with the status is checked too; few kinds do not. */
export function validateObjectStatus(object: JsonObject, old: JsonObject, kind: BuiltinKind): FieldError[] {
  return [
    ...(kind.metadata.statusUpdate === "none" ? [] : validateMetadataChange(object, old, kind)),
    ...(kind.validateStatusUpdate?.(object, old) ?? []),
  ];
}

function validateMetadataChange(object: JsonObject, old: JsonObject, kind: BuiltinKind): FieldError[] {
  return [...validateMetaUpdate(metaOf(object), metaOf(old), METADATA), ...validateFinalizers(object, kind)];
}

function validateFinalizers(object: JsonObject, { metadata }: BuiltinKind): FieldError[] {
  return metadata.finalizers === "any" ? [] : validateFinalizerNames(object);
}
