import path from "node:path";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { openSqliteStore, startServer } from "@portcullis/server";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { expect, test } from "vitest";
import { runCommand } from "../commands.testing.ts";
import { backup, restore } from "./serve-backup.ts";

const configMap = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" } });

test("a backup of a running server can be restored and served", async () => {
  const folder = scratchFolder();
  const dataDir = path.join(folder, "data");
  const server = await startServer({ store: await openSqliteStore({ dataDir }), tls: "none" });
  try {
    expect((await server.create(configMap("before"))).code).toBe(201);
    const done = await runCommand(backup, ["@/copy.db", "--data-dir", "@/data"], {}, { folder });
    expect(done).toEqual({ code: 0, stdout: "", stderr: "data is in copy.db\n" });
    expect((await server.create(configMap("after"))).code).toBe(201);
    const again = runCommand(backup, ["@/copy.db", "--data-dir", "@/data"], {}, { folder });
    await expect(again).rejects.toThrow("exists already");
    const used = runCommand(restore, ["@/copy.db", "--data-dir", "@/data"], {}, { folder });
    await expect(used).rejects.toThrow(UsageError);
  } finally {
    await server.stop();
  }
  const { stderr } = await runCommand(restore, ["@/copy.db", "--data-dir", "@/other"], {}, { folder });
  expect(stderr).toMatch(/^copy\.db is in other, from revision 10\d{5} on\n$/);
  const restored = await startServer({
    store: await openSqliteStore({ dataDir: path.join(folder, "other") }),
    tls: "none",
  });
  try {
    const headers = { authorization: `Bearer ${restored.token}` };
    const find = (name: string) => fetch(`${restored.url}/api/v1/namespaces/default/configmaps/${name}`, { headers });
    expect([(await find("before")).status, (await find("after")).status]).toEqual([200, 404]);
  } finally {
    await restored.stop();
  }
});

test("a directory without a store is an error", async () => {
  await expect(runCommand(backup, ["@/copy.db", "--data-dir", "@/none"], {})).rejects.toThrow("there is no store in");
  await expect(runCommand(backup, [], {})).rejects.toThrow("name one file");
});
