/**
 * The durable stores by name. Each driver brings a library that takes a while to load, so it is loaded when it is opened:
 * a server in memory starts without either.
 */

import type { EtcdStoreOptions } from "./etcd/open.ts";
import type { EtcdStore } from "./etcd/store.ts";
import type { BackupOptions, RestoreOptions } from "./sqlite/backup.ts";
import type { StoreReport } from "./sqlite/fsck.ts";
import type { SqliteStoreOptions } from "./sqlite/open.ts";
import type { SqliteStore } from "./sqlite/store.ts";

export type {
  BackupOptions,
  EtcdStore,
  EtcdStoreOptions,
  RestoreOptions,
  SqliteStore,
  SqliteStoreOptions,
  StoreReport,
};

/**
 * The embedded store: a SQLite file in a data directory.
 * @example
 * const store = await openSqliteStore({ dataDir: `${folder}/data` });
 * await store.close();
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const driver = await import("./sqlite/open.ts");
  return driver.openSqliteStore(options);
}

/**
 * Writes a consistent copy of a data directory's store to a new file, whether a server is using it or not.
 * @example await backupSqliteStore({ dataDir, target: `${folder}/monday.db` });
 */
export async function backupSqliteStore(options: BackupOptions): Promise<void> {
  const driver = await import("./sqlite/backup.ts");
  return driver.backupSqliteStore(options);
}

/**
 * Makes a data directory from a file that `SqliteStore.backup` wrote. Resolves to the revision it begins with.
 * @example await restoreSqliteBackup({ backup, dataDir: `${folder}/restored` });
 */
export async function restoreSqliteBackup(options: RestoreOptions): Promise<number> {
  const driver = await import("./sqlite/backup.ts");
  return driver.restoreSqliteBackup(options);
}

/** What a data directory or a backup holds, and what of it is damaged. Changes nothing. */
export async function checkSqliteStore(place: string): Promise<StoreReport> {
  const driver = await import("./sqlite/fsck.ts");
  return driver.checkSqliteStore(place);
}

/**
 * A store in an etcd cluster, which any number of servers may share.
 * @example const store = await openEtcdStore({ endpoints: ["https://127.0.0.1:2379"], tls: { ca, cert, key } });
 */
export async function openEtcdStore(options: EtcdStoreOptions): Promise<EtcdStore> {
  const driver = await import("./etcd/open.ts");
  return driver.openEtcdStore(options);
}
