/** Policies with a planted difference: what a webhook that was written by hand may get wrong. */
import { mutantsOf } from "@portcullis/checker/internal/suites/mutate/mutants";
import { isArray, isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, textsOf } from "@portcullis/engine/internal/value/read";
import { withMember } from "@portcullis/engine/internal/value/rewrite";

export interface Planted {
  readonly what: string;
  readonly policy: JsonObject;
}

export type Random = (limit: number) => number;

/** One difference, of a random kind; undefined if the policy has no place for that kind. */
export function plantDifference(policy: JsonObject, random: Random): Planted | undefined {
  return KINDS[random(KINDS.length)]?.(policy, random);
}

type Plant = (policy: JsonObject, random: Random) => Planted | undefined;

const edited: Plant = (policy, random) => {
  const mutants = mutantsOf(policy);
  const mutant = mutants[random(mutants.length)];
  return mutant && { what: `${mutant.path}: ${mutant.operator}`, policy: mutant.mutated };
};

const editedTwice: Plant = (policy, random) => {
  const first = edited(policy, random);
  const second = first && edited(first.policy, random);
  return second && { what: `${first.what}; ${second.what}`, policy: second.policy };
};

/** Another number or text than the edits that parity itself tries. */
const otherConstant: Plant = (policy, random) => {
  const text = JSON.stringify(policy["spec"]);
  const found = [...text.matchAll(/(?<=[<>=] ?)\d+|(?<=')[a-z][\w-]{2,}(?=')/g)];
  const match = found[random(found.length)];
  if (match === undefined) return undefined;
  const other = /^\d/.test(match[0]) ? String(Number(match[0]) * 2 + 3) : [...match[0]].reverse().join("");
  const changed = text.slice(0, match.index) + other + text.slice(match.index + match[0].length);
  return { what: `${match[0]} to ${other}`, policy: withMember(policy, "spec", JSON.parse(changed)) };
};

const withoutItem =
  (list: "validations" | "matchConditions"): Plant =>
  (policy, random) => {
    const spec = objectOf(policy["spec"]);
    const items = isArray(spec[list]) ? spec[list] : [];
    if (items.length === 0) return undefined;
    const index = random(items.length);
    const rest = items.filter((_, at) => at !== index);
    return { what: `no ${list}[${index}]`, policy: withMember(policy, "spec", withMember(spec, list, rest)) };
  };

const narrowerRule =
  (member: "operations" | "resources"): Plant =>
  (policy, random) => {
    const spec = objectOf(policy["spec"]);
    const constraints = objectOf(spec["matchConstraints"]);
    const rules = isArray(constraints["resourceRules"]) ? constraints["resourceRules"].filter(isObject) : [];
    const index = random(rules.length);
    const names = textsOf(rules[index]?.[member]);
    if (names.length < 2) return undefined;
    const gone = random(names.length);
    const changed = rules.map((rule, at) =>
      at === index
        ? withMember(
            rule,
            member,
            names.filter((_, each) => each !== gone),
          )
        : rule,
    );
    const matched = withMember(spec, "matchConstraints", withMember(constraints, "resourceRules", changed));
    return { what: `resourceRules[${index}] without ${names[gone]}`, policy: withMember(policy, "spec", matched) };
  };

const KINDS: readonly Plant[] = [
  edited,
  edited,
  editedTwice,
  otherConstant,
  otherConstant,
  withoutItem("validations"),
  withoutItem("matchConditions"),
  narrowerRule("operations"),
  narrowerRule("resources"),
];
