/**
 * Refuses privileged containers in a cluster that does not allow them. Upstream does this during validation, see
 * `capabilities.AllowPrivileged`; the message is the same.
 */
import { type FieldError, forbidden } from "../../field/error.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import { TEMPLATES } from "../../podsecurity/pod-spec.ts";
import type { AdmissionPlugin } from "../../review/cluster-view.ts";
import { invalid } from "../../status/error.ts";
import type { JsonObject } from "../../value/json.ts";
import { objectOf, objectsOf } from "../../value/read.ts";

export const denyPrivileged: AdmissionPlugin = {
  validate: async ({ endpoint, operation, object, name }) => {
    const { group, plural, kind } = endpoint.type;
    const template = TEMPLATES[`${group}/${plural}`];
    const isWrite = operation === "CREATE" || operation === "UPDATE";
    const isPart = endpoint.subresource !== undefined && endpoint.subresource.name !== "ephemeralcontainers";
    if (object === undefined || template === undefined || !isWrite || isPart) return;
    const places = [...template, "spec"];
    const spec = places.reduce<JsonObject>((at, key) => objectOf(at[key]), object);
    const [first = "", ...more] = places;
    const errors = privilegesIn(spec, newPath(first, ...more));
    if (errors.length > 0) throw invalid({ group, kind }, name, errors);
  },
};

const CONTAINERS = ["containers", "ephemeralContainers", "initContainers"];

function privilegesIn(spec: JsonObject, path: FieldPath): FieldError[] {
  const contexts = CONTAINERS.flatMap((key) =>
    objectsOf(spec[key]).map((container, at) => ({
      context: objectOf(container["securityContext"]),
      place: path.child(key).index(at).child("securityContext"),
    })),
  );
  const isHost = (context: JsonObject): boolean => objectOf(context["windowsOptions"])["hostProcess"] === true;
  const all = [...contexts.map(({ context }) => context), objectOf(spec["securityContext"])];
  return [
    ...contexts.flatMap(({ context, place }) =>
      context["privileged"] === true ? [forbidden(place.child("privileged"), DISALLOWED)] : [],
    ),
    ...(all.some(isHost) ? [forbidden(path, NO_HOST_PROCESS)] : []),
  ];
}

const DISALLOWED = "disallowed by cluster policy";
const NO_HOST_PROCESS = "hostProcess containers are disallowed by cluster policy";
