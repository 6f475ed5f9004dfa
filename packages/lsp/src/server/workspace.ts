/** The folders of the editor, and the texts that are open in them. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { type OpenText, objectReader } from "../features/open-text.ts";
import { ClusterContext } from "../workspace/cluster-context.ts";
import { Folder } from "../workspace/folder.ts";
import { folderKinds } from "../workspace/folder-kinds.ts";
import { DEFAULT_SETTINGS, engineFor, type Settings } from "../workspace/settings.ts";

interface OpenFolder {
  readonly folder: Folder;
  context: ClusterContext;
}

export interface LibraryOptions {
  /** A folder with the CRDs of a source that is not a path. */
  readonly folderOf?: ((source: string) => Promise<string | undefined>) | undefined;
}

interface WorkspaceOptions extends LibraryOptions {
  /** The CRDs of a source cannot be used. */
  readonly failed: (source: string, problem: unknown) => void;
}

export class Workspace {
  settings: Settings = DEFAULT_SETTINGS;
  readonly #folders: OpenFolder[] = [];
  readonly #open = new Map<string, OpenText>();
  readonly #options: WorkspaceOptions;

  constructor(options: WorkspaceOptions) {
    this.#options = options;
  }

  /** Texts below the folder belong to it from now on. Its files are read by `scan`. */
  addFolder(root: string): void {
    if (!this.#folders.some(({ folder }) => folder.root === root)) this.#add(root, true);
  }

  async scan(root: string): Promise<void> {
    const found = this.#folders.find(({ folder }) => folder.root === root);
    await found?.folder.readLibraries(await this.#libraries());
    await found?.folder.scan();
  }

  /** After a change of the settings. */
  async readLibraries(): Promise<void> {
    const libraries = await this.#libraries();
    for (const { folder } of this.#folders) await folder.readLibraries(libraries);
  }

  /** The paths of the setting; a source that cannot be read is reported, and the others are used. */
  async #libraries(): Promise<readonly string[]> {
    const { folderOf, failed } = this.#options;
    const paths: string[] = [];
    for (const source of this.settings.crds) {
      try {
        paths.push((await folderOf?.(source)) ?? source);
      } catch (problem) {
        failed(source, problem);
      }
    }
    return paths;
  }

  #add(root: string, isWhole: boolean): OpenFolder {
    const folder = new Folder(root, { isWhole });
    const added = { folder, context: this.#contextFor(folder) };
    this.#folders.push(added);
    return added;
  }

  removeFolder(root: string): void {
    const at = this.#folders.findIndex(({ folder }) => folder.root === root);
    if (at === -1) return;
    for (const { folder } of this.#folders.splice(at, 1)) folder.close();
  }

  close(): void {
    for (const { folder } of this.#folders.splice(0)) folder.close();
  }

  /** Texts that are open are read again under the new settings. */
  setSettings(settings: Settings): void {
    this.settings = settings;
    for (const each of this.#folders) each.context = this.#contextFor(each.folder);
    for (const open of this.#open.values()) this.#open.set(open.uri, this.#openText(open.document));
  }

  #contextFor(folder: Folder): ClusterContext {
    return new ClusterContext(folder, { engine: engineFor(this.settings), policies: this.settings.policies });
  }

  open(document: TextDocument): OpenText {
    const open = this.#openText(document);
    this.#open.set(document.uri, open);
    return open;
  }

  #openText(document: TextDocument): OpenText {
    const full = fileOf(document.uri);
    const { folder, context } = this.#folderOf(full);
    const file = path.relative(folder.root, full).split(path.sep).join("/");
    return {
      uri: document.uri,
      file,
      folder,
      context,
      kinds: folderKinds(folder, context),
      settings: this.settings,
      document,
      ...objectReader(file, document),
    };
  }

  /** A file outside of all folders is checked by itself, with the other files that are open in its folder. */
  #folderOf(full: string): OpenFolder {
    const around = this.#folders.filter(({ folder }) => isInside(full, folder.root));
    const nearest = around.sort((left, right) => right.folder.root.length - left.folder.root.length)[0];
    return nearest ?? this.#add(path.dirname(full), false);
  }

  async closeText(uri: string): Promise<void> {
    const open = this.#open.get(uri);
    this.#open.delete(uri);
    await open?.folder.setClosed(open.file);
  }

  find(uri: string): OpenText | undefined {
    return this.#open.get(uri);
  }

  all(): readonly OpenText[] {
    return [...this.#open.values()];
  }

  /** Files that changed on disk. */
  async refresh(uris: readonly string[]): Promise<void> {
    for (const { folder } of this.#folders) {
      const inside = uris.map(fileOf).filter((full) => isInside(full, folder.root));
      await folder.refresh(inside.map((full) => path.relative(folder.root, full).split(path.sep).join("/")));
    }
  }
}

function isInside(full: string, root: string): boolean {
  return full.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}

/** A text that has not been saved has a name and no folder. */
function fileOf(uri: string): string {
  if (uri.startsWith("file:")) return fileURLToPath(uri);
  return path.join(path.sep, "untitled", encodeURIComponent(uri));
}
