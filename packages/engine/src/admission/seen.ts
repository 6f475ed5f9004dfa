/**
 * A request as policies see it, where that differs from how it came.
 *
 * A patch is an update, or a creation where it brings the object about, and has the options of one. A deletion is asked
 * about once it has been prepared: a namespace by then names its uid, and a pod has the time that it is given.
 */

import { type Kind, normalize } from "../builtin/decode.ts";
import { SCALE_KIND } from "../builtin/scale.ts";
import { asWritten } from "../builtin/stored.ts";
import { structOfKind } from "../builtin/types.ts";
import type { AdmissionRequest } from "../review/cluster-view.ts";
import { type Endpoint, kindOf } from "../review/kind.ts";
import { podGracePeriod } from "../review/kinds/pod-grace.ts";
import { isInteger, isObject, type JsonObject, newObject } from "../value/json.ts";
import { metaText, objectOf, withMeta } from "../value/metadata.ts";
import { withMember, withoutMember } from "../value/rewrite.ts";

export function seenOptions(request: AdmissionRequest): JsonObject {
  const { options, operation } = request;
  switch (options["kind"]) {
    case "PatchOptions":
      return withoutMember(
        withMember(options, "kind", operation === "CREATE" ? "CreateOptions" : "UpdateOptions"),
        "force",
      );
    case "DeleteOptions":
      return preparedDelete(withMember(options, "apiVersion", "meta.k8s.io/v1"), request);
    default:
      return options;
  }
}

export type Phase = "mutating" | "validating";

/**
 * A CRD shows all that its type has, other built-in objects what JSON shows of them. A scale is made anew before it is
 * validated, without managed fields: those belong to the object that has the scale.
 */
export function seenObject(object: JsonObject | undefined, endpoint: Endpoint, phase: Phase): JsonObject | undefined {
  if (object === undefined) return object;
  if (endpoint.type.group === "apiextensions.k8s.io") return normalize(object, endpoint.type);
  if (endpoint.subresource?.name !== "scale")
    return endpoint.type.isCustom ? object : withoutEmpty(object, kindOf(endpoint));
  const scale = normalize(object, SCALE_KIND);
  return phase === "validating" ? withMeta(scale, { managedFields: undefined }) : scale;
}

/** The same for an object that the API server wrote as JSON: that has no empty lists and maps any more. */
export function seenAnswer(object: JsonObject | undefined, endpoint: Endpoint, phase: Phase): JsonObject | undefined {
  const isMadeAnew = endpoint.type.group === "apiextensions.k8s.io" || endpoint.subresource?.name === "scale";
  return isMadeAnew ? seenObject(object, endpoint, phase) : object;
}

/** A built-in object as JSON shows it, without the empty lists and maps that Go keeps. */
export function withoutEmpty(object: JsonObject, { group, version, kind }: Kind): JsonObject {
  const type = structOfKind(group, version, kind);
  return type === undefined ? object : asWritten(object, type);
}

/** The objects of a collection are not named, and are asked about before anything is prepared. */
function preparedDelete(options: JsonObject, { endpoint, name, old }: AdmissionRequest): JsonObject {
  const { group, plural } = endpoint.type;
  if (group !== "" || name === "" || old === undefined) return options;
  if (plural === "namespaces") {
    const preconditions = objectOf({ uid: metaText(old, "uid"), ...memberOf(options, "preconditions") });
    return withMember(options, "preconditions", preconditions);
  }
  // Once a deletion is under way nothing is filled in any more.
  if (plural !== "pods" || metaText(old, "deletionTimestamp") !== "") return options;
  const { gracePeriodSeconds: asked } = options;
  return withMember(options, "gracePeriodSeconds", podGracePeriod(old, isInteger(asked) ? Number(asked) : undefined));
}

function memberOf(object: JsonObject, key: string): JsonObject {
  const member = object[key];
  return isObject(member) ? member : newObject();
}
