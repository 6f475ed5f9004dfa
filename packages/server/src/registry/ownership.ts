/** Who owns which field of an object: noted with every write, and decided over by apply. */
import { applyPatch } from "@portcullis/engine/apply/apply-patch";
import type { FieldManagerScope } from "@portcullis/engine/apply/scope";
import { keepTimestamps } from "@portcullis/engine/apply/timestamps";
import { trackWrite } from "@portcullis/engine/apply/track-write";
import { StatusError } from "@portcullis/engine/status/error";
import type { JsonObject } from "@portcullis/engine/value/json";
import * as messages from "./messages.ts";
import { withMeta } from "./meta.ts";
import type { Endpoint } from "./resource-type.ts";

export interface Ownership {
  readonly endpoint: Endpoint;
  readonly manager: string;
  /** RFC 3339, to the second. */
  readonly now: string;
}

/** The draft of a create, an update or a patch with its managed fields settled. `live` is undefined on create. */
export function trackFields(live: JsonObject | undefined, draft: JsonObject, ownership: Ownership): JsonObject {
  const scope = scopeOf(ownership.endpoint);
  if (scope === undefined) return withMeta(draft, { managedFields: undefined });
  const { manager, now } = ownership;
  return trackWrite(scope, { live, next: draft, manager, now });
}

/** The live object merged with an applied configuration. Throws a StatusError on conflicts. */
export function applyFields(
  live: JsonObject | undefined,
  patch: JsonObject,
  { endpoint, manager, now, force }: Ownership & { readonly force: boolean },
): JsonObject {
  const scope = scopeOf(endpoint);
  if (scope === undefined) {
    throw new StatusError({ code: 415, reason: "UnsupportedMediaType", message: messages.noApply() });
  }
  const applied = applyPatch(scope, { live, patch, manager, force, now });
  if (applied.refusal !== undefined) throw applied.refusal;
  return applied.object;
}

/** A write that would change nothing but the times of managed fields changes nothing. */
export function withOldTimes(draft: JsonObject, live: JsonObject): JsonObject {
  return keepTimestamps(draft, live);
}

function scopeOf({ type, subresource }: Endpoint): FieldManagerScope | undefined {
  return subresource === undefined ? type.ownership?.() : subresource.ownership?.();
}
