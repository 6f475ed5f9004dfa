/** The texts of the files of a run. They are read on first use. */
import { readFileSync } from "node:fs";
import type { InputFile } from "../input/files.ts";

export class Texts {
  readonly #files: readonly InputFile[];
  readonly #kept = new Map<number, string>();

  constructor(files: readonly InputFile[]) {
    this.#files = files;
  }

  nameOf(index: number): string {
    const input = this.#files[index];
    if (input === undefined) throw new Error(`there is no file ${index}`);
    return input.file;
  }

  at(index: number): string {
    return this.#kept.get(index) ?? readFileSync(this.nameOf(index), "utf8");
  }

  keep(index: number, text: string): void {
    this.#kept.set(index, text);
  }
}
