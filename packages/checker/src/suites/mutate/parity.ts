/**
 * Requests on which policies may disagree with something that cannot be read, such as a webhook: for each mutant of the
 * policies a request that it decides otherwise than the original, for each validation one that it refuses and one that it
 * accepts, and for each operation and resource one that only the policy with it denies.
 */
import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, objectsOf, textsOf } from "@portcullis/engine/internal/value/read";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
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
  return [...constant, ...mutants, ...narrowed(policy)];
}

/** With one operation, resource or match condition less. */
function narrowed(policy: JsonObject): { readonly other: JsonObject; readonly about: string }[] {
  const spec = objectOf(policy["spec"]);
  const constraints = objectOf(spec["matchConstraints"]);
  const rules = objectsOf(constraints["resourceRules"]);
  const withRules = (changed: readonly JsonObject[]): JsonObject =>
    withMember(
      policy,
      "spec",
      withMember(spec, "matchConstraints", withMember(constraints, "resourceRules", [...changed])),
    );
  const conditions = objectsOf(spec["matchConditions"]);
  return [
    ...rules.flatMap((rule, index) =>
      (["operations", "resources"] as const).flatMap((member) =>
        textsOf(rule[member]).map((gone, _, all) => ({
          other: withRules(rules.flatMap((each) => (each === rule ? without(rule, member, all, gone) : [each]))),
          about: `matchConstraints.resourceRules[${index}] without ${gone}`,
        })),
      ),
    ),
    ...conditions.map((condition, index) => ({
      other: withMember(
        policy,
        "spec",
        withMember(
          spec,
          "matchConditions",
          conditions.filter((each) => each !== condition),
        ),
      ),
      about: `without matchConditions[${index}]`,
    })),
  ];
}

/** No rule at all if it was the last one. */
function without(rule: JsonObject, member: string, all: readonly string[], gone: string): JsonObject[] {
  const rest = all.filter((each) => each !== gone);
  return rest.length === 0 ? [] : [withMember(rule, member, rest)];
}
