/**
 * Compiled rules by all that they depend on, for callers that compile nearly the same schema over and over, such as a
 * page where somebody types one: a rule is compiled again only where its text or the type of its data changed.
 */
import { formatType } from "@portcullis/cel";
import type { DeclType } from "../kubecel/decl-type.ts";

/** Far more than a definition has; beyond it everything is forgotten. */
const MAX_ENTRIES = 20_000;

export class RuleCache<T> {
  readonly #known = new Map<string, T>();

  get(key: string, make: () => T): T {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= MAX_ENTRIES) this.#known.clear();
    const made = make();
    this.#known.set(key, made);
    return made;
  }
}

/** The same for types that no expression can tell apart, neither by checking nor by cost. */
export function declTypeKey({ type, fields, key, element, maxElements, minSerializedSize }: DeclType): string {
  const size = `${maxElements}/${minSerializedSize}`;
  if (fields !== undefined) {
    return `{${[...fields].map(([name, field]) => `${name}:${declTypeKey(field)}`).join(",")}}${size}`;
  }
  if (element === undefined) return `${formatType(type)} ${size}`;
  return `[${key === undefined ? "" : declTypeKey(key)}|${declTypeKey(element)}]${size}`;
}
