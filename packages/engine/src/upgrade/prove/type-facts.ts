/** The apiVersion and kind of an object, as either side sees them. */
import { and, type Formula, matches, TRUE } from "../../symbolic/formula.ts";
import { equalsPattern } from "../../symbolic/texts.ts";
import type { ResourceType } from "./resource-type.ts";
import { childNode, type Node, type SideName, type SideView } from "./side-view.ts";

export function typeFacts(root: Node, old: ResourceType, view: (side: SideName) => SideView): Formula {
  const factsOf = (side: SideName, type: ResourceType): Formula[] =>
    [...type].map(([key, text]) => {
      const child = childNode(root, key);
      return child === undefined ? TRUE : matches(view(side).textName(child), equalsPattern(text));
    });
  return and(...factsOf("old", old), ...factsOf("new", root.retyped ?? new Map()));
}
