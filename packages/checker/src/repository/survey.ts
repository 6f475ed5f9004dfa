/**
 * Sorts the files of a repository: what is applied as it is, and what another tool reads first.
 *
 * The templates and values of a Helm chart, and the files that a kustomization names as patches, components,
 * replacements or generators, are not objects. They are skipped, with one line for each chart and kustomization. A file
 * that the user names is never skipped.
 */
import { isChainsawTest, isNamedLikeAssertion, readChainsawTest } from "./chainsaw.ts";
import { type Kustomization, type ReadText, readKustomization } from "./kustomization.ts";
import { type Role, rolesOf } from "./kustomization-roles.ts";
import { baseName, folderOf, join } from "./paths.ts";

/** A file to check. */
export interface InputFile {
  readonly file: string;
  /** Named on the command line, not found in a folder or by a pattern. */
  readonly isNamed: boolean;
  /** The folder of a kustomization that changes the objects of the file before they are applied. */
  readonly changedBy?: string | undefined;
  /** The folder of a kustomization that sets the namespace of the objects. */
  readonly namespacedBy?: string | undefined;
  /** The test that applies the file, perhaps to an object that exists: then fields may be missing. */
  readonly mergedBy?: string | undefined;
  /** In a folder with test data, whose CRDs do not count for the rest of the repository. */
  readonly isTestData?: boolean | undefined;
  /** Its CRDs count for the other inputs; the file itself is not checked. */
  readonly isReference?: boolean | undefined;
  /** The text of an input that is not a file on disk, such as standard input or a rendered chart. */
  readonly text?: string | undefined;
  /** The folder of the chart that the text was rendered from. */
  readonly chart?: string | undefined;
  /** The file of the kustomization that the text was built from. */
  readonly kustomization?: string | undefined;
}

export type SkipReason = "helm-chart" | "kustomization" | "template" | "patch" | "assertion" | "configuration";

/** Files that were recognized and left out. */
export interface Skipped {
  /** The folder of a chart or a kustomization; otherwise the file. */
  readonly path: string;
  readonly reason: SkipReason;
  readonly files: number;
  /** In a commit, an archive or a download, where no tool can render it. */
  readonly isPacked?: boolean | undefined;
}

export interface Survey {
  readonly files: readonly InputFile[];
  readonly skipped: readonly Skipped[];
}

export function surveyFiles(files: readonly InputFile[], read: ReadText): Survey {
  const found = files.filter(({ isNamed }) => !isNamed);
  if (found.length === 0) return { files, skipped: [] };
  const above = foldersAbove(found);
  const charts = new Charts(found, above, read);
  const kustomizations = readKustomizations(found, above, read);
  const roles = rolesOf(kustomizations, found, read);
  const { assertions, merged } = filesOfTests(found, read);
  const counts = new Counts();
  const kept: InputFile[] = [];
  for (const input of files) {
    const chart = input.isNamed ? undefined : charts.owning(input.file);
    const role = roles.get(input.file);
    if (chart !== undefined) counts.add(chart, "helm-chart");
    else if (!input.isNamed && role?.ownedBy !== undefined) counts.add(role.ownedBy, "kustomization");
    else if (assertions.has(input.file)) counts.add(input.file, "assertion");
    else kept.push(withRoles(input, role, merged));
  }
  return { files: markTestData(kept), skipped: counts.list() };
}

/** Most files have no role. */
function withRoles(input: InputFile, role: Role | undefined, merged: ReadonlyMap<string, string>): InputFile {
  const mergedBy = input.isNamed ? undefined : merged.get(input.file);
  if (role === undefined && mergedBy === undefined) return input;
  return { ...input, ...role, ...(mergedBy !== undefined && { mergedBy }) };
}

interface FilesOfTests {
  readonly assertions: ReadonlySet<string>;
  /** The test by the file that it applies. */
  readonly merged: ReadonlyMap<string, string>;
}

