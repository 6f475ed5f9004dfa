/** Who owns which field, for every kind that says how its fields merge: the engine's apply behind the server's seam. */
import { applyPatchSteps } from "../apply/apply-patch.ts";
import { trackWriteSteps } from "../apply/managers/track-write.ts";
import { withConversions } from "./conversions.ts";
import { type FieldManager, type OwnershipRequest, untracked } from "./field-manager.ts";

/** `now` returns the time in RFC 3339, to the second. */
export function trackedFields(now: () => string): FieldManager {
  return {
    update: (live, draft, request) => {
      const scope = scopeOf(request);
      if (scope === undefined) return untracked.update(live, draft, request);
      const { manager, pause } = request;
      return withConversions(() => trackWriteSteps(scope, { live, next: draft, manager, now: now() }), pause);
    },
    apply: async (live, config, request) => {
      const scope = scopeOf(request);
      if (scope === undefined) return untracked.apply(live, config, request);
      const { manager, force, pause } = request;
      const applied = await withConversions(
        () => applyPatchSteps(scope, { live, patch: config, manager, force, now: now() }),
        pause,
      );
      if (applied.refusal !== undefined) throw applied.refusal;
      return applied.object;
    },
  };
}

function scopeOf({ endpoint }: OwnershipRequest) {
  return endpoint.type.fieldScope?.(endpoint.subresource?.name ?? "");
}
