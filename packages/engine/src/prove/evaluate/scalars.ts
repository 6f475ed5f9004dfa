/** Places that hold scalars. */
import type { Alternative } from "../sorts/sort.ts";
import { ERROR, type Node, type Scalar, type Sym, type Term, variableTerm } from "./symbolic.ts";

export function scalarAt(node: Node, alternative: Alternative): Sym {
  const term = variableTerm(node.id);
  switch (alternative.kind) {
    case "int":
      return intScalar(node.id, "int");
    case "double":
      return alternative.integral ? intScalar(node.id, "double") : realScalar(node.id);
    case "string":
    case "bool":
      return { k: "scalar", kind: alternative.kind, term };
    default:
      return ERROR;
  }
}

function realScalar(id: string): Scalar {
  return {
    k: "scalar",
    kind: "double",
    term: variableTerm(id),
    real: { variable: id, apply: (value) => value, direction: 1 },
  };
}

const IDENTITY = { factor: 1n, constant: 0n };

/** A place, or a term of its own, as a whole number. */
export function intScalar(id: string, kind: "int" | "double", term: Term = variableTerm(id)): Scalar {
  return { k: "scalar", kind, term, form: { variable: id, apply: (value) => value, direction: 1, line: IDENTITY } };
}