/** Named files are not skipped. */
function filesOfTests(found: readonly InputFile[], read: ReadText): FilesOfTests {
  const files = found.map(({ file }) => file);
  const tests = files.filter(isChainsawTest).map((file) => ({ file, ...readChainsawTest(file, read(file) ?? "") }));
  const compared = new Set(tests.flatMap((test) => test.compared));
  const folders = new Set(tests.map(({ file }) => folderOf(file)));
  return {
    assertions: new Set(
      files.filter(
        (file) => compared.has(file) || isNamedLikeAssertion(file, { hasTest: folders.has(folderOf(file)) }),
      ),
    ),
    merged: new Map(tests.flatMap(({ file, merged }) => merged.map((each): [string, string] => [each, file]))),
  };
}

const TEST_DATA = /(?:^|[\\/])testdata[\\/]/;

/** If all files are test data, the user asked for them. */
function markTestData(files: readonly InputFile[]): readonly InputFile[] {
  const isTest = ({ file, isNamed }: InputFile): boolean => !isNamed && TEST_DATA.test(file);
  if (!files.some(isTest) || files.every(isTest)) return files;
  return files.map((input) => (isTest(input) ? { ...input, isTestData: true } : input));
}

class Counts {
  readonly #counts = new Map<string, Skipped>();

  add(path: string, reason: SkipReason): void {
    const key = `${reason} ${path}`;
    const files = (this.#counts.get(key)?.files ?? 0) + 1;
    this.#counts.set(key, { path, reason, files });
  }

  list(): readonly Skipped[] {
    return [...this.#counts.values()];
  }
}

/** Files of a chart that are not objects. The folder `crds` of a chart has plain CRDs. */
const CHART_FILES = /^(?:Chart\.ya?ml|requirements\.ya?ml|values.*\.(?:ya?ml|json)|templates\/.*|ci\/.*)$/;

class Charts {
  readonly #folders: ReadonlySet<string>;
  readonly #known = new Map<string, string | undefined>();

  /** The user may name a folder inside a chart, so folders above count too. */
  constructor(files: readonly InputFile[], above: readonly string[], read: ReadText) {
    this.#folders = new Set([
      ...files.filter(({ file }) => file.endsWith("Chart.yaml") && baseName(file) === "Chart.yaml").map(homeOf),
      ...above.filter((folder) => read(join(folder, "Chart.yaml")) !== undefined),
    ]);
  }

  /** The folder of the chart that reads this file; undefined if the file is an object, or in no chart. */
  owning(file: string): string | undefined {
    const chart = this.#folders.size === 0 ? undefined : this.#chartOf(folderOf(file));
    if (chart === undefined) return undefined;
    return CHART_FILES.test(chart === "" ? file : file.slice(chart.length + 1)) ? chart : undefined;
  }

  #chartOf(folder: string): string | undefined {
    if (this.#known.has(folder)) return this.#known.get(folder);
    const parent = folderOf(folder);
    const chart = this.#folders.has(folder) ? folder : parent === folder ? undefined : this.#chartOf(parent);
    this.#known.set(folder, chart);
    return chart;
  }
}

function homeOf({ file }: InputFile): string {
  return folderOf(file);
}

/** How far above the inputs charts and kustomizations are looked for. */
const MAX_PARENTS = 4;

function parentsOf(folder: string): readonly string[] {
  const parents: string[] = [];
  for (let at = folder; parents.length < MAX_PARENTS; ) {
    const parent = folderOf(at);
    if (parent === at) break;
    parents.push(parent);
    at = parent;
  }
  return parents;
}

/** The folders above those of the files, except where a folder is below another one with files. */
function foldersAbove(files: readonly InputFile[]): readonly string[] {
  const folders = new Set(files.map(homeOf));
  const outermost = [...folders].map(parentsOf).filter((parents) => !parents.some((parent) => folders.has(parent)));
  return [...new Set(outermost.flat())];
}

export const KUSTOMIZATION_NAMES = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

export function isKustomizationName(name: string): boolean {
  return KUSTOMIZATION_NAMES.includes(name);
}

function readKustomizations(
  files: readonly InputFile[],
  above: readonly string[],
  read: ReadText,
): readonly Kustomization[] {
  const among = files.map(({ file }) => file).filter((file) => isKustomizationName(baseName(file)));
  const others = above.flatMap((folder) => KUSTOMIZATION_NAMES.map((name) => join(folder, name)));
  return [...new Set([...among, ...others])].flatMap((file) => {
    const text = read(file);
    const kustomization = text === undefined ? undefined : readKustomization(file, text);
    return kustomization === undefined ? [] : [kustomization];
  });
}
