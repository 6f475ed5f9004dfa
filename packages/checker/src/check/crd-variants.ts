/**
 * CRDs of one name with different content. Repositories have the channels or releases of a project side by side:
 * `crds/standard` and `crds/experimental`. An object is checked with the closest of them. Where several are equally
 * close, nothing says which one is meant, so an object that one of them accepts has no errors.
 */
import { deepEqual } from "@portcullis/engine/internal/value/equal";
import type { Finding } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import { folderOf } from "../repository/paths.ts";
import type { Checker } from "./checker.ts";
import { servedVersions } from "./missing-schema.ts";

/** How many equally close CRDs are tried for one object. */
const MAX_TRIES = 16;

/** Creates a checker that has only this one of the CRDs with its name; without argument, the last one counts. */
export type MakeVariant = (chosen?: ManifestDocument) => Checker;

/** A checker for inputs that may have several CRDs of one name. */
export class VariantChecker {
  readonly #plain: Checker;
  readonly #make: MakeVariant;
  readonly #variants: ReadonlyMap<string, readonly ManifestDocument[]>;
  readonly #checkers = new Map<ManifestDocument, Checker>();

  /** `definitions` are the CRDs among the inputs, in their order. */
  constructor(definitions: readonly ManifestDocument[], make: MakeVariant) {
    this.#plain = make();
    this.#make = make;
    this.#variants = variantsOf(definitions);
  }

  get withoutSchema(): number {
    return this.#plain.withoutSchema;
  }

  async check(document: ManifestDocument): Promise<readonly Finding[]> {
    const variants = this.#variants.get(kindKey(document.id.apiVersion, document.id.kind));
    if (variants === undefined) return this.#plain.check(document);
    let [fewest, best]: [number, readonly Finding[]] = [Number.POSITIVE_INFINITY, []];
    for (const each of closest(document.file, variants)) {
      const found = await this.#checkerOf(each).check(document);
      const errors = found.filter(({ severity }) => severity === "error").length;
      if (errors < fewest) [fewest, best] = [errors, found];
      if (errors === 0) break;
    }
    return best;
  }

  #checkerOf(definition: ManifestDocument): Checker {
    const known = this.#checkers.get(definition);
    if (known !== undefined) return known;
    const made = this.#make(definition);
    this.#checkers.set(definition, made);
    return made;
  }
}

/** By kind and version; only where there are several. The last one comes first. */
function variantsOf(definitions: readonly ManifestDocument[]): ReadonlyMap<string, readonly ManifestDocument[]> {
  const byName = new Map<string, ManifestDocument[]>();
  for (const definition of definitions) {
    const known = byName.get(definition.id.name);
    if (known === undefined) byName.set(definition.id.name, [definition]);
    else if (!known.some((each) => haveSameSpec(each, definition))) known.unshift(definition);
  }
  const byKind = new Map<string, ManifestDocument[]>();
  for (const several of byName.values()) {
    if (several.length === 1) continue;
    for (const definition of several) {
      for (const { apiVersion, kind } of servedVersions([definition])) {
        const key = kindKey(apiVersion, kind);
        byKind.set(key, [...(byKind.get(key) ?? []), definition]);
      }
    }
  }
  return byKind;
}

function haveSameSpec(left: ManifestDocument, right: ManifestDocument): boolean {
  return deepEqual(left.object["spec"] ?? null, right.object["spec"] ?? null);
}

function kindKey(apiVersion: string, kind: string): string {
  return `${apiVersion} ${kind}`;
}

/**
 * Those that have the most folder names in common with the file, of names that not all of them have; of these, those with the
 * longest common path.
 */
function closest(file: string, definitions: readonly ManifestDocument[]): readonly ManifestDocument[] {
  const own = foldersIn(file);
  const folders = definitions.map((each) => foldersIn(each.file));
  const shared = (names: readonly string[]): number =>
    new Set(names.filter((name) => own.includes(name) && !folders.every((all) => all.includes(name)))).size;
  const common = (names: readonly string[]): number => {
    const at = names.findIndex((name, index) => name !== own[index]);
    return at < 0 ? names.length : at;
  };
  const similar = largest(definitions, (_, index) => shared(folders[index] ?? []));
  return byFolders(largest(similar, ({ file: other }) => common(foldersIn(other)))).slice(0, MAX_TRIES);
}

/** The first of each folder, then the second of each: one folder may have every release. */
function byFolders(definitions: readonly ManifestDocument[]): readonly ManifestDocument[] {
  const seen = new Map<string, number>();
  const placed = definitions.map((definition) => {
    const folder = folderOf(definition.file);
    const turn = seen.get(folder) ?? 0;
    seen.set(folder, turn + 1);
    return { definition, turn };
  });
  return placed.sort((left, right) => left.turn - right.turn).map(({ definition }) => definition);
}

function largest<T>(values: readonly T[], measure: (value: T, index: number) => number): readonly T[] {
  const measured = values.map(measure);
  const most = Math.max(...measured);
  return values.filter((_, index) => measured[index] === most);
}

function foldersIn(file: string): readonly string[] {
  return folderOf(file)
    .split(/[\\/]/)
    .filter((name) => name !== "" && name !== "." && !OF_TESTS.has(name));
}

/** That two files belong to tests does not connect them: a test of upgrades has the CRDs of an old release. */
const OF_TESTS: ReadonlySet<string> = new Set(["test", "tests", "e2e"]);
