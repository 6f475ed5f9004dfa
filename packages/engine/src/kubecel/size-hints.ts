/** The size hints of the cost estimator, found along the declared type of a variable. */
import type { CostNode, SizeEstimate, SizeHints } from "@portcullis/cel";
import type { DeclType } from "./decl-type.ts";

/** For expressions over data without a schema: all sizes are unknown. */
export const NO_SIZE_HINTS: SizeHints = { estimateSize: () => undefined };

/**
 * Hints for expressions whose variables all have one declared type, as `self` and `oldSelf` have.
 * The variable's name itself is ignored.
 */
export function declTypeSizeHints(root: DeclType): SizeHints {
  return {
    estimateSize({ path }: CostNode): SizeEstimate | undefined {
      if (path.length === 0) return undefined;
      let declared: DeclType | undefined = root;
      for (let index = 1; index < path.length && declared !== undefined; index++) {
        declared = child(declared, path[index] ?? "");
      }
      return declared && { min: 0n, max: BigInt.asUintN(64, declared.maxElements) };
    },
  };
}

function child(declared: DeclType, step: string): DeclType | undefined {
  switch (step) {
    case "@items":
    case "@values":
      return declared.element;
    case "@keys":
      return declared.key;
    default:
      return declared.fields?.get(step);
  }
}
