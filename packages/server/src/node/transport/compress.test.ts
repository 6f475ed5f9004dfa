import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { ApiResponse } from "../../http/exchange.ts";
import { compressed } from "./compress.ts";

const answer = (length: number, type = "application/json"): ApiResponse => ({
  status: 200,
  headers: [["Content-Type", type]],
  body: "x".repeat(length),
});

test("a large answer is compressed for a client that accepts it", async () => {
  const { body, headers } = await compressed(answer(200_000), "deflate, gzip;q=1.0");
  expect(headers).toContainEqual(["Content-Encoding", "gzip"]);
  expect(headers).toContainEqual(["Vary", "Accept-Encoding"]);
  expect(gunzipSync(body as Uint8Array).length).toBe(200_000);
});

test("several that are compressed at once, piece by piece, remain whole", async () => {
  const bodies = [1, 2, 3].map((seed) => Uint8Array.from({ length: 1_000_000 }, (_, i) => (i * i * seed) >> 7));
  const answers = await Promise.all(bodies.map((body) => compressed({ ...answer(0), body }, "gzip")));
  expect(answers.map(({ body }, i) => gunzipSync(body as Uint8Array).equals(bodies[i] ?? new Uint8Array()))).toEqual([
    true,
    true,
    true,
  ]);
});

test.each([
  { name: "a small one", given: answer(100), accept: "gzip" },
  { name: "one for other clients", given: answer(200_000), accept: undefined },
  { name: "text that is not an object", given: answer(200_000, "text/plain"), accept: "gzip" },
])("$name is not", async ({ given, accept }) => {
  expect(await compressed(given, accept)).toBe(given);
});
