/** A folder of the workspace: its files, what they define, and the texts that are open. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { DefinedKind } from "@portcullis/checker/internal/complete/kind-views";
import { readFile } from "@portcullis/checker/internal/input/text";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { type InputFile, isKustomizationName, surveyFiles } from "@portcullis/checker/internal/repository/survey";
import { CatalogueSchemas } from "./catalogue-schemas.ts";
import { affectsOthers, type FileFacts, factsOf, keepUnreadable, NO_FACTS, readFacts } from "./file-facts.ts";
import { HeadTexts } from "./head.ts";
import { compareFiles, isWanted, listFiles, readText, type ScannedFile, scanFiles } from "./scan.ts";

/** Where a version of a CRD is defined. */
export interface Definition {
  readonly file: string;
  readonly name: string;
  /** The file cannot be read now; this is what it had before. */
  readonly isStale: boolean;
  /** If its text is open, or was made of a schema. */
  readonly document: ManifestDocument | undefined;
  /** The file is the JSON schema of a catalogue. */
  readonly isSchema?: boolean;
}

export class Folder {
  readonly root: string;
  readonly head: HeadTexts;
  /** Increases whenever checks of other files may give other results. */
  revision = 0;
  /** Whether all files have been read. */
  isReady = false;
  readonly #facts = new Map<string, FileFacts>();
  /** CRDs outside of the folder; those inside take precedence. */
  #libraries = new Map<string, FileFacts>();
  #schemas = new CatalogueSchemas();
  readonly #open = new Map<string, string>();
  #inputs = new Map<string, InputFile>();
  #isSurveyed = false;
  /** The files that have an object. */
  readonly #files = new Map<string, Set<string>>();
  #definitions: ReadonlyMap<string, Definition> | undefined;
  readonly #closed = new AbortController();

  /** `isWhole`: all files below the folder belong to the workspace. */
  constructor(root: string, { isWhole }: { readonly isWhole: boolean }) {
    this.root = root;
    this.head = new HeadTexts(root);
    this.isReady = !isWhole;
  }

  close(): void {
    this.#closed.abort();
  }

