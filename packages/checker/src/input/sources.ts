/**
 * Inputs that are not files on disk: `git:REF:PATH`, archives, `https://…` and `kube:`.
 *
 * The network answers asynchronously and everything else is read synchronously, so what comes from there is provided
 * before a command reads its inputs.
 */
import { readFileSync, statSync } from "node:fs";
import { isArchiveName, readArchive } from "./archive.ts";
import { isGitSource, readGit } from "./git.ts";
import { UsageError } from "./usage-error.ts";

/** A file with its text. */
export interface SourceFile {
  /** As findings name it. */
  readonly file: string;
  readonly text: string;
}

const provided = new Map<string, readonly SourceFile[]>();

/** Whether an input has to be provided before it can be read. */
export function isRemote(source: string): boolean {
  return isUrl(source) || isKube(source);
}

export function isUrl(source: string): boolean {
  return /^https?:\/\//.test(source);
}

export function isKube(source: string): boolean {
  return source.startsWith("kube:");
}

/** Whether an input is read as a whole, not from a file or folder on disk. */
export function isSource(source: string): boolean {
  return isRemote(source) || isGitSource(source) || isArchiveOnDisk(source);
}

function isArchiveOnDisk(source: string): boolean {
  return isArchiveName(source) && statSync(source, { throwIfNoEntry: false })?.isFile() === true;
}

/** What a remote source has; the same source is provided again by a later run of a watching command. */
export function provideSource(source: string, files: readonly SourceFile[]): void {
  provided.set(source, files);
}

export function readSource(source: string): readonly SourceFile[] {
  if (isGitSource(source)) return readGit(source);
  if (!isRemote(source)) return archiveFiles(source, readFileSync(source));
  const files = provided.get(source);
  if (files === undefined) throw new UsageError(`\`${source}\` cannot be used here; name a file or folder`);
  return files;
}

/** The files of an archive, named as if it were a folder. */
export function archiveFiles(source: string, bytes: Uint8Array): readonly SourceFile[] {
  return readArchive(source, bytes).map((file) => ({
    file: `${source}/${file.name}`,
    get text() {
      return file.text;
    },
  }));
}
