/** Places of two schemas: what is there, and changes of it. */
import type { Structural } from "../../schema/structural.ts";
import type { Change } from "../change.ts";
import type { NodePair, SchemaStep } from "../pairs.ts";
import { stepSchema } from "../place.ts";
import { nodeKeywords, schemaText } from "../schema-text.ts";

export function schemaAt(schema: Structural | undefined, path: readonly SchemaStep[]): Structural | undefined {
  let at = schema;
  for (const step of path) at = at && stepSchema(at, step);
  return at;
}

/** Nodes that differ are compared on their own. */
export function isSameNode(old: Structural, next: Structural, minor: number): boolean {
  return schemaText(old, minor) === schemaText(next, minor);
}

export function samePair(old: Structural, next: Structural, path: readonly SchemaStep[]): NodePair {
  return { path, old, new: next, isSame: true, changed: [], children: [], removed: [], added: [], dropsKeys: false };
}

/** A change of validity at a pair of nodes. */
export function validityChange(
  pair: NodePair,
  minor: number,
  parts: Pick<Change, "keyword" | "detail" | "verdict" | "why">,
): Change {
  return {
    axis: "validity",
    path: pair.path,
    reason: undefined,
    before: nodeKeywords(pair.old, minor).get(parts.keyword),
    after: nodeKeywords(pair.new, minor).get(parts.keyword),
    witness: undefined,
    effect: undefined,
    ...parts,
  };
}
