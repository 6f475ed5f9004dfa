/** Reads the inputs that come from URLs and clusters, before a command reads all its inputs. */
import { isArchive } from "@portcullis/checker/internal/input/archive";
import { archiveFiles, isKube, isUrl, provideSource } from "@portcullis/checker/internal/input/sources";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { CLUSTER_OPTIONS } from "../cluster/cluster-options.ts";
import type { CommandIo } from "../frame/command.ts";
import type { OptionSpecs } from "../frame/option-spec.ts";
import type { Options } from "../frame/options.ts";
import { cacheFolder } from "../workers/cache-folder.ts";
import { download } from "./download.ts";
import { LOCK_FILE, type Lock, readLock, writeLock } from "./lock-file.ts";
import { digestOf, SourceCache } from "./source-cache.ts";

const GROUP = "inputs";

export const SOURCE_OPTIONS = {
  ...CLUSTER_OPTIONS,
  lock: {
    type: "string",
    value: "FILE",
    group: GROUP,
    text: `the digests of the URLs among the inputs (default ${LOCK_FILE}, if it exists)`,
  },
  "update-lock": { type: "boolean", group: GROUP, text: "download all URLs and write their digests to the lock file" },
  offline: { type: "boolean", group: GROUP, text: "do not download; URLs must be in the lock file and in the cache" },
} as const satisfies OptionSpecs;

/** The inputs of a command by what they are for. */
export interface SourceUse {
  /** Of which only CRDs are read, if they are a cluster. */
  readonly crds?: readonly string[];
  /** Policies, bindings and everything that they read. */
  readonly policies?: readonly string[];
}

/** Clusters and URLs among the paths can be read afterwards. */
export async function fetchSources(use: SourceUse, options: Options, io: CommandIo): Promise<void> {
  const { crds = [], policies = [] } = use;
  await fetchClusters(crds.filter(isKube), policies.filter(isKube), options);
  const urls = [...new Set([...crds, ...policies].filter(isUrl))];
  if (urls.length > 0) await fetchUrls(urls, options, io);
}

async function fetchClusters(crds: readonly string[], policies: readonly string[], options: Options): Promise<void> {
  const sources = new Set([...policies, ...crds]);
  if (sources.size === 0) return;
  // Loaded lazily: TLS and HTTP alone take longer than checking an object.
  const { openCluster } = await import("../cluster/access.ts");
  const { clusterCrds, clusterPolicies } = await import("../cluster/cluster-files.ts");
  const client = openCluster(options);
  for (const source of sources) {
    const name = source.slice("kube:".length);
    const read = policies.includes(source) ? clusterPolicies : clusterCrds;
    provideSource(source, await read(client, name === "*" ? "" : name));
  }
}

async function fetchUrls(urls: readonly string[], options: Options, io: CommandIo): Promise<void> {
  const file = options.text("lock") ?? LOCK_FILE;
  const lock = readLock(file);
  const isUpdated = options.flag("update-lock");
  if (isUpdated && options.flag("offline")) throw new UsageError("use either --update-lock or --offline");
  if (lock === undefined && options.text("lock") !== undefined && !isUpdated)
    throw new UsageError(`no lock file \`${file}\`; --update-lock writes it`);
  const cache = new SourceCache(cacheFolder("sources", process.env));
  const next = new Map(lock);
  for (const url of urls) {
    const bytes = isUpdated
      ? await download(url, io.signal)
      : await readLocked(url, { lock, file, cache, isOffline: options.flag("offline") }, io);
    cache.write(bytes);
    next.set(url, digestOf(bytes));
    provideSource(url, isArchive(bytes) ? archiveFiles(url, bytes) : [{ file: url, text: textOf(bytes) }]);
  }
  if (isUpdated) writeLock(file, next);
}

interface LockedReading {
  readonly lock: Lock | undefined;
  readonly file: string;
  readonly cache: SourceCache;
  readonly isOffline: boolean;
}

async function readLocked(url: string, { lock, file, cache, isOffline }: LockedReading, io: CommandIo) {
  const digest = lock?.get(url);
  if (lock !== undefined && digest === undefined)
    throw new UsageError(`\`${url}\` is not in ${file}; --update-lock adds it`);
  const known = digest === undefined ? undefined : cache.read(digest);
  if (known !== undefined) return known;
  if (isOffline)
    throw new UsageError(
      `\`${url}\` is not in the ${digest === undefined ? "lock file" : "cache"}; run without --offline`,
    );
  if (digest === undefined)
    io.stderr(`portcullis: \`${url}\` may change between runs; --update-lock records its digest in ${file}\n`);
  const bytes = await download(url, io.signal);
  if (digest !== undefined && digestOf(bytes) !== digest)
    throw new UsageError(`\`${url}\` has changed since ${file} was written; --update-lock accepts the new content`);
  return bytes;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
