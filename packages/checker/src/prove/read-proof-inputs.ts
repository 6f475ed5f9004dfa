/** The inputs of proofs, from files. */
import { loadDocuments } from "../policy/load.ts";
import { type ProofInputs, type ProofSettings, proofInputs } from "./proof-inputs.ts";

export interface InputOptions extends ProofSettings {
  /** Paths with objects that all sides need. */
  readonly shared: readonly string[];
  readonly stdin: () => string;
}

/** One side for each path. */
export async function readProofInputs(paths: readonly string[], options: InputOptions): Promise<ProofInputs> {
  const shared = loadDocuments(options.shared, options.stdin).map(({ object }) => object);
  const given = paths.map((path) => loadDocuments([path], options.stdin).map(({ object }) => object));
  return proofInputs(given, shared, options);
}
