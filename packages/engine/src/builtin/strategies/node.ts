/** Taints of nodes. */
import { isArray } from "../../value/json.ts";
import type { Draft } from "../defaults/draft.ts";
import { objectFrom, objectsOf } from "../object.ts";

const NOT_READY = "node.kubernetes.io/not-ready";

/** A node is not ready until it reports that it is. */
export function taintNotReady(spec: Draft): void {
  const taints = isArray(spec["taints"]) ? spec["taints"] : [];
  const isTaint = (each: Draft): boolean => each["key"] === NOT_READY && each["effect"] === "NoSchedule";
  if (objectsOf(spec, "taints").some(isTaint)) return;
  spec["taints"] = [...taints, objectFrom({ key: NOT_READY, effect: "NoSchedule" })];
}
