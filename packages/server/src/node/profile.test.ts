import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toPprof } from "./profile.ts";
import { type RunningServer, startServer } from "./start.ts";

let server: RunningServer;

beforeAll(async () => {
  server = await startServer({ tls: "none", tokenFile: 'admin,admin,1,"system:masters"\nalice,alice,2,"devs"' });
});

afterAll(() => server.stop());

const get = (path: string, token = "admin"): Promise<Response> =>
  fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });

test("an administrator gets a profile of the time asked for", async () => {
  const recording = get("/debug/pprof/profile?seconds=1");
  await new Promise((resolve) => setTimeout(resolve, 300));
  const second = await get("/debug/pprof/profile?seconds=1");
  expect([second.status, await second.text()]).toEqual([
    500,
    "Could not enable CPU profiling: cpu profiling already in use\n",
  ]);
  const response = await recording;
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/octet-stream");
  const text = gunzipSync(await response.arrayBuffer()).toString("latin1");
  expect(text).toContain("nanoseconds");
});

test("others do not, and none is longer than a request may take", async () => {
  expect((await get("/debug/pprof/profile?seconds=1", "alice")).status).toBe(403);
  expect((await get("/debug/pprof/profile?seconds=100")).status).toBe(400);
});

test("a profile in pprof's format", () => {
  const callFrame = { functionName: "f", scriptId: "1", url: "file:///a.js", lineNumber: 4, columnNumber: 0 };
  const nodes = [
    { id: 1, callFrame: { ...callFrame, functionName: "" }, children: [2] },
    { id: 2, callFrame },
  ];
  const bytes = toPprof({ nodes, samples: [2, 2, 1], timeDeltas: [5, 7, 1], startTime: 0, endTime: 13 });
  const hex = Buffer.from(bytes).toString("hex");
  // Two samples of location 2 below location 1: 2 times, 12,000 ns.
  expect(hex).toContain("1209" + "0802" + "0801" + "1002" + "10e05d");
  // Location 2: function 2 at line 5.
  expect(hex).toContain("2208" + "0802" + "2204" + "0802" + "1005");
});
