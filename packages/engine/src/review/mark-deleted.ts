/** An object that is to be deleted, as long as it is still there. */
import { isInteger, type JsonObject } from "../value/json.ts";
import { metaOf, metaText, withMeta } from "../value/metadata.ts";

/** The first mark counts as a change of the object's generation. */
export function markDeleted(object: JsonObject, now: string): JsonObject {
  const isMarked = metaText(object, "deletionTimestamp") !== "";
  const generation = metaOf(object)["generation"];
  const counts = !isMarked && isInteger(generation) && generation > 0;
  return withMeta(object, {
    deletionGracePeriodSeconds: 0,
    ...(isMarked ? {} : { deletionTimestamp: now }),
    ...(counts ? { generation: Number(generation) + 1 } : {}),
  });
}
