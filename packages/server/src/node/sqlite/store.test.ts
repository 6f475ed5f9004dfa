import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { collect, storeContract } from "../../storage/contract.testing.ts";
import { Compacted, RevisionConflict } from "../../storage/store.ts";
import { StoreUnavailable } from "../../storage/unavailable.ts";
import { closing, scratchFolder } from "../scratch.testing.ts";
import { backupSqliteStore, DATABASE_FILE, restoreSqliteBackup } from "./backup.ts";
import { openDatabase, queryOne } from "./database.ts";
import { openSqliteStore, type SqliteStoreOptions } from "./open.ts";
import { crc32Table } from "./record.ts";
import type { SqliteStore } from "./store.ts";

describe("the embedded store", () => {
  storeContract(() => openAt(scratchFolder()));
});

test("its size grows with what is written", async () => {
  const store = await openAt(scratchFolder());
  const before = await store.size();
  await store.create("/pods/a", "x".repeat(100_000));
  expect((await store.size()) - before).toBeGreaterThanOrEqual(100_000);
});

test("writes survive reopening, with history and revisions", async () => {
  const dataDir = scratchFolder();
  const first = await openAt(dataDir);
  const a = await first.create("/pods/a", "1");
  const a2 = await first.update("/pods/a", "2", a.revision);
  const b = await first.create("/pods/b", "a\0b é 🛡");
  const gone = await first.delete("/pods/a", a2.revision);
  await first.close();
  const second = await openAt(dataDir);
  expect(await second.list("/")).toEqual({ entries: [b], revision: gone, remaining: 0 });
  const seen = collect();
  await second.watch("/pods/", a.revision, seen);
  expect(seen.events).toEqual([
    { key: "/pods/a", revision: a2.revision, entry: a2, previous: a },
    { key: "/pods/b", revision: b.revision, entry: b, previous: undefined },
    { key: "/pods/a", revision: gone, entry: undefined, previous: a2 },
  ]);
  expect((await second.create("/pods/c", "1")).revision).toBe(gone + 1);
});

test("compaction survives reopening and frees the rows", async () => {
  const dataDir = scratchFolder();
  const first = await openAt(dataDir);
  const revision = await churn(first, 600);
  await first.create("/pods/last", "1");
  await first.compact(revision);
  await first.close();
  expect(await count(dataDir)).toBe(2);
  const second = await openAt(dataDir);
  expect(await second.compactedRevision()).toBe(revision);
  expect((await second.list("/")).entries.map(({ value }) => value)).toEqual(["600", "1"]);
  await expect(second.watch("/pods/", revision - 1, collect())).rejects.toThrow(Compacted);
});

test("rows that an interrupted compaction has left are skipped, and removed by the next", async () => {
  const dataDir = scratchFolder();
  const first = await openAt(dataDir);
  const revision = await churn(first, 10);
  const other = await first.create("/pods/b", "1");
  const gone = await first.delete("/pods/b", other.revision);
  await first.close();
  await sql(dataDir, `UPDATE meta SET value = ${gone} WHERE name = 'compacted'`);
  const second = await openAt(dataDir);
  expect((await second.list("/")).entries).toMatchObject([{ key: "/pods/a", value: "10", revision }]);
  await second.compact(gone);
  await second.close();
  expect(await count(dataDir)).toBe(1);
});

test("reads, writes and watches continue during compaction", async () => {
  const store = await openAt(scratchFolder());
  const revision = await churn(store, 2000);
  const seen = collect();
  await store.watch("/", revision, seen);
  const compacted = store.compact(revision).then(() => "compacted");
  const written = store.create("/pods/b", "1").then(() => "written");
  expect(await Promise.race([compacted, written])).toBe("written");
  expect(await store.get("/pods/b")).toBeDefined();
  expect(seen.events).toHaveLength(1);
  await compacted;
});

test("one commit serves many writers in order", async () => {
  const store = await openAt(scratchFolder());
  const entries = await Promise.all(Array.from({ length: 500 }, (_, i) => store.create(`/pods/${i}`, String(i))));
  const start = entries[0]?.revision ?? 0;
  expect(entries.map(({ revision }) => revision)).toEqual(entries.map((_, i) => start + i));
});

