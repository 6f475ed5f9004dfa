/** The configuration of the admission plugin `PodTolerationRestriction`. */
import type { ClusterTolerations } from "@portcullis/engine/internal/admission/optional/tolerations";
import { validateToleration } from "@portcullis/engine/internal/builtin/validate/pod/scheduling";
import { formatFieldErrors } from "@portcullis/engine/internal/field/format";
import { newPath } from "@portcullis/engine/internal/field/path";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectsOf } from "@portcullis/engine/internal/value/read";

/** Throws an Error with upstream's message. */
export function readTolerations(json: JsonObject): ClusterTolerations {
  const tolerations = { default: objectsOf(json["default"]), whitelist: objectsOf(json["whitelist"]) };
  const errors = Object.entries(tolerations).flatMap(([key, list]) => {
    const path = newPath("podtolerationrestriction", key);
    return list.flatMap((each, at) => validateToleration(each, path.index(at)));
  });
  if (errors.length > 0) throw new Error(`invalid config: ${formatFieldErrors(errors)}`);
  return tolerations;
}
