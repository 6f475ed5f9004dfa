/**
 * What value validation finds, before it becomes a field error.
 *
 * Upstream names the place of a finding by a dotted text (`spec.ports[0].name`, map keys with a dot too) that it puts
 * into messages and, whole, into the path; the text is made only when something is wrong.
 */
import type { FieldError } from "../field/error.ts";
import { type FieldPath, nilPath } from "../field/path.ts";

/** The place of a value below the validated root; undefined is the root itself. */
export interface Place {
  readonly parent: Place | undefined;
  /** A member's name or a key, or the index of an item. */
  readonly step: string | number;
  readonly kind: PlaceKind;
}

/** `keyName` is the key itself as a value, as `x-kubernetes-property-names` sees it. */
export type PlaceKind = "member" | "key" | "item" | "keyName";

export function newPlace(parent: Place | undefined, step: string | number, kind: PlaceKind): Place {
  return { parent, step, kind };
}

/** The name as messages carry it: "" for the root. A key of a map keeps its dot even at the root. */
export function placeName(place: Place | undefined): string {
  if (place === undefined) return "";
  const before = placeName(place.parent);
  if (place.kind === "item") return `${before}[${place.step}]`;
  if (place.kind === "keyName") return `${before}${before === "" ? "" : " "}key "${place.step}"`;
  return before === "" && place.kind === "member" ? String(place.step) : `${before}.${place.step}`;
}

/** The path of a finding: the whole name is one path element, without its leading dot. */
export function placePath(root: FieldPath, place: Place | undefined): FieldPath {
  if (place?.kind === "keyName") return placePath(root, place.parent).key(String(place.step));
  return namedPath(root, placeName(place));
}

export function namedPath(root: FieldPath, name: string): FieldPath {
  if (name === "" || name === ".") return root;
  return root.child(name.startsWith(".") ? name.slice(1) : name);
}

/** The steps from the root. */
export function placeSteps(place: Place | undefined): (string | number)[] {
  const steps: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.parent) steps.push(at.step);
  return steps.reverse();
}

export interface Finding {
  readonly place: Place | undefined;
  /** Upstream's text of it, which is not always what the field error says. */
  readonly text: string;
  readonly toError: (root: FieldPath) => FieldError;
}

/** Upstream reports each distinct text once. */
export function distinct<T extends { readonly text: string }>(findings: readonly T[]): readonly T[] {
  if (findings.length < 2) return findings;
  const seen = new Set<string>();
  return findings.filter(({ text }) => !seen.has(text) && seen.add(text));
}

export function toFieldErrors(findings: readonly Finding[], root: FieldPath = nilPath): FieldError[] {
  return distinct(findings).map((finding) => finding.toError(root));
}
