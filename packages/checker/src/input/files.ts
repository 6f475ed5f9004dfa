/**
 * Expands paths to files: a file, a folder (recursively), a pattern with `*`, `?` or `**`, or `-`.
 *
 * Files are sorted by name and listed once, so that the same tree always gives the same output. Quoted patterns are
 * expanded in the same way on every system. In folders, files that are not objects are left out: see survey.ts.
 */
import { type Dirent, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { findingInFile } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import { type InputFile, isKustomizationName, type Skipped, surveyFiles } from "../repository/survey.ts";
import { Disk } from "./disk.ts";
import { unreadable } from "./unreadable.ts";
import { UsageError } from "./usage-error.ts";

export type { InputFile } from "../repository/survey.ts";

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);

export interface Listing {
  readonly files: readonly InputFile[];
  /** What a folder contains besides objects. */
  readonly skipped: readonly Skipped[];
  /** Links without a target, and folders that cannot be read. */
  readonly problems: readonly Finding[];
}

export interface ListOptions {
  /** Patterns of paths to leave out. */
  readonly ignore?: readonly string[];
  /** Treat files that are named as if they were found in a folder. */
  readonly findsNamed?: boolean;
  /** Called after each folder, with the number of files that were found so far. */
  readonly onProgress?: ((found: number) => void) | undefined;
  /** Called with every path on which the listing depends, before it is looked at. It may be absent. */
  readonly onLook?: ((path: string) => void) | undefined;
}

/** What a walk through folders has found. */
interface Walk {
  readonly files: string[];
  readonly problems: Finding[];
  readonly onProgress?: ((found: number) => void) | undefined;
  readonly disk: Disk;
}

/** Throws if a path does not exist. */
export function listInputs(paths: readonly string[], options: ListOptions = {}): Listing {
  const { ignore = [], findsNamed = false, onProgress } = options;
  const disk = new Disk(options.onLook);
  const ignored = ignore.map(toMatcher);
  const found = new Map<string, InputFile>();
  const all: Finding[] = [];
  for (const target of paths) {
    for (const { file, isNamed } of expand(target, { files: [], problems: all, onProgress, disk })) {
      if (found.has(file) || ignored.some((matches) => matches(file))) continue;
      found.set(file, { file, isNamed: isNamed && !(findsNamed && file !== "-") });
    }
  }
  const problems = all.filter(({ file }) => !ignored.some((matches) => matches(file)));
  return { ...surveyFiles([...found.values()], (file) => disk.text(file)), problems };
}

function brokenLink(file: string, message = "the link points to a file that does not exist"): Finding {
  return findingInFile(file, { rule: "input/broken-link", severity: "warning", message });
}

function expand(target: string, walk: Walk): readonly InputFile[] {
  if (target === "-") return [{ file: "-", isNamed: true }];
  const stats = walk.disk.stat(target);
  if (stats === undefined && /[*?[{]/.test(target)) return matching(target, walk);
  if (stats === undefined) statSync(target);
  if (stats?.isDirectory() !== true) return [{ file: target, isNamed: true }];
  collect(target, walk);
  return walk.files.map(foundFile);
}

function foundFile(file: string): InputFile {
  return { file, isNamed: false };
}

function matching(pattern: string, walk: Walk): readonly InputFile[] {
  const fixed = pattern.slice(0, pattern.search(/[*?[{]/));
  const root = fixed.slice(0, fixed.lastIndexOf("/") + 1);
  const matches = toMatcher(pattern);
  const inner: Walk = { ...walk, files: [], problems: [] };
  if (walk.disk.stat(root === "" ? "." : root)?.isDirectory() === true) collect(root, inner);
  const files = inner.files.filter(matches).map(foundFile);
  if (files.length === 0) throw new UsageError(`\`${pattern}\` matches no file`);
  walk.problems.push(...inner.problems.filter(({ file }) => matches(file)));
  return files;
}

/** All YAML and JSON files. Folders that start with a dot and package folders are skipped. */
function collect(folder: string, walk: Walk): void {
  const entries = walk.disk.entries(folder);
  // Joined once: a folder may have thousands of files.
  const prefix = path.join(folder, "x").slice(0, -1);
  for (const entry of entries) {
    const full = `${prefix}${entry.name}`;
    if (entry.isDirectory()) {
      if (!isPassedOver(entry.name, full, walk.disk)) collectBelow(full, walk);
    } else if (isWanted(entry.name) && (entry.isFile() || isLinkToFile(entry, full, walk))) {
      walk.files.push(full);
    }
  }
  walk.onProgress?.(walk.files.length);
}

/** A folder that the user names must be readable. */
function collectBelow(folder: string, walk: Walk): void {
  try {
    collect(folder, walk);
  } catch (problem) {
    walk.problems.push(unreadable(folder, problem, "folder"));
  }
}

function isWanted(name: string): boolean {
  // Asked of every file of a repository.
  if (name.endsWith(".yaml")) return true;
  return EXTENSIONS.has(path.extname(name).toLowerCase()) || isKustomizationName(name);
}

/** A link to a folder may point to a parent and is not followed, as in kubectl. */
function isLinkToFile(entry: Dirent, full: string, { problems, disk }: Walk): boolean {
  if (!entry.isSymbolicLink()) return false;
  try {
    const target = disk.stat(full);
    if (target === undefined) problems.push(brokenLink(full));
    return target?.isFile() === true;
  } catch (problem) {
    const isLoop = problem instanceof Error && "code" in problem && problem.code === "ELOOP";
    problems.push(isLoop ? brokenLink(full, "the link points to itself") : unreadable(full, problem));
    return false;
  }
}

/** Folders with the code of other projects: packages of npm, and modules that `go mod vendor` copied. */
function isPassedOver(name: string, folder: string, disk = new Disk()): boolean {
  if (name.startsWith(".") || name === "node_modules") return true;
  return name === "vendor" && disk.stat(path.join(folder, "modules.txt")) !== undefined;
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
    if (entry.isDirectory() && !isPassedOver(entry.name, path.join(folder, entry.name)))
      addFolders(path.join(folder, entry.name), into);
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
