/**
 * The cases where we differ from upstream: `accepted` for good, with a reason, or `triaged` until fixed.
 *
 * The files are YAML, of which only this much is read:
 *
 *     - reason: "why"
 *       cases:
 *         - suite/topic/id   # a note
 *
 * A listed case that agrees is an error, as is one that no suite knows: the ledger never goes stale.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "ledger");

/** The listed ids of a suite, such as `cel`, without that prefix, each with its reason. */
export function readLedger(suite: string, files = ["accepted", "triaged"]): ReadonlyMap<string, string> {
  const listed = new Map<string, string>();
  for (const name of files) {
    for (const [id, reason] of parseLedger(readFileSync(path.join(folder, `${name}.yaml`), "utf8"))) {
      if (id.startsWith(`${suite}/`)) listed.set(id.slice(suite.length + 1), reason);
    }
  }
  return listed;
}

function parseLedger(text: string): readonly (readonly [id: string, reason: string])[] {
  let reason = "";
  return text.split("\n").flatMap((line) => {
    const opening = /^- reason: "(.+)"$/.exec(line)?.[1];
    if (opening !== undefined) reason = opening;
    const id = /^ {4}- (\S+)/.exec(line)?.[1];
    if (id === undefined) return [];
    if (reason === "") throw new Error(`the ledger lists ${id} without a reason`);
    return [[id, reason] as const];
  });
}

export interface Verdict {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

/** What is wrong with a run: cases that fail and are not listed, and listed cases that pass or do not exist. */
export function compareWithLedger(
  verdict: Verdict,
  listed: ReadonlyMap<string, string>,
): {
  readonly unlisted: readonly string[];
  readonly stale: readonly string[];
} {
  return {
    unlisted: verdict.failed.filter((id) => !listed.has(id)),
    stale: verdict.passed.filter((id) => listed.has(id)),
  };
}
