/** What a client reads of an object that was stored. */
import { decodeJson } from "../codec/json.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import { canonicalJson } from "../value/text.ts";
import type { ResourceKind } from "./kind.ts";

/** The object after a way through the stored text: empty lists of Go types are absent then, and -0 is 0. */
export function readBack(object: JsonObject, { strategy, answerCreate }: ResourceKind): JsonObject {
  if (answerCreate !== undefined) return object;
  const stored = decodeJson(canonicalJson(strategy.write(object)));
  if (stored.error !== undefined || !isObject(stored.value)) throw new Error("an object that cannot be stored");
  return strategy.read(stored.value);
}
