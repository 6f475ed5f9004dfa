/**
 * What `x-kubernetes-property-names` requires of the keys of a map, as text.
 *
 * Clients that do not know the extension ignore it, so `kubectl explain` would show nothing of it. The description of the
 * map therefore ends with a sentence about its keys.
 */
import type { Structural } from "../schema/structural.ts";
import { canonicalJson } from "../value/text.ts";

/** The author's description with a sentence about the keys, if there is anything to say. */
export function describeKeys(description: string, keys: Structural): string {
  const requirements = requirementsOf(keys);
  const about = [
    ...(keys.description === "" ? [] : [`Keys: ${keys.description}`]),
    ...(requirements.length === 0 ? [] : [`Keys must ${enumerate(requirements, "and")}.`]),
  ].join(" ");
  if (about === "") return description;
  return description === "" ? about : `${description}\n\n${about}`;
}

function requirementsOf(schema: Structural): string[] {
  const { format, minLength, maxLength, pattern, not } = schema;
  const choices = schema.enum?.map((each) => canonicalJson(each));
  return [
    ...(choices === undefined ? [] : [`be one of ${enumerate(choices, "or")}`]),
    ...(format === "" ? [] : [`have the format ${format}`]),
    ...(minLength === undefined ? [] : [`have at least ${characters(minLength)}`]),
    ...(maxLength === undefined ? [] : [`have at most ${characters(maxLength)}`]),
    ...(pattern === "" ? [] : [`match the pattern ${pattern}`]),
    ...schema.allOf.flatMap(requirementsOf),
    ...branches("at least one", schema.anyOf),
    ...branches("exactly one", schema.oneOf),
    ...(not === undefined ? [] : [`not ${joined(not)}`]),
    ...schema.validations.map(({ rule, message }) => `satisfy the rule ${message === "" ? rule : `"${message}"`}`),
  ];
}

function characters(count: number): string {
  return count === 1 ? "1 character" : `${count} characters`;
}

function branches(how: string, schemas: readonly Structural[]): string[] {
  return schemas.length === 0 ? [] : [`satisfy ${how} of: ${schemas.map(joined).join("; ")}`];
}

function joined(schema: Structural): string {
  const requirements = requirementsOf(schema);
  return requirements.length === 0 ? "be any text" : enumerate(requirements, "and");
}

/** `a, b and c` */
function enumerate(texts: readonly string[], last: "and" | "or"): string {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} ${last} ${texts.at(-1)}`;
}
