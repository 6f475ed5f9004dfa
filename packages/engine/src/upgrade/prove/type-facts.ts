/** What is known of the type of an object, of the sizes of lists and maps, and of the keys of maps. */

import type { ScaleSubresource } from "../../crd/definition.ts";
import type { Structural } from "../../schema/structural.ts";
import { and, type Formula, flag, matches, sizeName, TRUE } from "../../symbolic/formula.ts";
import { atMost, constantLinear, variable } from "../../symbolic/linear.ts";
import { equalsPattern, oneOfPattern } from "../../symbolic/texts.ts";
import { distinctCount } from "../contain/distinct.ts";
import { childNode, type Node } from "./node.ts";
import type { ResourceType } from "./resource-type.ts";
import type { SideName, SideView } from "./side-view.ts";

/** The apiVersion and kind of an object, as either side sees them. */
export function typeFacts(root: Node, old: ResourceType, view: (side: SideName) => SideView): Formula {
  const factsOf = (side: SideName, type: ResourceType): Formula[] =>
    [...type].map(([key, text]) => {
      const child = childNode(root, key);
      return child === undefined ? TRUE : matches(view(side).textName(child), equalsPattern(text));
    });
  return and(...factsOf("old", old), ...factsOf("new", root.retyped ?? new Map()));
}

const MAX_REPLICAS = 2n ** 31n - 1n;

/** Replicas that the scale subresource reads are non-negative int32 numbers, whatever the schema says. */
export function replicaFacts({ steps }: Node, scale: ScaleSubresource | undefined, name: string): Formula {
  const names = steps.map((step) => (step.kind === "property" ? step.name : undefined));
  const isRead = ({ specReplicasPath, statusReplicasPath }: ScaleSubresource): boolean =>
    [specReplicasPath, statusReplicasPath].some((path) => isSamePath(path.replace(/^[.]/, "").split("."), names));
  if (scale === undefined || !isRead(scale)) return TRUE;
  const replicas = variable(name);
  return and(atMost(constantLinear(0n), replicas), atMost(replicas, constantLinear(MAX_REPLICAS)));
}

function isSamePath(one: readonly string[], other: readonly (string | undefined)[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

/** The number of items of a list, by how many different ones there are, and of keys of a map. */
export function sizeFacts(old: Structural, listName: string, mapName: string): Formula {
  const most = distinctCount(old);
  return and(most === undefined ? TRUE : isAtMost(listName, most), mapSize(old, mapName));
}

function mapSize(
  { type, properties, additionalProperties, maxProperties, minProperties }: Structural,
  name: string,
): Formula {
  if (type !== "object" || properties.size > 0 || additionalProperties?.schema === undefined) return TRUE;
  return and(
    maxProperties === undefined ? TRUE : isAtMost(name, maxProperties),
    minProperties === undefined ? TRUE : atMost(constantLinear(BigInt(minProperties)), variable(sizeName(name))),
  );
}

function isAtMost(name: string, most: number): Formula {
  return atMost(variable(sizeName(name)), constantLinear(BigInt(most)));
}

/** What the old schema requires of each key of a map. */
export function keyFacts(names: Structural | undefined, element: string): Formula {
  if (names === undefined) return TRUE;
  const texts = names.enum?.filter((value) => typeof value === "string") ?? [];
  return and(
    names.pattern === "" ? TRUE : matches(element, names.pattern),
    texts.length === 0 ? TRUE : matches(element, oneOfPattern(texts)),
    flag(`key ${element}`),
  );
}
