/** Kinds whose status endpoint leaves the metadata as it is. */
import { type JsonObject, newObject } from "../../value/json.ts";
import { type Draft, inner } from "../defaults/draft.ts";
import { objectOf } from "../object.ts";
import type { KindRules } from "./kind.ts";

const KEPT = ["labels", "annotations", "finalizers", "ownerReferences"];

/** For `prepareStatusUpdate`. */
export function keepMetadata(draft: Draft, old: JsonObject): void {
  const [meta, before] = [inner(draft, "metadata"), objectOf(old, "metadata") ?? newObject()];
  for (const key of KEPT) {
    const value = before[key];
    if (value === undefined) delete meta[key];
    else meta[key] = value;
  }
}

/** Nobody owns what a write of the status leaves alone. */
export const STATUS_RESETS_METADATA: NonNullable<KindRules["resetFields"]> = { status: [["spec"], ["metadata"]] };