test("writes of one batch can depend on each other", async () => {
  const store = await openAt(scratchFolder());
  const next = (await store.revision()) + 1;
  const results = await Promise.allSettled([
    store.create("/pods/a", "1"),
    store.update("/pods/a", "2", next),
    store.update("/pods/a", "x", next),
    store.delete("/pods/a", next + 1),
    store.create("/pods/a", "3"),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(await store.get("/pods/a")).toEqual({ key: "/pods/a", value: "3", revision: next + 3, created: next + 3 });
});

describe("when the disk is full", () => {
  test("writes fail with a clear error, reads continue, and writes work again when there is space", async () => {
    const dataDir = scratchFolder();
    const store = await openAt(dataDir, { quotaBytes: 200_000 });
    const acknowledged = await fill(store);
    await expect(store.create("/pods/more", "x".repeat(100_000))).rejects.toThrow(StoreUnavailable);
    await expect(store.create("/pods/more", "x".repeat(100_000))).rejects.toThrow(/disk is full/);
    expect((await store.list("/")).entries).toHaveLength(acknowledged);
    await expect(store.update("/pods/0", "x", 1)).rejects.toThrow(RevisionConflict);
    await store.setQuota(undefined);
    await store.create("/pods/more", "x".repeat(100_000));
    await store.close();
    expect((await (await openAt(dataDir)).list("/")).entries).toHaveLength(acknowledged + 1);
  });

  test("writers of one batch fail together and leave no trace", async () => {
    const store = await openAt(scratchFolder(), { quotaBytes: 100_000 });
    const revision = await store.revision();
    const seen = collect();
    await store.watch("/", revision, seen);
    const writes = Array.from({ length: 100 }, (_, i) => store.create(`/pods/${i}`, "x".repeat(5_000)));
    const results = await Promise.allSettled(writes);
    expect(results.every(({ status }) => status === "rejected")).toBe(true);
    expect([await store.revision(), seen.events.length]).toEqual([revision, 0]);
    expect((await store.create("/pods/a", "1")).revision).toBe(revision + 1);
  });

  test("compaction frees space", async () => {
    const store = await openAt(scratchFolder(), { quotaBytes: 200_000 });
    let { revision } = await store.create("/pods/a", "");
    const grow = async (): Promise<void> => {
      for (;;) revision = (await store.update("/pods/a", "x".repeat(4_000), revision)).revision;
    };
    await expect(grow()).rejects.toThrow(StoreUnavailable);
    await store.compact(revision);
    await store.update("/pods/a", "x".repeat(4_000), revision);
  });
});

describe("the lock", () => {
  test("a second store on the same directory is refused and names the owner", async () => {
    const dataDir = scratchFolder();
    const first = await openAt(dataDir);
    await expect(openSqliteStore({ dataDir })).rejects.toThrow(
      `data directory \`${dataDir}\` is in use by process ${process.pid}`,
    );
    await first.close();
    await openAt(dataDir);
  });

  test("the file can be read from outside while the store runs", async () => {
    const dataDir = scratchFolder();
    const store = await openAt(dataDir);
    await store.create("/pods/a", "1");
    expect(await count(dataDir)).toBe(1);
    await store.create("/pods/b", "1");
  });
});

describe("a backup", () => {
  test("taken during writes is consistent and can be restored", async () => {
    const store = await openAt(scratchFolder());
    await churn(store, 200);
    const file = path.join(scratchFolder(), "backup.db");
    const storm = Promise.all(Array.from({ length: 500 }, (_, i) => store.create(`/storm/${i}`, "x".repeat(500))));
    const least = await store.backup(file);
    await storm;
    const dataDir = scratchFolder();
    await restoreSqliteBackup({ backup: file, dataDir });
    const restored = await openAt(dataDir);
    expect((await restored.get("/pods/a"))?.value).toBe("200");
    expect(await restored.revision()).toBeGreaterThanOrEqual(least + 1_000_000);
    const { entries } = await restored.list("/storm/");
    const revisions = entries.map(({ revision }) => revision).sort((x, y) => x - y);
    expect(revisions).toEqual(revisions.map((_, i) => least + 1 + i));
  });

  test("leaves one file, and never overwrites", async () => {
    const store = await openAt(scratchFolder());
    const folder = scratchFolder();
    await store.backup(path.join(folder, "backup.db"));
    expect(readdirSync(folder)).toEqual(["backup.db"]);
    await expect(store.backup(path.join(folder, "backup.db"))).rejects.toThrow(/exists already/);
  });

  test("is not restored over a store", async () => {
    const dataDir = scratchFolder();
    const store = await openAt(dataDir);
    const backup = path.join(scratchFolder(), "backup.db");
    await store.backup(backup);
    await store.close();
    await expect(restoreSqliteBackup({ backup, dataDir })).rejects.toThrow(/exists already/);
  });
});

describe("opening verifies", () => {
  test.each([
    { name: "a changed value", damage: "UPDATE log SET value = 'x' WHERE revision = 8", from: 8 },
    { name: "a changed key", damage: "UPDATE log SET key = '/pods/b' WHERE revision = 8", from: 8 },
    { name: "a missing revision", damage: "DELETE FROM log WHERE revision = 8", from: 8 },
    { name: "a deletion that was none", damage: "UPDATE log SET value = NULL WHERE revision = 11", from: 11 },
  ])("$name is refused, and repaired only on demand", async ({ damage, from }) => {
    const dataDir = scratchFolder();
    await writeTen(dataDir);
    await sql(dataDir, damage);
    await expect(openSqliteStore({ dataDir })).rejects.toThrow(`is damaged from revision ${from} on: restore a backup`);
    const lines: string[] = [];
    const store = await openAt(dataDir, { repair: true, log: (line) => lines.push(line) });
    expect(lines).toEqual([
      expect.stringContaining(`was damaged from revision ${from} on and has been cut there`),
      expect.stringContaining(`has lost revisions ${from} to 11`),
    ]);
    expect(existsSync(path.join(dataDir, `${DATABASE_FILE}.damaged`))).toBe(true);
    // Revisions that were acknowledged are not used again for something else.
    expect(await store.revision()).toBe(11);
    await expect(store.watch("/", from - 1, collect())).rejects.toThrow(Compacted);
    expect((await store.create("/pods/z", "1")).revision).toBe(12);
  });

  test("a long damaged end is removed completely", async () => {
    const dataDir = scratchFolder();
    await writeVersions(dataDir, 500);
    await sql(dataDir, "UPDATE log SET value = 'x' WHERE revision = 50");
    await expect(openSqliteStore({ dataDir })).rejects.toThrow(/drops the last 452 revisions/);
    const store = await openAt(dataDir, { repair: true, log: () => {} });
    expect(await store.revision()).toBe(501);
    await store.close();
    expect(await count(dataDir)).toBe(48);
    expect(await (await openAt(dataDir)).revision()).toBe(501);
  });

  test("damage before the compacted revision is refused even with repair", async () => {
    const dataDir = scratchFolder();
    await writeTen(dataDir);
    const store = await openAt(dataDir);
    await store.compact(await store.revision());
    await store.close();
    await sql(dataDir, "UPDATE log SET value = 'x'");
    await expect(openSqliteStore({ dataDir, repair: true })).rejects.toThrow(/does not match its checksum: restore/);
  });

  test("a damaged page is refused", async () => {
    const dataDir = scratchFolder();
    await writeTen(dataDir);
    await sql(dataDir, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'meta'");
    await expect(openSqliteStore({ dataDir })).rejects.toThrow(/is damaged .*: restore a backup/);
  });

  test.each([
    { name: "a file that is not SQLite's", make: (file: string) => writeFileSync(file, "x".repeat(5000)) },
    { name: "another program's database", make: (file: string) => openDatabase(file).exec("CREATE TABLE t (a)") },
  ])("$name is refused and left alone", async ({ make }) => {
    const dataDir = scratchFolder();
    await make(path.join(dataDir, DATABASE_FILE));
    await expect(openSqliteStore({ dataDir })).rejects.toThrow(/is not a Portcullis store/);
  });

  test("a newer format is refused", async () => {
    const dataDir = scratchFolder();
    await writeTen(dataDir);
    await sql(dataDir, "PRAGMA user_version = 99");
    await expect(openSqliteStore({ dataDir })).rejects.toThrow(/has format 99/);
  });
});

test("a key with a zero character is refused", async () => {
  await expect((await openAt(scratchFolder())).create("/pods/a\0", "1")).rejects.toThrow(/U\+0000/);
});

test("a closed store leaves everything in the one file", async () => {
  const dataDir = scratchFolder();
  await writeTen(dataDir);
  const log = path.join(dataDir, `${DATABASE_FILE}-wal`);
  expect(existsSync(log) ? statSync(log).size : 0).toBe(0);
});

test("a closed store refuses writes", async () => {
  const store = await openAt(scratchFolder());
  await store.close();
  await expect(store.create("/pods/a", "1")).rejects.toThrow(/closed/);
});

test("the checksum is the usual CRC-32", () => {
  expect(crc32Table(Buffer.from("123456789"))).toBe(0xcbf43926);
});

async function openAt(dataDir: string, options: Partial<SqliteStoreOptions> = {}): Promise<SqliteStore> {
  return closing(await openSqliteStore({ dataDir, ...options }));
}

/** So many versions of one key in a few commits; the newest has its number as value. */
async function churn(store: SqliteStore, versions: number): Promise<number> {
  const { revision } = await store.create("/pods/a", "1");
  const numbers = Array.from({ length: versions - 1 }, (_, i) => i + 2);
  await Promise.all(numbers.map((number) => store.update("/pods/a", String(number), revision + number - 2)));
  return revision + versions - 1;
}

async function fill(store: SqliteStore): Promise<number> {
  for (let count = 0; ; count++) {
    try {
      await store.create(`/pods/${count}`, "x".repeat(4_000));
    } catch (error) {
      expect(error).toBeInstanceOf(StoreUnavailable);
      return count;
    }
  }
}

async function writeTen(dataDir: string): Promise<void> {
  await writeVersions(dataDir, 10);
}

async function writeVersions(dataDir: string, versions: number): Promise<void> {
  const store = await openSqliteStore({ dataDir });
  await churn(store, versions);
  await store.close();
}

async function sql(dataDir: string, statement: string): Promise<void> {
  const database = openDatabase(path.join(dataDir, DATABASE_FILE));
  await database.exec(statement);
  database.close();
}

async function count(dataDir: string): Promise<number> {
  const database = openDatabase(path.join(dataDir, DATABASE_FILE));
  const rows = Number(await queryOne(database, "SELECT count(*) FROM log"));
  database.close();
  return rows;
}

test("the store restricts file permissions to the owner, also for backups", async () => {
  const folder = scratchFolder();
  const dataDir = path.join(folder, "data");
  mkdirSync(dataDir, { mode: 0o755 });
  chmodSync(dataDir, 0o755);
  writeFileSync(path.join(dataDir, DATABASE_FILE), "");
  const modes = (): string[] =>
    [dataDir, ...readdirSync(dataDir).map((name) => path.join(dataDir, name))]
      .filter((file) => /data$|\.db/.test(file))
      .map((file) => (statSync(file).mode & 0o777).toString(8));
  const store = await openSqliteStore({ dataDir });
  await store.create("/secrets/a", "1");
  expect(new Set(modes())).toEqual(new Set(["700", "600"]));
  await store.close();
  const target = path.join(folder, "backup.db");
  await backupSqliteStore({ dataDir, target });
  expect((statSync(target).mode & 0o777).toString(8)).toBe("600");
});

test("a flipped bit in the write-ahead log is refused where something acknowledged would be lost", async () => {
  const [source, copy] = [scratchFolder(), scratchFolder()];
  const store = closing(await openSqliteStore({ dataDir: source }));
  for (let i = 0; i < 30; i++) await store.create(`/pods/${i}`, "x".repeat(100));
  for (const suffix of ["", "-wal"]) {
    copyFileSync(path.join(source, DATABASE_FILE + suffix), path.join(copy, DATABASE_FILE + suffix));
  }
  const log = path.join(copy, `${DATABASE_FILE}-wal`);
  const bytes = readFileSync(log);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(log, bytes);
  await expect(openSqliteStore({ dataDir: copy })).rejects.toThrow(/frame \d+ of the write-ahead log does not match/);
  const lines: string[] = [];
  const repaired = closing(await openSqliteStore({ dataDir: copy, repair: true, log: (line) => lines.push(line) }));
  expect((await repaired.list("/pods/")).entries.length).toBeLessThan(30);
  expect(lines).toEqual([expect.stringContaining("has lost what followed")]);
});

test("a full disk is reported once, fails the write check, and recovers when writes succeed", async () => {
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const store = closing(await openSqliteStore({ dataDir: scratchFolder(), quotaBytes: 100_000, log }));
  await store.checkWrites();
  const large = (name: string): Promise<unknown> => store.create(`/pods/${name}`, "x".repeat(200_000));
  await expect(large("a")).rejects.toThrow(StoreUnavailable);
  await expect(large("b")).rejects.toThrow(StoreUnavailable);
  await store.setQuota(undefined);
  await large("c");
  await store.checkWrites();
  expect(lines).toEqual([expect.stringContaining("the disk is full"), "writes are stored again"]);
});
