/** A store that has lost its end says so. */
import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { closing, scratchFolder } from "../scratch.testing.ts";
import { DATABASE_FILE } from "./backup.ts";
import { checkSqliteStore } from "./fsck.ts";
import { openSqliteStore } from "./open.ts";

test.each([
  { name: "cut off", harm: (log: string) => truncateSync(log, statSync(log).size / 2) },
  { name: "emptied", harm: (log: string) => truncateSync(log) },
  { name: "removed", harm: (log: string) => rmSync(log) },
  {
    name: "wrong in its last frame",
    harm: (log: string) => {
      const bytes = readFileSync(log);
      bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1;
      writeFileSync(log, bytes);
    },
  },
])("a write-ahead log that is $name is refused at each start, and repaired only on demand", async ({ harm }) => {
  const [source, copy] = [scratchFolder(), path.join(scratchFolder(), "copy")];
  const store = closing(await openSqliteStore({ dataDir: source }));
  for (let i = 0; i < 30; i++) await store.create(`/pods/${i}`, `"${"x".repeat(100)}"`);
  cpSync(source, copy, { recursive: true });
  harm(path.join(copy, `${DATABASE_FILE}-wal`));
  for (let start = 0; start < 2; start++) {
    await expect(openSqliteStore({ dataDir: copy })).rejects.toThrow("but revision 31 was acknowledged");
  }
  expect((await checkSqliteStore(copy)).problems).toEqual([
    expect.stringContaining("but revision 31 was acknowledged"),
  ]);
  const repaired = await openSqliteStore({ dataDir: copy, repair: true, log: () => {} });
  expect(await repaired.revision()).toBe(31);
  await repaired.close();
  expect(await closing(await openSqliteStore({ dataDir: copy })).revision()).toBe(31);
});

test("a store whose mark of acknowledged writes is missing, torn or older opens", async () => {
  const dataDir = scratchFolder();
  const mark = path.join(dataDir, "acknowledged");
  let older = "";
  for (const text of [undefined, "", "\0\0\0", "0000000000009999 00000000\n", () => older]) {
    if (text === undefined) rmSync(mark, { force: true });
    else writeFileSync(mark, typeof text === "string" ? text : text());
    const store = await openSqliteStore({ dataDir });
    older = readFileSync(mark, "utf8");
    await store.create(`/pods/${await store.revision()}`, "1");
    await store.close();
  }
  expect(await closing(await openSqliteStore({ dataDir })).revision()).toBe(6);
});
