/**
 * The `Warning` headers of one answer.
 *
 * Equal texts are sent once. When the total would exceed 4096 characters, all are cut to 256 and more are added until
 * the total reaches the limit. A text with a control character is not allowed in a header and is dropped.
 */
import { countRunes, sliceRunes } from "@portcullis/gostd/utf8";

const TOTAL = 4096;
const EACH = 256;

export class Warnings {
  readonly #texts = new Set<string>();
  #headers: string[] = [];
  #written = 0;
  #isTruncating = false;

  readonly add = (text: string): void => {
    if (text === "" || this.#texts.has(text)) return;
    if (this.#isTruncating && this.#written >= TOTAL) return;
    this.#texts.add(text);
    if (!this.#isTruncating && isHeaderText(text) && this.#written + countRunes(text) > TOTAL) this.#truncate();
    else this.#write(text);
  };

  /** As they were added. */
  get texts(): readonly string[] {
    return [...this.#texts];
  }

  get headers(): readonly (readonly [string, string])[] {
    return this.#headers.map((header) => ["Warning", header] as const);
  }

  #truncate(): void {
    this.#isTruncating = true;
    this.#headers = [];
    this.#written = 0;
    for (const text of this.#texts) this.#write(text);
  }

  #write(text: string): void {
    const cut = this.#isTruncating ? sliceRunes(text, 0, EACH) : text;
    if (!isHeaderText(cut)) return;
    this.#written += countRunes(cut);
    this.#headers.push(`299 - "${cut.replace(/[\\"]/g, "\\$&")}"`);
  }
}

function isHeaderText(text: string): boolean {
  return !/[\0-\x1f\x7f-\x9f]/.test(text);
}
