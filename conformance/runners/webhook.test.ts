/** Our webhook's responses against those of a kube-apiserver to the same requests under the same policies. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { RequestCase } from "./policy/request-case.ts";
import { answerReview, wantedReview } from "./policy/review-case.ts";

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "corpora", "policy");
const SHOWN = 5;

test("admission reviews have the recorded responses", async () => {
  const lines = readFileSync(path.join(folder, "requests.jsonl"), "utf8").split("\n");
  const cases = lines.filter((line) => line !== "").map((line): RequestCase => JSON.parse(line));
  // Each policy is evaluated separately; which of several refuses first is left to the API server.
  const single = cases.filter(({ policies }) => policies.length === 1);
  const failures: string[] = [];
  for (const recorded of single) {
    const [want, got] = [plain(wantedReview(recorded)), plain(await answerReview(recorded))];
    if (!isDeepStrictEqual(want, got)) {
      failures.push(`${recorded.id}\n  want ${JSON.stringify(want)}\n  got  ${JSON.stringify(got)}`);
    }
  }
  expect(single.length).toBeGreaterThan(500);
  expect(failures.length, `of ${single.length}\n\n${failures.slice(0, SHOWN).join("\n\n")}`).toBe(0);
});

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
