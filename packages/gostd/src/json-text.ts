export interface JsonStringOptions {
  /** Go's `json.Marshal` escapes `<`, `>` and `&`; an encoder with `SetEscapeHTML(false)` does not. */
  readonly escapeHtml: boolean;
}
export declare function jsonString(text: string, options: JsonStringOptions): string;
export declare function jsonFloat(value: number, bits?: 32 | 64): string;
