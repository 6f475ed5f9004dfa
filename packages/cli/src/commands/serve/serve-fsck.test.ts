import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openSqliteStore } from "@portcullis/server";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { expect, test } from "vitest";
import { runCommand } from "../commands.testing.ts";
import { fsck } from "./serve-fsck.ts";

async function makeStore(folder: string): Promise<string> {
  const dataDir = path.join(folder, "data");
  const store = await openSqliteStore({ dataDir });
  for (let i = 0; i < 50; i++)
    await store.create(`/registry/things/${i}`, JSON.stringify({ text: `${i}-`.repeat(100) }));
  await store.close();
  return path.join(dataDir, "portcullis.db");
}

test("a sound store and its backup are described", async () => {
  const folder = scratchFolder();
  await makeStore(folder);
  const { code, stdout, stderr } = await runCommand(fsck, ["@/data"], {}, { folder });
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/portcullis\.db: 50 objects at revision 51, history from revision 1 on\n$/);
});

test("a flipped bit is found, and the file stays as it is", async () => {
  const folder = scratchFolder();
  const file = await makeStore(folder);
  const bytes = readFileSync(file);
  // SQLite may have left an older copy of the page.
  for (let at = bytes.indexOf("40-40-"); at >= 0; at = bytes.indexOf("40-40-", at)) bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  const { code, stdout, stderr } = await runCommand(fsck, ["@/data"], {}, { folder });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/is damaged from revision \d+ on/);
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

test("a file that others can read is reported", async () => {
  const folder = scratchFolder();
  chmodSync(await makeStore(folder), 0o644);
  const { code, stderr } = await runCommand(fsck, ["@/data"], {}, { folder });
  expect(code).toBe(1);
  expect(stderr).toContain("has mode 644");
});

test("a store in use and a directory without one are refused", async () => {
  const folder = scratchFolder();
  await makeStore(folder);
  const store = await openSqliteStore({ dataDir: path.join(folder, "data") });
  await expect(runCommand(fsck, ["@/data"], {}, { folder })).rejects.toThrow(`in use by process ${process.pid}`);
  await store.close();
  await expect(runCommand(fsck, ["@/none"], {}, { folder })).rejects.toThrow("there is no store in");
});
