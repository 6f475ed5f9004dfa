/** The files that may hold test suites. Unlike for manifests, folders with a dot are searched: tools keep tests there. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { UsageError } from "../input/usage-error.ts";
import * as messages from "../policy/messages.ts";

export interface SuiteFile {
  readonly file: string;
  /** Given by name, not found in a folder. */
  readonly isNamed: boolean;
}

const IGNORED: ReadonlySet<string> = new Set([".git", "node_modules", "vendor"]);

/** What a suite in any format contains. */
const MARKS =
  /test\.portcullis\.dev\/|\b(?:Test|Policy)Suite\b|cli\.kyverno\.io\/|test\.gatekeeper\.sh\/|(?:^|\n)(?:vapT|mapT|t)estSuites:|(?:^|\n)crdName:|"template"\s*:/;
const LARGEST = 16 * 1024 * 1024;

export function suiteFiles(
  paths: readonly string[],
  { mayBeNone = false }: { readonly mayBeNone?: boolean } = {},
): readonly SuiteFile[] {
  const files = paths.flatMap((each): SuiteFile[] => {
    const stat = statSync(each, { throwIfNoEntry: false });
    if (stat === undefined) throw new UsageError(messages.noSuchFile(each));
    if (!stat.isDirectory()) return mayBeNone && !mayBeSuite(each) ? [] : [{ file: each, isNamed: true }];
    const found = filesIn(each).filter(mayBeSuite);
    if (found.length === 0 && !mayBeNone) throw new UsageError(messages.noSuitesIn(each));
    return found.map((file) => ({ file, isNamed: false }));
  });
  return files.filter(({ file }, index) => files.findIndex((other) => other.file === file) === index);
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return IGNORED.has(entry.name) ? [] : filesIn(file);
    return entry.isFile() && /\.(?:ya?ml|json)$/.test(entry.name) ? [file] : [];
  });
}

function mayBeSuite(file: string): boolean {
  return statSync(file).size <= LARGEST && MARKS.test(readFileSync(file, "utf8"));
}
