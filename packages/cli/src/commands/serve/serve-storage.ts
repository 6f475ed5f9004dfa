/** Where `portcullis serve` keeps objects and certificates, from its options. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { parseDuration } from "@portcullis/gostd/duration";
import { openEtcdStore, openSqliteStore, type WatchableStore } from "@portcullis/server";
import type { Options } from "../../frame/options.ts";

export const DEFAULT_DATA = "portcullis-data";

export interface Storage {
  /** The options for `startServer`. */
  readonly server: { readonly store?: WatchableStore; readonly certDir?: string };
  /** A description of the storage for people. */
  readonly place: string;
}

export async function openStorage(options: Options, log: (message: string) => void): Promise<Storage> {
  const [dataDir, etcd, certDir] = [options.text("data-dir"), options.text("etcd-servers"), options.text("cert-dir")];
  const certificates = certDir === undefined ? {} : { certDir };
  const places = [dataDir !== undefined, etcd !== undefined, options.flag("in-memory")].filter(Boolean);
  if (places.length > 1) throw new UsageError("`--data-dir`, `--in-memory` and `--etcd-servers` cannot be combined");
  if (options.flag("in-memory"))
    return { server: certificates, place: "in memory; they are lost when the server stops" };
  if (etcd !== undefined) {
    const store = await openEtcdStore({ endpoints: etcd.split(","), ...etcdTls(options), log });
    return { server: { store, ...certificates }, place: `in etcd at ${etcd}` };
  }
  const folder = dataDir ?? DEFAULT_DATA;
  const store = await openSqliteStore({ dataDir: folder, log }).catch(explain);
  return { server: { store, certDir: path.join(folder, "certs"), ...certificates }, place: `in ${folder}` };
}

/** In use, damaged, not permitted: problems that the user can fix. */
function explain(problem: unknown): never {
  throw problem instanceof Error ? new UsageError(problem.message) : problem;
}

function etcdTls(options: Options): { tls?: { ca?: string; cert?: string; key?: string } } {
  const files = { ca: "etcd-cafile", cert: "etcd-certfile", key: "etcd-keyfile" } as const;
  const given = Object.entries(files).flatMap(([part, flag]) => {
    const file = options.text(flag);
    return file === undefined ? [] : [[part, readFileSync(file, "utf8")] as const];
  });
  return given.length === 0 ? {} : { tls: Object.fromEntries(given) };
}

const NANOSECONDS = 1_000_000n;

/** A Go duration such as `5m`; undefined if it is not given. */
export function readCompactionInterval(text: string | undefined): { readonly compactionInterval?: number } {
  if (text === undefined) return {};
  const { value, error } = parseDuration(text);
  if (error !== undefined || value < 0n) {
    const reason = error ?? "it is negative";
    throw new UsageError(`invalid argument "${text}" for "--etcd-compaction-interval" flag: ${reason}`);
  }
  return { compactionInterval: Number(value / NANOSECONDS) };
}
