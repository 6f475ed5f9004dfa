/** Which inputs are definitions of custom resources. Alone in a file: whoever only reads needs no more. */
import type { ObjectId } from "../report/finding.ts";

const KIND = "CustomResourceDefinition";

export function isDefinition({ id }: { readonly id: ObjectId }): boolean {
  return id.kind === KIND && id.apiVersion === "apiextensions.k8s.io/v1";
}

/** Whether a text may have a definition, however it is written. */
export function mayDefine(text: string): boolean {
  return text.includes(KIND);
}
