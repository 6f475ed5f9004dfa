/** Updating a custom resource or its status: everything but storing it. */
import { newPath } from "../../field/path.ts";
import { validateMetaUpdate } from "../../schema/object-meta.ts";
import { isObject, type JsonObject, newObject } from "../../value/json.ts";
import { type Reviewed, refuse, validateGenericMeta } from "./create.ts";
import { finalizerWarnings } from "./finalizers.ts";
import { prepareStatusUpdate, prepareUpdate } from "./prepare.ts";
import type { WriteRequest } from "./request.ts";
import { validateStatusUpdate, validateUpdate } from "./validate.ts";

/** `old` is the live object as read from storage: coerced and defaulted with the present schema. */
export function completeUpdate(draft: JsonObject, old: JsonObject, request: WriteRequest): Reviewed {
  const { resource, timer } = request;
  const object = prepareUpdate(draft, old, resource, request.namespace);
  if (request.isAssumedValid === true) return { object, ratcheting: undefined };
  const result = validateUpdate(object, old, resource, { timer });
  result.warnings.forEach(request.warn);
  if (result.ratcheting !== undefined) request.onRatcheting?.(result.ratcheting);
  const errors = [...commonErrors(object, old, request), ...result.errors];
  refuse(errors, object, request);
  if (errors.length === 0) finalizerWarnings(object, old).forEach(request.warn);
  return { object, ratcheting: result.ratcheting };
}

export function completeStatusUpdate(draft: JsonObject, old: JsonObject, request: WriteRequest): Reviewed {
  const { resource, timer } = request;
  const object = prepareStatusUpdate(draft, old);
  if (request.isAssumedValid === true) return { object, ratcheting: undefined };
  const result = validateStatusUpdate(object, old, resource, { timer });
  result.warnings.forEach(request.warn);
  if (result.ratcheting !== undefined) request.onRatcheting?.(result.ratcheting);
  refuse([...commonErrors(object, old, request), ...result.errors], object, request, draft);
  return { object, ratcheting: result.ratcheting };
}

/** Metadata is validated once for all kinds and once by the kind, so its causes appear twice. */
function commonErrors(object: JsonObject, old: JsonObject, { resource }: WriteRequest) {
  const metaOf = (each: JsonObject) => (isObject(each["metadata"]) ? each["metadata"] : newObject());
  return [
    ...validateGenericMeta(object, resource),
    ...validateMetaUpdate(metaOf(object), metaOf(old), newPath("metadata")),
  ];
}
