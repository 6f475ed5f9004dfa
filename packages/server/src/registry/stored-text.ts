/**
 * The text of an object as it is stored, which has no resourceVersion, and the same text with one: what is stored is
 * mostly also what is answered, and walking an object twice for that would be the most of a write's work.
 */
import { isObject, type JsonObject, type JsonValue, sortedKeys } from "@portcullis/engine/internal/value/json";
import { canonicalMember } from "@portcullis/engine/internal/value/text";

export class StoredText {
  readonly #head: string;
  /** The members of the metadata before and after where the resourceVersion belongs. */
  readonly #before: string;
  readonly #after: string;
  readonly #tail: string;

  constructor(object: JsonObject) {
    const metadata = isObject(object["metadata"]) ? object["metadata"] : {};
    const [head, tail] = split(object, "metadata");
    [this.#before, this.#after] = split(metadata, "resourceVersion");
    this.#head = `{${head}${head === "" ? "" : ","}"metadata":{`;
    this.#tail = `}${tail === "" ? "" : ","}${tail}}`;
  }

  plain(): string {
    const joint = this.#before === "" || this.#after === "" ? "" : ",";
    return this.#head + this.#before + joint + this.#after + this.#tail;
  }

  withRevision(revision: number): string {
    const left = this.#before === "" ? "" : ",";
    const right = this.#after === "" ? "" : ",";
    return `${this.#head}${this.#before}${left}"resourceVersion":"${revision}"${right}${this.#after}${this.#tail}`;
  }
}

/** The members before a key and those after it, without the key itself and `selfLink`, which is never stored. */
function split(object: JsonObject, middle: "metadata" | "resourceVersion"): [before: string, after: string] {
  let [before, after] = ["", ""];
  for (const key of sortedKeys(object)) {
    if (key === middle || (middle === "resourceVersion" && key === "selfLink")) continue;
    const member = canonicalMember(key, object[key] as JsonValue, { escapeHtml: false });
    if (key < middle) before += before === "" ? member : `,${member}`;
    else after += after === "" ? member : `,${member}`;
  }
  return [before, after];
}
