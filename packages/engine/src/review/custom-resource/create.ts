/** Creating a custom resource: everything but storing it. */
import type { FieldError } from "../../field/error.ts";
import { newPath } from "../../field/path.ts";
import { pathSegmentName, validateMeta } from "../../schema/object-meta.ts";
import { invalid } from "../../status/error.ts";
import { isObject, type JsonObject, newObject } from "../../value/json.ts";
import { metaText, textOf } from "../../value/metadata.ts";
import type { CustomResource } from "./custom-resource.ts";
import { finalizerWarnings } from "./finalizers.ts";
import { prepareCreate } from "./prepare.ts";
import type { RatchetingReport } from "./ratcheting-report.ts";
import type { WriteRequest } from "./request.ts";
import { validateCreate } from "./validate.ts";

export interface Reviewed {
  readonly object: JsonObject;
  readonly ratcheting: RatchetingReport | undefined;
}

/** The object as it would be stored. Throws a StatusError where it is refused. */
export function completeCreate(draft: JsonObject, request: WriteRequest): Reviewed {
  const { resource } = request;
  const object = prepareCreate(draft, resource, request.namespace, request.system);
  if (request.isAssumedValid === true) return { object, ratcheting: undefined };
  const result = validateCreate(object, resource);
  result.warnings.forEach(request.warn);
  refuse(result.errors, object, request);
  const metaErrors = validateGenericMeta(object, resource);
  refuse(metaErrors, object, request);
  const isValid = result.errors.length === 0 && metaErrors.length === 0;
  if (isValid) finalizerWarnings(object, undefined).forEach(request.warn);
  return { object, ratcheting: undefined };
}

/** The checks for every resource, whatever its kind. */
export function validateGenericMeta(object: JsonObject, resource: CustomResource): FieldError[] {
  const meta = isObject(object["metadata"]) ? object["metadata"] : newObject();
  return validateMeta(meta, { namespaced: resource.namespaced, checkName: pathSegmentName }, newPath("metadata"));
}

/** Whether a decoded object is created without any error or warning. */
export function createsQuietly(
  draft: JsonObject,
  { resource, namespace, system }: Pick<WriteRequest, "resource" | "namespace" | "system">,
): boolean {
  const own = isObject(draft["metadata"]) ? draft["metadata"]["namespace"] : undefined;
  if (resource.namespaced && own !== undefined && own !== namespace) return false;
  const object = prepareCreate(draft, resource, namespace, system);
  const { errors, warnings } = validateCreate(object, resource);
  return errors.length === 0 && warnings.length === 0 && validateGenericMeta(object, resource).length === 0;
}

/** The message names the kind that the client sent, even where that is what is wrong with the object. */
export function refuse(
  errors: readonly FieldError[],
  object: JsonObject,
  request: WriteRequest,
  sent: JsonObject = object,
): void {
  if (errors.length === 0) return;
  const apiVersion = textOf(sent["apiVersion"]);
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  request.refuse(invalid({ group, kind: textOf(sent["kind"]) }, metaText(object, "name"), errors));
}
