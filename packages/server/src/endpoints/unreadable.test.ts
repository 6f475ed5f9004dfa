import { expect, test } from "vitest";
import { openClient } from "../app/app.testing.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";

test("an object in an unknown encoding ends the watches that would show it, and nothing else", async () => {
  const api = await openClient();
  const seeing = await api.watch(`${MAPS}?watch=1&resourceVersion=1`);
  const other = await api.watch("/api/v1/namespaces/default/secrets?watch=1&resourceVersion=1");
  await api.store.create("/registry/configmaps/default/x", "k8s\u0000");
  expect(await seeing.next()).toBeUndefined();
  await api.post("/api/v1/namespaces/default/secrets", { metadata: { name: "s" } });
  expect((await other.next()).object.metadata.name).toBe("s");
  await other.close();
});
