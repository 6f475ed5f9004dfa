/** The scale of deployments, replica sets, stateful sets and replication controllers. */
import { type FieldError, invalid } from "../field/error.ts";
import { newPath } from "../field/path.ts";
import { invalid as invalidStatus } from "../status/error.ts";
import { type JsonObject, newObject } from "../value/json.ts";
import { withMember } from "../value/rewrite.ts";
import { metaOf, numberOf, objectFrom, objectOf, textOf } from "./object.ts";
import { formatSelector } from "./selector-text.ts";
import * as messages from "./validate/messages.ts";

export const SCALE_KIND = { group: "autoscaling", version: "v1", kind: "Scale" };

const META = ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"];

/** What the subresource shows of an object. A count of zero is left out, as Go leaves it out. */
export function scaleOf(object: JsonObject): JsonObject {
  const [meta, spec] = [metaOf(object), objectOf(object, "spec")];
  const replicas = numberOf(spec, "replicas");
  const selector = selectorOf(objectOf(spec, "selector"));
  return objectFrom({
    kind: SCALE_KIND.kind,
    apiVersion: "autoscaling/v1",
    metadata: objectFrom(Object.fromEntries(META.map((key) => [key, meta[key]]))),
    spec: objectFrom({ replicas: replicas === 0 ? undefined : replicas }),
    status: objectFrom({
      replicas: numberOf(objectOf(object, "status"), "replicas"),
      selector: selector === "" ? undefined : selector,
    }),
  });
}

/** The object with the count that a scale asks for, and its resourceVersion as a lock. Throws if it is refused. */
export function withScale(object: JsonObject, scale: JsonObject): JsonObject {
  const errors = validateScale(scale);
  if (errors.length > 0) throw invalidStatus(SCALE_KIND, textOf(metaOf(object), "name"), errors);
  const spec = withMember(objectOf(object, "spec") ?? newObject(), "replicas", replicasOf(scale));
  const version = textOf(metaOf(scale), "resourceVersion");
  const scaled = withMember(object, "spec", spec);
  return version === ""
    ? scaled
    : withMember(scaled, "metadata", withMember(metaOf(object), "resourceVersion", version));
}

function validateScale(scale: JsonObject): FieldError[] {
  const replicas = replicasOf(scale);
  return replicas < 0 ? [invalid(newPath("spec", "replicas"), replicas, messages.notNegative(), "minimum")] : [];
}

function replicasOf(scale: JsonObject): number {
  return numberOf(objectOf(scale, "spec"), "replicas");
}

/** Replication controllers select by a plain map. */
function selectorOf(selector: JsonObject | undefined): string {
  if (selector === undefined) return "";
  const isPlain = selector["matchLabels"] === undefined && selector["matchExpressions"] === undefined;
  return formatSelector(isPlain ? objectFrom({ matchLabels: selector }) : selector);
}
