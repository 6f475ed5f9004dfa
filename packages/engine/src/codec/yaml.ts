/**
 * YAML text to values, as the API server and kubectl read it.
 *
 * The grammar, the scalar types and the errors are those of go-yaml v2 behind sigs.k8s.io/yaml; `yaml/` has one file
 * per step: characters, tokens, events, nodes, values. Plain texts take a short cut. No YAML library for JavaScript
 * accepts and refuses the same texts, and what is refused is part of the contract.
 *
 * Duplicates come as one finding with a line for each, because upstream decodes a second time, strictly, and reports
 * what that says.
 */
import type { Decoded, DecodeFailure } from "./json.ts";
import { duplicateYamlKeys } from "./messages.ts";
import type { SourceNode } from "./position.ts";
import { constructYaml } from "./yaml/construct.ts";
import { YamlFailure } from "./yaml/cursor.ts";
import { readYamlInput } from "./yaml/input.ts";
import { composeYaml } from "./yaml/node.ts";
import { decodeSimpleYaml } from "./yaml/simple.ts";
import { yamlSource } from "./yaml/source.ts";

export interface YamlDecodeOptions {
  /** Report duplicate keys. Off, the last one silently wins. */
  readonly duplicates?: boolean;
  /** Record where every key and value stands. */
  readonly positions?: boolean;
}

/**
 * Decodes the first document; the rest is ignored, as upstream does. An empty text is null.
 * @example decodeYaml("a: 1").error // undefined
 */
export function decodeYaml(input: string | Uint8Array, options: YamlDecodeOptions = {}): Decoded | DecodeFailure {
  const { text, problem } = readYamlInput(input);
  const simple = problem === undefined && options.positions !== true ? decodeSimpleYaml(text) : undefined;
  if (simple !== undefined) return { value: simple, strictErrors: [] };
  try {
    const root = composeYaml(text, problem);
    if (root === undefined) return { value: null, strictErrors: [] };
    const { value, duplicates, places, error } = constructYaml(root);
    if (error !== undefined) return { error };
    const strictErrors = options.duplicates && duplicates.length > 0 ? [duplicateYamlKeys(duplicates)] : [];
    const source: { source?: SourceNode } = options.positions ? { source: yamlSource(root) } : {};
    return { value, strictErrors, ...(strictErrors.length > 0 && { duplicates: places }), ...source };
  } catch (failure) {
    if (!(failure instanceof YamlFailure)) throw failure;
    return { error: failure.message, offset: failure.offset };
  }
}
