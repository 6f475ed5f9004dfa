/**
 * Expands paths to files: a file, a folder (recursively), a pattern with `*`, `?` or `**`, or `-`.
 *
 * Files are sorted by name and listed once, so that the same tree always gives the same output. Quoted patterns are
 * expanded in the same way on every system. In folders, files that are not objects are left out: see survey.ts.
 */
import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { findingInFile } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import { type InputFile, isKustomizationName, type Skipped, surveyFiles } from "../repository/survey.ts";
import { UsageError } from "./usage-error.ts";

export type { InputFile } from "../repository/survey.ts";

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);

export interface Listing {
  readonly files: readonly InputFile[];
  /** What a folder contains besides objects. */
  readonly skipped: readonly Skipped[];
  /** Links without a target. */
  readonly problems: readonly Finding[];
}

export interface ListOptions {
  /** Patterns of paths to leave out. */
  readonly ignore?: readonly string[];
  /** Treat files that are named as if they were found in a folder. */
  readonly findsNamed?: boolean;
}

/** Throws if a path does not exist. */
export function listInputs(paths: readonly string[], { ignore = [], findsNamed = false }: ListOptions = {}): Listing {
  const ignored = ignore.map(toMatcher);
  const found = new Map<string, InputFile>();
  const broken: string[] = [];
  for (const target of paths) {
    for (const { file, isNamed } of expand(target, broken)) {
      if (found.has(file) || ignored.some((matches) => matches(file))) continue;
      found.set(file, { file, isNamed: isNamed && !(findsNamed && file !== "-") });
    }
  }
  const problems = broken.filter((file) => !ignored.some((matches) => matches(file))).map(brokenLink);
  return { ...surveyFiles([...found.values()], readText), problems };
}

function brokenLink(file: string): Finding {
  const message = "the link points to a file that does not exist";
  return findingInFile(file, { rule: "input/broken-link", severity: "warning", message });
}

/** Undefined if it does not exist or cannot be read; the check of the file itself reports that. */
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function expand(target: string, broken: string[]): readonly InputFile[] {
  if (target === "-") return [{ file: "-", isNamed: true }];
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats === undefined && /[*?[{]/.test(target)) return matching(target, broken);
  if (stats === undefined) statSync(target);
  return stats?.isDirectory() === true
    ? below(target, broken).map((file) => ({ file, isNamed: false }))
    : [{ file: target, isNamed: true }];
}

function matching(pattern: string, broken: string[]): readonly InputFile[] {
  const fixed = pattern.slice(0, pattern.search(/[*?[{]/));
  const root = fixed.slice(0, fixed.lastIndexOf("/") + 1);
  const matches = toMatcher(pattern);
  const links: string[] = [];
  const found =
    statSync(root === "" ? "." : root, { throwIfNoEntry: false })?.isDirectory() === true ? below(root, links) : [];
  const files = found.filter(matches).map((file) => ({ file, isNamed: false }));
  if (files.length === 0) throw new UsageError(`\`${pattern}\` matches no file`);
  broken.push(...links.filter(matches));
  return files;
}

/** All YAML and JSON files. Folders that start with a dot and package folders are skipped. */
function below(folder: string, broken: string[]): string[] {
  const entries = readdirSync(folder === "" ? "." : folder, { withFileTypes: true });
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  // Joined once: a folder may have thousands of files.
  const prefix = path.join(folder, "x").slice(0, -1);
  return entries.flatMap((entry) => {
    const full = `${prefix}${entry.name}`;
    if (entry.isDirectory()) return isPassedOver(entry.name) ? [] : below(full, broken);
    if (!isWanted(entry.name)) return [];
    return entry.isFile() || isLinkToFile(entry, full, broken) ? [full] : [];
  });
}

function isWanted(name: string): boolean {
  return EXTENSIONS.has(path.extname(name).toLowerCase()) || isKustomizationName(name);
}

/** A link to a folder may point to a parent and is not followed, as in kubectl. */
function isLinkToFile(entry: Dirent, full: string, broken: string[]): boolean {
  if (!entry.isSymbolicLink()) return false;
  const target = statSync(full, { throwIfNoEntry: false });
  if (target === undefined) broken.push(full);
  return target?.isFile() === true;
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
