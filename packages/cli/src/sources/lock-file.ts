/** The lock file: the digests of the URLs that inputs come from, so that the same run always reads the same content. */
import { existsSync, writeFileSync } from "node:fs";
import { readTextFile } from "@portcullis/checker/internal/input/read-text";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { formatYaml } from "@portcullis/checker/internal/output/yaml";
import { decodeDocuments } from "@portcullis/engine/internal/codec/documents";
import { isObject, newObject } from "@portcullis/engine/internal/value/json";
import { textOf } from "@portcullis/engine/internal/value/metadata";
import { objectsOf } from "@portcullis/engine/internal/value/read";

export const LOCK_FILE = "portcullis.lock";
const API_VERSION = "portcullis.dev/v1";
const KIND = "SourceLock";

/** Digests by URL. */
export type Lock = ReadonlyMap<string, string>;

/** Undefined if there is no such file. */
export function readLock(file: string): Lock | undefined {
  if (!existsSync(file)) return undefined;
  const [first] = decodeDocuments(readTextFile(file), {});
  const value = first?.document.error === undefined ? first?.document.value : undefined;
  if (!isObject(value) || value["kind"] !== KIND) throw new UsageError(`${file}: not a ${KIND} of ${API_VERSION}`);
  return new Map(
    objectsOf(value["sources"]).map(({ url, sha256 }) => {
      const digest = textOf(sha256);
      if (!/^[0-9a-f]{64}$/.test(digest)) throw new UsageError(`${file}: \`${textOf(url)}\` has no sha256`);
      return [textOf(url), digest];
    }),
  );
}

export function writeLock(file: string, lock: Lock): void {
  const sources = [...lock]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([url, sha256]) => Object.assign(newObject(), { url, sha256 }));
  writeFileSync(file, formatYaml([Object.assign(newObject(), { apiVersion: API_VERSION, kind: KIND, sources })]));
}
