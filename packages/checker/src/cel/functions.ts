/** The functions and macros that expressions can call, with their documentation. */
import { type Environment, type FunctionReference, functionReferences } from "@portcullis/cel";

/** One paragraph per function; `name` limits the list to one name. */
export function listFunctions(environment: Environment, name: string | undefined): string[] {
  const references = functionReferences(environment).filter((each) => name === undefined || each.name === name);
  const paragraphs = new Map<string, FunctionReference[]>();
  for (const reference of references) {
    const key = JSON.stringify([reference.name, reference.doc]);
    paragraphs.set(key, [...(paragraphs.get(key) ?? []), reference]);
  }
  return [...paragraphs.values()].map(paragraph);
}

/** The signatures of overloads with the same documentation, what they do, and an example. */
function paragraph(references: readonly FunctionReference[]): string {
  const [first] = references;
  const text = first === undefined ? [] : [`  ${first.doc}`, `  ${first.example}`];
  return [...references.map(signatureLine), ...text].join("\n");
}

function signatureLine({ name, receiverText, signature }: FunctionReference): string {
  return receiverText === "" ? `${name}${signature}` : `(${receiverText}).${name}${signature}`;
}
