/** Secrets keep their type where an update leaves it out. */
import type { JsonObject } from "../../value/json.ts";
import type { Draft } from "../defaults/draft.ts";
import { textOf } from "../object.ts";

export function prepareSecretUpdate(secret: Draft, old: JsonObject): void {
  if (textOf(secret, "type") === "") secret["type"] = textOf(old, "type");
}
