/**
 * Recognizes objects of built-in kinds that are plainly valid: most objects in real repositories, in a small part of the
 * time that decoding, defaults and validation take.
 *
 * INVARIANT: a plain object passes the full rules of every supported version without an error or a warning. A property
 * test compares both on random edits.
 */
import type { JsonObject } from "../../value/json.ts";
import { type Check, fields, isText } from "./check.ts";
import { NETWORKING } from "./networking.ts";
import { OTHERS } from "./others.ts";
import { WORKLOADS } from "./workloads.ts";

/** The members that an object of the kind must have. */
const NEEDS: readonly string[] = ["metadata", "spec", "roleRef"];

const checks = new Map<string, Check>(
  Object.entries({ ...WORKLOADS, ...NETWORKING, ...OTHERS }).map(([kind, members]) => [
    kind,
    fields({ ...members, apiVersion: isText, kind: isText }, { needs: NEEDS.filter((name) => name in members) }),
  ]),
);

/**
 * Whether an object passes as a new one; false if only the full rules can decide that.
 * @example isPlain(parse("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")) // true
 */
export function isPlain(object: JsonObject): boolean {
  const { apiVersion, kind } = object;
  if (typeof apiVersion !== "string" || typeof kind !== "string") return false;
  return checks.get(`${apiVersion} ${kind}`)?.(object) ?? false;
}
