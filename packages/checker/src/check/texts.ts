/** The texts of the files of a run. They are read on first use. */
import type { InputFile } from "../input/files.ts";
import { readTextFile } from "../input/read-text.ts";
import { unreadable } from "../input/unreadable.ts";
import type { Finding } from "../report/finding.ts";
import { substitute } from "../repository/placeholders.ts";

export class Texts {
  readonly #files: readonly InputFile[];
  readonly #values: ReadonlyMap<string, string> | undefined;
  readonly #kept = new Map<number, string>();
  readonly #problems = new Map<number, Finding>();

  /** Variables in the files are replaced by `values`. */
  constructor(files: readonly InputFile[], values?: ReadonlyMap<string, string> | undefined) {
    this.#files = files;
    this.#values = values;
  }

  inputAt(index: number): InputFile {
    const input = this.#files[index];
    if (input === undefined) throw new Error(`there is no file ${index}`);
    return input;
  }

  /** Empty if the file cannot be read; then there is a problem. */
  at(index: number): string {
    return this.#kept.get(index) ?? this.#read(index);
  }

  problemAt(index: number): Finding | undefined {
    return this.#problems.get(index);
  }

  keep(index: number, text: string): void {
    this.#kept.set(index, text);
  }

  #read(index: number): string {
    const { file, text } = this.inputAt(index);
    try {
      const found = text ?? readTextFile(file);
      return this.#values === undefined ? found : substitute(found, this.#values);
    } catch (problem) {
      this.#problems.set(index, unreadable(file, problem));
      return "";
    }
  }
}
