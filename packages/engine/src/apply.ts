/** Server-side apply: merging a configuration into an object, and which manager owns which field. */
export { type Applied, type ApplyPatch, applyPatch } from "./apply/apply-patch.ts";
export { customResourceScope } from "./apply/custom-resource-scope.ts";
export { trackWrite } from "./apply/managers/track-write.ts";
export type { FieldManagerScope } from "./apply/scope.ts";
export { customResourceTypes } from "./apply/types/custom-resource-types.ts";
