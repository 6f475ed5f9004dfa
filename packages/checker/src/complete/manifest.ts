/** What can be written where the cursor is in a manifest: fields, values, and expressions inside values. */
import type { KubernetesVersion } from "@portcullis/engine/kubecel";
import type { Variables } from "./cel-scope.ts";
import { completeCel } from "./cel-suggestions.ts";
import type { KindName, KindViews } from "./kind-views.ts";
import type { Suggestion, Suggestions } from "./suggestion.ts";
import { type View, viewAt } from "./view.ts";
import type { ManifestPlace } from "./yaml-place.ts";

/** What depends on where the text comes from. */
export interface ManifestScope {
  readonly kinds: KindViews;
  readonly version: KubernetesVersion;
  /** The fields of the document. */
  readonly view: View | undefined;
  /** The variables, if the place is in an expression. */
  readonly variables: Variables | undefined;
}

export function completeManifest(place: ManifestPlace, offset: number, scope: ManifestScope): Suggestions | undefined {
  const { kinds, version, view, variables } = scope;
  if (place.at === "key") return view && keySuggestions(place, viewAt(view, place.path));
  if (variables !== undefined) return celSuggestions(place.written, offset, version, variables);
  return valueSuggestions(place, view, kinds);
}

/** `text` is the expression up to the offset. */
export function celSuggestions(
  text: string,
  offset: number,
  version: KubernetesVersion,
  variables: Variables,
): Suggestions | undefined {
  // What is quoted as YAML is an expression all the same.
  const found = completeCel(text.replace(/^["']/, ""), { version, variables });
  return found && { from: offset - found.written.length, options: found.options };
}

function valueSuggestions(place: ManifestPlace, view: View | undefined, kinds: KindViews): Suggestions | undefined {
  const { path, document } = place;
  const [key] = path;
  const isHeader = path.length === 1 && (key === "kind" || key === "apiVersion");
  return valueList(
    place,
    isHeader ? kinds.headers(key, headerOf(document)) : ((view && viewAt(view, path))?.values ?? []),
  );
}

/** The kind of a document that need not be readable yet. */
export function headerOf(document: string): KindName {
  return { apiVersion: rootValue(document, "apiVersion"), kind: rootValue(document, "kind") };
}

function rootValue(document: string, key: keyof KindName): string {
  const yaml = new RegExp(`^${key}: *["']?([^\\s"'#]+)`, "m").exec(document)?.[1];
  return yaml ?? new RegExp(`^[ \\t{]*"${key}"\\s*:\\s*"([^"]*)"`, "m").exec(document)?.[1] ?? "";
}

export function valueList(
  { from, isJson = false }: Pick<ManifestPlace, "from" | "isJson">,
  values: readonly string[],
): Suggestions | undefined {
  if (values.length === 0) return undefined;
  const apply = isJson ? jsonText : quoted;
  return {
    from,
    options: values.map((label) => ({ label, kind: "value", detail: "", about: "", apply: apply(label) })),
  };
}

/** Some texts are not what YAML takes them for. */
function quoted(value: string): string {
  return /^[*&!%@`]/.test(value) ? JSON.stringify(value) : value;
}

function jsonText(value: string): string {
  return /^(?:true|false|null|-?\d+)$/.test(value) ? value : JSON.stringify(value);
}

function keySuggestions(place: ManifestPlace, view: View | undefined): Suggestions | undefined {
  if (view === undefined) return undefined;
  const { from, taken, path } = place;
  const free = view.fields().filter(({ name }) => !taken.includes(name) && !(path.length === 0 && name === "status"));
  const options = free.map(({ name, isRequired, view: inner }): Suggestion => {
    const detail = isRequired ? `${inner.type}, required` : inner.type;
    const apply = place.isJson === true ? jsonField(name, inner) : name + opening(inner, place.indent);
    return { label: name, kind: "field", detail, about: inner.about, isRequired, apply };
  });
  return options.length === 0 ? undefined : { from, options };
}

function jsonField(name: string, { type }: View): string {
  const value = type === "list" ? "[]" : type === "object" || type === "map" ? "{}" : type === "string" ? '""' : "";
  return `${JSON.stringify(name)}: ${value}`;
}

/** What is written behind the key, so that the value can follow. */
function opening({ type }: View, indent: number): string {
  const deeper = `\n${" ".repeat(indent + 2)}`;
  if (type === "list") return `:${deeper}- `;
  return type === "object" || type === "map" ? `:${deeper}` : ": ";
}
