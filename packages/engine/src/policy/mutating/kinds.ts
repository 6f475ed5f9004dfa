/** What mutations need to know of the kinds they change. */
import type { Completed } from "../../apply/scope.ts";
import type { ResourceTypes } from "../../apply/types/typed.ts";
import type { JsonObject } from "../../value/json.ts";
import type { GroupVersionKind, GroupVersionResource } from "../attributes.ts";

/** How objects of a kind are merged, patched and completed. */
export interface MutableKind {
  /** How objects of the kind merge. */
  readonly types: ResourceTypes;
  /** An object as JSON shows it, without the empty lists and maps that Go keeps. */
  written(object: JsonObject): JsonObject;
  /** A merged object as one of its kind, defaulted; why it cannot be one. */
  complete(object: JsonObject): Completed;
  /** The text that JSON patches change. */
  encode(object: JsonObject): string;
  /** A patched text as an object of the kind, defaulted; why it is none. */
  decode(text: string): Completed;
  /** Why a changed object cannot be taken, whatever it is. */
  readonly refusal?: string | undefined;
}

export interface MatchedKind {
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly kind: GroupVersionKind;
}

/** Finds the kind that a mutation applies to. */
export interface MutableKinds {
  /** What matched; the kind of the request may be another. Undefined if the schema is not known. */
  find(matched: MatchedKind, requested: GroupVersionKind): MutableKind | undefined;
}
