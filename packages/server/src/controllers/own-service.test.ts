import { afterEach, expect, test, vi } from "vitest";
import { openClient } from "../app/app.testing.ts";

const SERVICE = "/api/v1/namespaces/default/services/kubernetes";

afterEach(() => {
  vi.useRealTimers();
});

test("the service of the server is created again some time after it is deleted", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const client = await openClient();
  const before = (await client.get(SERVICE)).json;
  await client.delete(SERVICE);
  await client.app.settled();
  await vi.advanceTimersByTimeAsync(9_000);
  expect((await client.get(SERVICE)).code).toBe(404);
  await vi.advanceTimersByTimeAsync(1_000);
  await client.app.settled();
  const { json } = await client.get(SERVICE);
  expect([json.spec, json.metadata.labels]).toEqual([before.spec, before.metadata.labels]);
});
