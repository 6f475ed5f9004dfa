/**
 * Expands paths to files: a file, a folder (recursively), a pattern with `*`, `?` or `**`, or `-`.
 *
 * Files are sorted by name and listed once, so that the same tree always gives the same output. Quoted patterns are
 * expanded in the same way on every system.
 */
import { type Dirent, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { UsageError } from "./usage-error.ts";

export interface InputFile {
  readonly file: string;
  /** Named on the command line, not found in a folder or by a pattern. */
  readonly isNamed: boolean;
}

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);

/** Throws if a path does not exist. `ignore` holds patterns of paths to leave out. */
export function listInputs(paths: readonly string[], ignore: readonly string[] = []): readonly InputFile[] {
  const ignored = ignore.map(toMatcher);
  const found = new Map<string, InputFile>();
  for (const target of paths) {
    for (const input of expand(target)) {
      if (!found.has(input.file) && !ignored.some((matches) => matches(input.file))) found.set(input.file, input);
    }
  }
  return [...found.values()];
}

function expand(target: string): readonly InputFile[] {
  if (target === "-") return [{ file: "-", isNamed: true }];
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats === undefined && /[*?[{]/.test(target)) return matching(target);
  if (stats === undefined) statSync(target);
  return stats?.isDirectory() === true
    ? below(target).map((file) => ({ file, isNamed: false }))
    : [{ file: target, isNamed: true }];
}

function matching(pattern: string): readonly InputFile[] {
  const fixed = pattern.slice(0, pattern.search(/[*?[{]/));
  const root = fixed.slice(0, fixed.lastIndexOf("/") + 1);
  const matches = toMatcher(pattern);
  const found =
    statSync(root === "" ? "." : root, { throwIfNoEntry: false })?.isDirectory() === true ? below(root) : [];
  const files = found.filter(matches).map((file) => ({ file, isNamed: false }));
  if (files.length === 0) throw new UsageError(`\`${pattern}\` matches no file`);
  return files;
}

/** All YAML and JSON files. Folders that start with a dot and package folders are skipped. */
function below(folder: string): string[] {
  const entries = readdirSync(folder === "" ? "." : folder, { withFileTypes: true });
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  // Joined once: a folder may have thousands of files.
  const prefix = path.join(folder, "x").slice(0, -1);
  return entries.flatMap((entry) => {
    const full = `${prefix}${entry.name}`;
    if (entry.isDirectory()) return isPassedOver(entry.name) ? [] : below(full);
    const isWanted = EXTENSIONS.has(path.extname(entry.name).toLowerCase());
    return isWanted && (entry.isFile() || isLinkToFile(entry, full)) ? [full] : [];
  });
}

/** A link to a folder may point to a parent and is not followed, as in kubectl; a broken link fails when it is read. */
function isLinkToFile(entry: Dirent, full: string): boolean {
  if (!entry.isSymbolicLink()) return false;
  const target = statSync(full, { throwIfNoEntry: false });
  return target === undefined || target.isFile();
}

function isPassedOver(name: string): boolean {
  return name.startsWith(".") || name === "node_modules";
}

/** The folders to watch for changes to these inputs. */
export function foldersOf(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const target of paths.filter((each) => each !== "-")) {
    const stats = statSync(target, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) addFolders(target, folders);
    else if (stats !== undefined) folders.add(path.dirname(target));
    else addFolders(target.slice(0, target.search(/[*?[{]/)).replace(/[^/]*$/, "") || ".", folders);
  }
  return [...folders];
}

/** Whether a changed path can be one of these inputs: YAML or JSON, a folder, or a named file. */
export function mayBeInput(file: string, paths: readonly string[]): boolean {
  if (EXTENSIONS.has(path.extname(file).toLowerCase())) return true;
  if (paths.some((each) => path.resolve(each) === path.resolve(file))) return true;
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? path.extname(file) === "" : stats.isDirectory();
}

function addFolders(folder: string, into: Set<string>): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  into.add(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && !isPassedOver(entry.name)) addFolders(path.join(folder, entry.name), into);
  }
}

/** `**` matches any number of folders, `*` and `?` match within one name, `{a,b}` are alternatives. */
function toMatcher(pattern: string): (file: string) => boolean {
  const expression = new RegExp(`^${translate(path.normalize(pattern))}$`);
  return (file) => expression.test(path.normalize(file));
}

function translate(pattern: string): string {
  return pattern.replaceAll(/\*\*\/|\*\*|\*|\?|\{[^{}]*\}|\[[^\]]*\]|[\\^$.|+()[\]{}]/g, (part) => {
    if (part === "**/") return "(?:[^/]+/)*";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    if (part.length > 1 && part.startsWith("{")) return `(?:${part.slice(1, -1).split(",").map(translate).join("|")})`;
    return part.length > 1 && part.startsWith("[") ? part.replace("[!", "[^") : `\\${part}`;
  });
}
