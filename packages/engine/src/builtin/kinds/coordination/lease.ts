/** Lease. */
import type { JsonObject } from "../../../value/json.ts";
import { AGE, NAME, specText } from "../../columns/column.ts";
import { type Draft, inner } from "../../defaults/draft.ts";
import { has, objectOf } from "../../object.ts";
import { validateLease } from "../../validate/lease.ts";
import { defineKind } from "../kind.ts";

export const lease = defineKind("coordination.k8s.io/v1", "Lease", {
  metadata: { finalizers: "any" },
  prepareCreate: (draft) => dropElection(draft),
  prepareUpdate: dropElection,
  validate: validateLease,
  columns: [NAME, specText("Holder", "holderIdentity"), AGE],
  unconditionalUpdate: false,
  createOnUpdate: true,
});

/** Coordinated leader election is off, and its fields with it; those that were there before may change. */
function dropElection(draft: Draft, old?: JsonObject): void {
  const [spec, before] = [inner(draft, "spec"), objectOf(old, "spec")];
  for (const key of ["strategy", "preferredHolder"]) if (!has(before, key)) delete spec[key];
}
