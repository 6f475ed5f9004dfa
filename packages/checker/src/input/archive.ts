/**
 * Reads the YAML and JSON files of an archive: `.tar`, `.tar.gz`, `.tgz` or `.zip`.
 *
 * Nothing is written to disk. Archives come from the network, so their sizes are limited before anything is unpacked.
 */
import { createRequire } from "node:module";
import path from "node:path";
import type { ArchiveEntry } from "./archive-entry.ts";
import { decodeText } from "./read-text.ts";
import { tarEntries } from "./tar.ts";
import { UsageError } from "./usage-error.ts";
import { isZip, zipEntries } from "./zip.ts";

/** A file of an archive. Its text is decoded on first use: catalogues have thousands of files. */
export interface ArchiveFile {
  /** The path inside the archive. */
  readonly name: string;
  readonly text: string;
}

/** What all files of an archive may have together, and each alone. */
const MAX_UNPACKED = 1 << 29;
const MAX_ENTRIES = 200_000;
const NAME = /\.(?:tar|tar\.gz|tgz|zip)$/i;
const EXTENSIONS = [".yaml", ".yml", ".json"];

export function isArchiveName(name: string): boolean {
  return NAME.test(name);
}

/** Whether the content is an archive, whatever its name. */
export function isArchive(bytes: Uint8Array): boolean {
  return isGzip(bytes) || isZip(bytes) || isTar(bytes);
}

/** Throws a `UsageError` that starts with the name if the archive is broken or too large. So does reading a file of it. */
export function readArchive(name: string, bytes: Uint8Array): readonly ArchiveFile[] {
  return unpacking(name, () => filesOf(name, bytes));
}

function unpacking<T>(name: string, unpack: () => T): T {
  try {
    return unpack();
  } catch (problem) {
    // Bugs are not RangeErrors or errors of zlib, which has codes.
    if (!(problem instanceof Error && (problem instanceof RangeError || "code" in problem))) throw problem;
    throw new UsageError(`\`${name}\` cannot be unpacked: ${problem.message}`);
  }
}

/** Of several files with one name the last counts, as for `tar`. */
function filesOf(archive: string, bytes: Uint8Array): readonly ArchiveFile[] {
  const files = new Map<string, ArchiveFile>();
  let entries = 0;
  for (const entry of entriesOf(bytes)) {
    if (++entries > MAX_ENTRIES) throw new RangeError(`it has more than ${MAX_ENTRIES} files`);
    if (!EXTENSIONS.includes(path.posix.extname(entry.name).toLowerCase())) continue;
    files.set(entry.name, new LazyFile(archive, entry));
  }
  return [...files.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

class LazyFile implements ArchiveFile {
  readonly name: string;
  readonly #archive: string;
  readonly #entry: ArchiveEntry;
  #text: string | undefined;

  constructor(archive: string, entry: ArchiveEntry) {
    this.name = entry.name;
    this.#archive = archive;
    this.#entry = entry;
  }

  get text(): string {
    this.#text ??= unpacking(this.#archive, () => decodeText(this.#entry.bytes()));
    return this.#text;
  }
}

function entriesOf(bytes: Uint8Array): Iterable<ArchiveEntry> {
  if (isZip(bytes)) return zipEntries(bytes, MAX_UNPACKED);
  if (isGzip(bytes)) return tarEntries(gunzip(bytes));
  if (isTar(bytes)) return tarEntries(bytes);
  throw new RangeError("it is neither tar, gzip nor zip");
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function isTar(bytes: Uint8Array): boolean {
  return bytes.length >= 512 && new TextDecoder().decode(bytes.subarray(257, 262)) === "ustar";
}

function gunzip(bytes: Uint8Array): Uint8Array {
  // Loaded lazily: most runs read no archive.
  const { gunzipSync }: typeof import("node:zlib") = createRequire(import.meta.url)("node:zlib");
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED });
  } catch (problem) {
    if (!(problem instanceof RangeError)) throw problem;
    throw new RangeError(`its files have more than ${MAX_UNPACKED} bytes`);
  }
}