  /** Reads all files. Texts that are open count as they are in the editor. */
  async scan(): Promise<void> {
    const files = await listFiles(this.root);
    for (const file of files) if (!this.#facts.has(file)) this.#facts.set(file, NO_FACTS);
    this.#survey();
    await scanFiles(this.root, files, ({ file, text }) => this.#setFacts(file, text), this.#closed.signal);
    this.isReady = true;
    this.revision++;
  }

  /** Reads CRDs outside of the folder. What was read before is forgotten. */
  async readLibraries(paths: readonly string[]): Promise<void> {
    const libraries = new Map<string, FileFacts>();
    const schemas = new CatalogueSchemas();
    for (const library of paths.map((each) => path.resolve(this.root, each))) {
      const use = ({ file, text }: ScannedFile): void => {
        const { definitions } = readFacts({ file, isNamed: false }, text);
        const place = path.relative(this.root, path.join(library, file)).split(path.sep).join("/");
        if (definitions.length > 0) libraries.set(place, { ...NO_FACTS, definitions });
      };
      const all = await listFiles(library);
      const files = all.filter((file) => !schemas.add(path.join(library, file)));
      // A path may also be a file.
      await scanFiles(library, all.length === 0 ? [""] : files, use, this.#closed.signal);
    }
    this.#libraries = libraries;
    this.#schemas = schemas;
    this.#changed();
  }

  /** The text of a file in the editor, as long as it is open. Returns whether other files are affected. */
  setOpen(file: string, text: string, documents: readonly ManifestDocument[], isReadable: boolean): boolean {
    if (!this.#facts.has(file)) this.#isSurveyed = false;
    if (isKustomizationName(path.basename(file))) this.#isSurveyed = false;
    this.#open.set(file, text);
    const before = this.#facts.get(file) ?? NO_FACTS;
    const facts = factsOf(documents, { isTestData: this.inputOf(file)?.isTestData, isOpen: true });
    return this.#replace(file, before, isReadable ? facts : keepUnreadable(before, facts));
  }

  /** Back to the text on disk. */
  async setClosed(file: string): Promise<void> {
    this.#open.delete(file);
    await this.refresh([file]);
  }

  /** Files that changed, appeared or disappeared on disk. */
  async refresh(files: readonly string[]): Promise<void> {
    const wanted = files.filter((each) => isWanted(each) && !this.#open.has(each));
    const texts = new Map<string, string>();
    for (const file of wanted) {
      const text = await readText(path.join(this.root, file));
      if (text !== undefined) texts.set(file, text);
    }
    // A text may have been opened in the meantime.
    for (const file of wanted.filter((each) => !this.#open.has(each))) {
      if (!texts.has(file)) this.#remove(file);
      else if (!this.#facts.has(file)) this.#facts.set(file, NO_FACTS);
    }
    // What a file is may depend on the others: a chart or a kustomization may have appeared.
    this.#survey();
    for (const [file, text] of texts) this.#setFacts(file, text);
  }

  #setFacts(file: string, text: string): void {
    if (this.#open.has(file)) return;
    const before = this.#facts.get(file) ?? NO_FACTS;
    const input = this.#inputs.get(file) ?? { file, isNamed: false };
    // Files of charts and kustomizations are not objects.
    const facts = this.#isSurveyed && !this.#inputs.has(file) ? NO_FACTS : readFacts(input, text);
    this.#replace(file, before, facts);
  }

  #remove(file: string): void {
    const before = this.#facts.get(file);
    if (before === undefined) return;
    this.#facts.delete(file);
    this.#forget(file, before);
    if (affectsOthers(before, NO_FACTS)) this.#changed();
  }

  #replace(file: string, before: FileFacts, now: FileFacts): boolean {
    this.#forget(file, before);
    this.#facts.set(file, now);
    for (const identity of now.identities) {
      const known = this.#files.get(identity);
      if (known === undefined) this.#files.set(identity, new Set([file]));
      else known.add(file);
    }
    const affects = affectsOthers(before, now);
    if (affects) this.#changed();
    return affects;
  }

  #forget(file: string, { identities }: FileFacts): void {
    for (const identity of identities) {
      const known = this.#files.get(identity);
      known?.delete(file);
      if (known?.size === 0) this.#files.delete(identity);
    }
  }

  #changed(): void {
    this.#definitions = undefined;
    this.revision++;
  }

  /** How the file is checked; undefined if another tool reads it first, such as a chart. */
  inputOf(file: string): InputFile | undefined {
    if (!this.#isSurveyed) this.#survey();
    return this.#inputs.get(file) ?? (this.#facts.has(file) ? undefined : { file, isNamed: false });
  }

  #survey(): void {
    const names = [...new Set([...this.#facts.keys(), ...this.#open.keys()])].sort(compareFiles);
    const { files } = surveyFiles(
      names.map((file) => ({ file, isNamed: false })),
      (file) => this.textOf(file),
    );
    this.#inputs = new Map(files.map((input) => [input.file, input]));
    this.#isSurveyed = true;
  }

  /** As it is in the editor, or on disk. */
  textOf(file: string): string | undefined {
    const open = this.#open.get(file);
    if (open !== undefined) return open;
    try {
      return readFileSync(path.join(this.root, file), "utf8");
    } catch {
      return undefined;
    }
  }

  /** The CRD of a kind, by `apiVersion kind`. Of CRDs with the same name the last one counts. */
  definitionOf(kind: string): Definition | undefined {
    return this.#byKind().get(kind) ?? this.#catalogued(kind);
  }

  /** All CRDs of the folder that define a kind: those with the same name may differ. */
  definitionsOf(kind: string): readonly Definition[] {
    return this.#sorted().flatMap(([file, { definitions, isStale }]) =>
      definitions
        .filter(({ versions }) => versions.some((each) => `${each.apiVersion} ${each.kind}` === kind))
        .map(({ name, document }) => ({ file, name, isStale, document })),
    );
  }

  #catalogued(kind: string): Definition | undefined {
    const found = this.#schemas.find(kind);
    if (found === undefined) return undefined;
    const { document } = found;
    const file = path.relative(this.root, found.file).split(path.sep).join("/");
    return { file, name: document.id.name, isStale: false, document, isSchema: true };
  }

  #byKind(): ReadonlyMap<string, Definition> {
    if (this.#definitions !== undefined) return this.#definitions;
    const byKind = new Map<string, Definition>();
    for (const [file, { definitions, isStale }] of [...this.#libraries, ...this.#sorted()]) {
      for (const { name, versions, document } of definitions) {
        const definition = { file, name, isStale, document };
        for (const { apiVersion, kind } of versions) byKind.set(`${apiVersion} ${kind}`, definition);
      }
    }
    this.#definitions = byKind;
    return byKind;
  }

  #sorted(): readonly (readonly [string, FileFacts])[] {
    const some = [...this.#facts].filter(([, facts]) => affectsOthers(facts, NO_FACTS));
    return some.sort(([left], [right]) => compareFiles(left, right));
  }

  /** All kinds of CRDs. */
  definedKinds(): readonly DefinedKind[] {
    const all = [...this.#sorted(), ...this.#libraries];
    return all.flatMap(([, { definitions }]) => definitions.flatMap(({ versions }) => versions));
  }

  policies(): readonly ManifestDocument[] {
    return this.#sorted().flatMap(([, { policies }]) => policies);
  }

  context(): readonly ManifestDocument[] {
    return this.#sorted().flatMap(([, { context }]) => context);
  }

  /** The objects of a kind, read again. */
  objectsOf(kind: string): readonly ManifestDocument[] {
    const files = [...this.#facts].filter(([, { kinds }]) => kinds.has(kind)).map(([file]) => file);
    return files.sort(compareFiles).flatMap((file) => {
      const { documents } = readFile(file, this.textOf(file) ?? "");
      return documents.filter(({ id }) => `${id.apiVersion} ${id.kind}` === kind);
    });
  }

  identitiesOf(file: string): readonly string[] {
    return this.#facts.get(file)?.identities ?? [];
  }

  /** The files that have one of these objects, with the objects that they have of them. */
  filesWith(identities: readonly string[]): readonly (readonly [file: string, identities: readonly string[]])[] {
    const wanted = new Set(identities);
    const files = new Set([...wanted].flatMap((each) => [...(this.#files.get(each) ?? [])]));
    return [...files]
      .sort(compareFiles)
      .map((file) => [file, (this.#facts.get(file)?.identities ?? []).filter((each) => wanted.has(each))]);
  }
}
