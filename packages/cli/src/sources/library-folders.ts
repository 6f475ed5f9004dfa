/**
 * CRDs and catalogues from clusters, URLs and archives as files in a temporary folder: the language server reads CRDs from disk when it
 * needs them, and an editor can open them.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { mayDefine } from "@portcullis/checker/internal/check/definition";
import { schemaNameOf } from "@portcullis/checker/internal/input/catalogue";
import { isSource, readSource } from "@portcullis/checker/internal/input/sources";
import type { CommandIo } from "../frame/command.ts";
import type { Options } from "../frame/options.ts";
import { fetchSources } from "./fetch-sources.ts";

export class LibraryFolders {
  readonly #options: Options;
  readonly #io: CommandIo;
  #parent: string | undefined;
  #count = 0;

  constructor(options: Options, io: CommandIo) {
    this.#options = options;
    this.#io = io;
  }

  /** A folder with the CRDs of a source. Undefined for a path, which needs none. */
  async folderOf(source: string): Promise<string | undefined> {
    if (!isSource(source)) return undefined;
    await fetchSources({ crds: [source] }, this.#options, this.#io);
    const files = readSource(source);
    const crds = files.filter(({ file, text }) => schemaNameOf(file) === undefined && mayDefine(text));
    this.#parent ??= mkdtempSync(path.join(tmpdir(), "portcullis-crds-"));
    const folder = path.join(this.#parent, String(this.#count++));
    mkdirSync(folder);
    for (const [index, { file, text }] of crds.entries()) {
      writeFileSync(path.join(folder, `${index}-${safeName(file)}`), text, { mode: 0o600 });
    }
    for (const { file, text } of files) writeSchema(folder, file, text);
    return folder;
  }

  remove(): void {
    if (this.#parent !== undefined) rmSync(this.#parent, { recursive: true, force: true });
    this.#parent = undefined;
  }
}

/** In the layout of catalogues, which says what the schema is of. */
function writeSchema(folder: string, file: string, text: string): void {
  const name = schemaNameOf(file);
  if (name === undefined) return;
  mkdirSync(path.join(folder, name.group), { recursive: true });
  writeFileSync(path.join(folder, name.group, `${name.kind}_${name.version}.json`), text, { mode: 0o600 });
}

/** The end of a name, which says what the file is; everything is read as YAML, which JSON is too. */
function safeName(file: string): string {
  const name = file.replace(/[^A-Za-z0-9.-]+/g, "-").slice(-100);
  return /\.(ya?ml|json)$/.test(name) ? name : `${name}.yaml`;
}
