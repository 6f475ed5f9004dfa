/**
 * The committed score of a suite: passed of total and each failing id, so that progress is a diff.
 * `UPDATE_SCOREBOARD=1` writes it; otherwise a run must agree with it.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Verdict } from "./ledger.ts";

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "scoreboard");

export interface Scoreboard {
  readonly upstream: string;
  readonly passed: number;
  readonly total: number;
  readonly topics: Readonly<Record<string, TopicScore>>;
}

interface TopicScore {
  readonly passed: number;
  readonly total: number;
  readonly failing: readonly string[];
}

export function score(upstream: string, verdicts: ReadonlyMap<string, Verdict>): Scoreboard {
  const topics: Record<string, TopicScore> = {};
  for (const topic of [...verdicts.keys()].sort()) {
    const { passed, failed } = verdicts.get(topic) ?? { passed: [], failed: [] };
    topics[topic] = { passed: passed.length, total: passed.length + failed.length, failing: [...failed].sort() };
  }
  const sum = (pick: (topic: TopicScore) => number) => Object.values(topics).reduce((n, topic) => n + pick(topic), 0);
  return { upstream, passed: sum((topic) => topic.passed), total: sum((topic) => topic.total), topics };
}

/** The committed scoreboard, after writing it if requested. */
export function committedScoreboard(suite: string, current: Scoreboard): unknown {
  const file = path.join(folder, `${suite}.json`);
  if (process.env["UPDATE_SCOREBOARD"] === "1") writeFileSync(file, `${JSON.stringify(current, undefined, 1)}\n`);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
