/** Which policies change as they did in the log, and which are to be tried. */
import { deepEqual } from "@portcullis/engine/internal/value/equal";
import type { JsonObject, JsonValue } from "@portcullis/engine/internal/value/json";
import { metaText, textOf } from "@portcullis/engine/internal/value/metadata";

/** Which policies change as they did in the log: all, or only mutating ones, except those that are to be tried. */
export type Following = "all" | { readonly tried: ReadonlySet<string> };

/** Of a policy or a binding. An undefined part may be anything. */
export function followsPolicy(following: Following, place: string | undefined, name: string | undefined): boolean {
  if (following === "all") return true;
  if (place !== undefined && !isMutating(place)) return false;
  return place === undefined || name === undefined || !following.tried.has(`${kindOf(place)}/${name}`);
}

function isMutating(place: string): boolean {
  return kindOf(place).startsWith("mutatingadmissionpolic");
}

/** The plural at the end of a place. */
function kindOf(place: string): string {
  return place.split("/").findLast((part) => part !== "") ?? "";
}

const MUTATING: Readonly<Record<string, string>> = {
  MutatingAdmissionPolicy: "mutatingadmissionpolicies",
  MutatingAdmissionPolicyBinding: "mutatingadmissionpolicybindings",
};

/** The mutating policies and bindings in which two sets differ. */
export function triedPolicies(left: readonly JsonObject[], right: readonly JsonObject[]): ReadonlySet<string> {
  const [one, other] = [left, right].map(mutatingSpecs);
  const keys = [...(one?.keys() ?? []), ...(other?.keys() ?? [])];
  return new Set(keys.filter((key) => !deepEqual(one?.get(key) ?? null, other?.get(key) ?? null)));
}

function mutatingSpecs(objects: readonly JsonObject[]): Map<string, JsonValue> {
  return new Map(
    objects.flatMap((object) => {
      const plural = MUTATING[textOf(object["kind"])];
      return plural === undefined ? [] : [[`${plural}/${metaText(object, "name")}`, object["spec"] ?? null]];
    }),
  );
}
