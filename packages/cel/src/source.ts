/**
 * The text of one expression and the arithmetic between offsets, lines and columns.
 *
 * Offsets count code points, as cel-go's do: a caret is under the right character however wide its UTF-8 or
 * UTF-16 form is.
 */

export interface Location {
  /** From 1. */
  readonly line: number;
  /** From 0; messages print it plus one. */
  readonly column: number;
}

export class Source {
  readonly text: string;
  /** The name in messages; `<input>` by default. */
  readonly description: string;
  #lineStarts: readonly number[] | undefined;

  constructor(text: string, description = "<input>") {
    this.text = text;
    this.description = description;
  }

  /** The line and column of a code point offset. */
  locate(offset: number): Location {
    const starts = this.#starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) };
  }

  /** The code point offset of a location. */
  offsetOf(location: Location): number {
    return (this.#starts()[location.line - 1] ?? 0) + location.column;
  }

  /** The text of a line (from 1) without its line break, or undefined past the end. */
  line(number: number): string | undefined {
    return this.text.split("\n")[number - 1];
  }

  #starts(): readonly number[] {
    if (this.#lineStarts === undefined) {
      const starts = [0];
      let offset = 0;
      for (const char of this.text) {
        offset++;
        if (char === "\n") starts.push(offset);
      }
      this.#lineStarts = starts;
    }
    return this.#lineStarts;
  }
}
