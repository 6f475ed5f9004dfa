/** The evaluation steps of the recorded policy vectors, with the library alone: no server, no HTTP. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { replayInLibrary } from "./policy/library-replay.ts";
import type { Suite } from "./vectors/vector.ts";

const file = path.join(import.meta.dirname, "../corpora/vectors/vap.json.gz");

test("the library reaches the recorded verdicts with the recorded messages", async () => {
  const suite: Suite = JSON.parse(gunzipSync(readFileSync(file)).toString());
  const replayed = await Promise.all(
    suite.vectors.map(async (vector) =>
      (await replayInLibrary(vector)).map((each) => ({ name: vector.name, ...each })),
    ),
  );
  const compared = replayed.flat();
  const isRefused = (code = 0): boolean => code >= 400;
  const wrong = compared.filter(({ wanted, allowed }) => allowed === isRefused(wanted.code));
  expect(wrong.map(({ name, step, wanted, message }) => [name, step, wanted.message ?? "", message])).toEqual([]);
  const worded = compared.filter(({ wanted }) => isRefused(wanted.code));
  const otherTexts = worded.filter(({ wanted, message }) => wanted.message !== message);
  expect(otherTexts.map(({ name, step, wanted, message }) => [name, step, wanted.message, message])).toEqual([]);
  expect(compared.length).toBeGreaterThan(100);
  expect(worded.length).toBeGreaterThan(50);
});
