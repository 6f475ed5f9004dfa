/** What a word of an expression means, and the arguments of the call that is being written. */
import { type FunctionReference, functionReferences } from "@portcullis/cel";
import { compatibilityVersion, type KubernetesVersion, kubernetesEnvironment } from "@portcullis/engine/kubecel";
import { type CelScope, fitsReceiver, resolveChain, withLoops } from "./cel-suggestions.ts";
import type { View } from "./view.ts";

const WORD_END = /^[A-Za-z0-9_]*/;
const CHAIN_END = /(?:[A-Za-z_]\w*(?:\[[^\][]*\])*\??\.)*[A-Za-z_]\w*$/;

/** A field or a variable with its type, or the overloads of a function. */
export type CelMeaning =
  | { readonly kind: "value"; readonly name: string; readonly view: View; readonly from: number; readonly to: number }
  | {
      readonly kind: "function";
      readonly name: string;
      readonly overloads: readonly FunctionReference[];
      readonly from: number;
      readonly to: number;
    };

/** `offset` is in the expression. Undefined between words, and for what is unknown. */
export function celMeaningAt(text: string, offset: number, scope: CelScope): CelMeaning | undefined {
  const to = offset + (WORD_END.exec(text.slice(offset))?.[0].length ?? 0);
  const chain = CHAIN_END.exec(text.slice(0, to))?.[0];
  if (chain === undefined) return undefined;
  const name = /\w+$/.exec(chain)?.[0] ?? "";
  const place = { name, from: to - name.length, to };
  if (/^\s*\(/.test(text.slice(to))) {
    const overloads = overloadsOf(name, chain !== name || text[to - name.length - 1] === ".", undefined, scope.version);
    return overloads.length === 0 ? undefined : { kind: "function", ...place, overloads };
  }
  const view = resolveChain(chain, withLoops(text.slice(0, to), scope.variables));
  return view === undefined ? undefined : { kind: "value", ...place, view };
}

export interface CelCall {
  readonly overloads: readonly FunctionReference[];
  /** From 0. */
  readonly argument: number;
}

/** The innermost call that is open at the end of the text. */
export function celCallAt(text: string, scope: CelScope): CelCall | undefined {
  const bare = maskTexts(text);
  let [depth, argument] = [0, 0];
  for (let at = bare.length - 1; at >= 0; at--) {
    const character = bare[at] ?? "";
    if (")]}".includes(character)) depth++;
    else if ("([{".includes(character) && depth > 0) depth--;
    else if (character === "(") {
      const call = /(\.)?([A-Za-z_]\w*)\s*$/.exec(bare.slice(0, at));
      if (call === null) return undefined;
      const [, dot, name = ""] = call;
      const chain = dot === undefined ? undefined : CHAIN_END.exec(bare.slice(0, call.index))?.[0];
      const receiver = chain && resolveChain(chain, withLoops(text.slice(0, at), scope.variables));
      const overloads = overloadsOf(name, dot !== undefined, receiver || undefined, scope.version);
      return overloads.length === 0 ? undefined : { overloads, argument };
    } else if ("[{".includes(character)) argument = 0;
    else if (character === "," && depth === 0) argument++;
  }
  return undefined;
}

/** Texts in quotes become spaces, so that what is in them is not taken for code. */
export function maskTexts(text: string): string {
  return text.replaceAll(/"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/g, (literal) => " ".repeat(literal.length));
}

function overloadsOf(
  name: string,
  isMember: boolean,
  receiver: View | undefined,
  version: KubernetesVersion,
): readonly FunctionReference[] {
  const options = { version: compatibilityVersion(version), serverVersion: version, mode: "new" } as const;
  const named = functionReferences(kubernetesEnvironment(options)).filter(
    (each) => each.name === name && each.member === isMember,
  );
  const fitting = named.filter((each) => fitsReceiver(each, receiver?.type));
  return fitting.length > 0 ? fitting : named;
}
