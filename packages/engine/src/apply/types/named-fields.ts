/** Sets widened by the declared fields that only have members below them: `.spec.replicas` brings `.spec` with it. */
import { unionMembers } from "../../fieldset/algebra.ts";
import type { PathElement } from "../../fieldset/element.ts";
import { EMPTY_SET, type FieldSet } from "../../fieldset/set.ts";
import { memberType } from "./form.ts";
import type { MergeType } from "./types.ts";

export function withNamedFields(set: FieldSet, type: MergeType | undefined): FieldSet {
  if (set === EMPTY_SET) return set;
  const named = set.children.map((node) => node.element).filter((element) => isDeclared(type, element));
  return {
    members: unionMembers(set.members, named),
    children: set.children.map(({ element, set: below }) => ({
      element,
      set: withNamedFields(below, typeBelow(type, element)),
    })),
  };
}

function isDeclared(type: MergeType | undefined, element: PathElement): boolean {
  return element.kind === "field" && type?.map?.fields.has(element.name) === true;
}

function typeBelow(type: MergeType | undefined, element: PathElement): MergeType | undefined {
  if (element.kind === "field") return type?.map === undefined ? undefined : memberType(type.map, element.name);
  return element.kind === "key" ? type?.list?.element : undefined;
}
