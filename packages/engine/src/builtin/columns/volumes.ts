/** What tables of volumes and of claims to them share. */
import type { JsonObject } from "../../value/json.ts";
import { has, metaOf, textOf, textsOf } from "../object.ts";
import { status } from "./column.ts";

export function volumePhase(object: JsonObject): string {
  return has(metaOf(object), "deletionTimestamp") ? "Terminating" : textOf(status(object), "phase");
}

const MODES: readonly (readonly [string, string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

export function accessModes(object: JsonObject): string {
  const modes = textsOf(object, "accessModes");
  return MODES.filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(",");
}
