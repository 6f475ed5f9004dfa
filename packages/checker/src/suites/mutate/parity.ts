/**
 * Requests on which policies may disagree with something that cannot be read, such as a webhook: for each mutant of the
 * policies a request that it decides otherwise than the original, and for each validation one that it refuses and one that it accepts.
 */
import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { isPolicy } from "../formats/third-party.ts";
import { mutantsOf } from "./mutants.ts";
import { type SearchOptions, type Shown, withValidation, witnessesBetween } from "./search.ts";

/** A request, and whether the policies allow it. */
export interface Probe {
  readonly attributes: AdmissionAttributes;
  readonly allowed: boolean;
  /** Why it is asked. */
  readonly about: string;
}

export async function* probes(objects: readonly JsonObject[], options: SearchOptions): AsyncGenerator<Probe> {
  for (const policy of objects.filter(isPolicy)) {
    for (const { other, about } of variantsOf(policy)) {
      const swapped = objects.map((each) => (each === policy ? other : each));
      for (const { shown, allowed } of await witnessesBetween(objects, swapped, options)) {
        yield { attributes: attributesOf(shown), allowed, about };
      }
    }
  }
}

function attributesOf({ witness }: Shown): AdmissionAttributes {
  return witness.attributes;
}

function variantsOf(policy: JsonObject): { readonly other: JsonObject; readonly about: string }[] {
  const { spec } = policy;
  const validations = typeof spec === "object" && spec !== null && "validations" in spec ? spec["validations"] : [];
  const count = Array.isArray(validations) ? validations.length : 0;
  const constant = Array.from({ length: count }, (_, index) =>
    ["true", "false"].map((text) => ({
      other: withValidation(policy, index, text),
      about: `validations[${index}]`,
    })),
  ).flat();
  const mutants = mutantsOf(policy).map(({ mutated, path, operator }) => ({
    other: mutated,
    about: `${path}: ${operator}`,
  }));
  return [...constant, ...mutants];
}
