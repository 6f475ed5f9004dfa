/** Signature help in expressions: the overloads of the call that is being written. */
import { celCallAt } from "@portcullis/checker/internal/complete/cel-help";
import { celScope } from "@portcullis/checker/internal/complete/cel-scope";
import { signatureOf } from "@portcullis/checker/internal/complete/describe";
import type { Position, SignatureHelp } from "vscode-languageserver";
import { type OpenText, objectAround, writtenPlaceAt } from "./open-text.ts";

export function signatureHelp(open: OpenText, position: Position): SignatureHelp | undefined {
  const offset = open.document.offsetAt(position);
  const place = writtenPlaceAt(open, offset);
  if (place?.at !== "value") return undefined;
  const variables = celScope({ path: place.path, object: objectAround(open, offset) }, open.kinds);
  if (variables === undefined) return undefined;
  const text = place.written.replace(/^["']/, "");
  const call = celCallAt(text, { version: open.settings.kubeVersion, variables });
  if (call === undefined) return undefined;
  return {
    signatures: call.overloads.map((each) => ({
      label: signatureOf(each),
      documentation: each.doc,
      parameters: parametersOf(each.signature).map((label) => ({ label })),
    })),
    activeSignature: 0,
    activeParameter: call.argument,
  };
}

/** `(list(int), string) → bool` has two. */
function parametersOf(signature: string): string[] {
  const parameters: string[] = [];
  let [depth, from] = [0, 1];
  for (let at = 0; at < signature.length; at++) {
    const character = signature[at];
    if (character === "(") depth++;
    const isEnd = character === ")" && --depth === 0;
    if (isEnd || (character === "," && depth === 1)) {
      parameters.push(signature.slice(from, at).trim());
      from = at + 1;
    }
    if (isEnd) break;
  }
  return parameters.filter((each) => each !== "");
}
