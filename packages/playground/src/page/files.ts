/** Files of the user: sorted into the texts that they belong to. Nothing is uploaded. */
import type { Field, Mode } from "../modes.ts";
import { MODE_INFO } from "../modes.ts";

export interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** Beyond this a file is hardly a manifest. */
export const MAX_FILE = 4_000_000;

/**
 * The texts that files become, where they were not dropped on one text: CRDs, policies with their bindings, and
 * everything else by what they are. A second object in Update mode is the new one.
 */
export function sortFiles(files: readonly TextFile[], mode: Mode): Partial<Record<Field, string>> {
  const parts = new Map<Field, string[]>();
  const add = (field: Field, text: string): void => void parts.set(field, [...(parts.get(field) ?? []), text]);
  for (const { name, text } of files) {
    if (name.endsWith(".cel")) add("expression", text);
    else for (const document of documentsOf(text)) add(fieldFor(document, mode, parts), document);
  }
  return Object.fromEntries([...parts].map(([field, texts]) => [field, joinDocuments(texts)]));
}

export function joinDocuments(texts: readonly string[]): string {
  return texts.map((text) => (text.endsWith("\n") ? text : `${text}\n`)).join("---\n");
}

function documentsOf(text: string): string[] {
  const documents = text.split(/^---(?: .*)?\r?\n/m).filter((each) => /^[^#\s]/m.test(each));
  return documents.length === 0 ? [text] : documents;
}

function fieldFor(document: string, mode: Mode, taken: ReadonlyMap<Field, unknown>): Field {
  const kind = /^\s*"?kind"?:\s*"?(\w+)/m.exec(document)?.[1] ?? "";
  const wanted = wantedFields(kind, mode);
  const { fields } = MODE_INFO[mode];
  const usable = wanted.filter((field) => fields.includes(field));
  return usable.find((field) => !taken.has(field)) ?? usable.at(-1) ?? wanted[0] ?? "object";
}

/** In the order in which they are filled. */
function wantedFields(kind: string, mode: Mode): readonly Field[] {
  if (kind === "CustomResourceDefinition") {
    return mode === "upgrade" ? ["oldDefinition", "definition"] : mode === "policy" ? ["cluster"] : ["definition"];
  }
  if (/^(?:Validating|Mutating)AdmissionPolicy(?:Binding)?$/.test(kind)) return ["policy"];
  return mode === "update" ? ["old", "object"] : ["object"];
}
