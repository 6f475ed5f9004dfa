/** Replays recorded audit logs, whole and damaged, and compares every decision with those of kube-apiserver. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../packages/cli/src/commands/commands.testing.ts";
import { replay } from "../../packages/cli/src/commands/replay.ts";

interface Truth {
  readonly auditID: string;
  readonly code: number;
  readonly message?: string;
  /** Undefined for writes that were not sent as a dry run first. */
  readonly tried?: { readonly code: number; readonly message?: string; readonly failing: readonly string[] };
}

interface Line {
  readonly auditID: string;
  readonly decision: string;
  readonly code?: number;
  readonly denied?: readonly string[];
  readonly why?: string;
}

/** A recording. */
interface Corpus {
  readonly at: (file: string) => string;
  readonly truth: readonly Truth[];
  readonly log: readonly string[];
  /** One of each server. */
  readonly files: readonly string[];
}

function readCorpus(folder: string, names = ["audit.log.gz"]): Corpus {
  const at = (file: string): string => fileURLToPath(new URL(`../corpora/${folder}/${file}`, import.meta.url));
  const unpacked = (file: string): string[] =>
    gunzipSync(readFileSync(at(file)))
      .toString()
      .split("\n")
      .filter((line) => line !== "");
  return {
    at,
    truth: unpacked("truth.jsonl.gz").map((line): Truth => JSON.parse(line)),
    log: names.flatMap(unpacked),
    files: names.map(at),
  };
}

const common = readCorpus("audit");
const wide = readCorpus("audit/wide");
const changing = readCorpus("audit/changing");
const replicas = readCorpus("audit/replicas", ["audit.log.gz", "audit-b.log.gz"]);

/** All decisions, by audit id. */
async function decisions({ at }: Corpus, files: readonly string[], policies: Policies): Promise<Map<string, Line>> {
  const args = [...files, "--objects", at("cluster.json"), ...policies(at), "--kube-version", "1.36", "-o", "jsonl"];
  const { stdout } = await runCommand(replay, [...args, "--exit-zero"], {});
  const lines = stdout.split("\n").filter((line) => line !== "");
  return new Map(lines.map((line): Line => JSON.parse(line)).map((line) => [line.auditID, line]));
}

type Policies = (at: Corpus["at"]) => readonly string[];

const IN_FORCE: Policies = (at) => ["-p", at("in-force.json")];
// Compared with others, policies do not change within the log.
const TRIED: Policies = (at) => ["-p", at("tried.json"), "--against", at("in-force.json")];

const namedIn = (message = ""): string | undefined => /Policy '([^']*)'/.exec(message)?.[1];

/** What is wrong with a decision under the policies that were in force; undefined if nothing is. */
function contradictsRecorded({ code, message }: Truth, line: Line): string | undefined {
  const policy = code >= 400 ? namedIn(message) : undefined;
  if (policy !== undefined) {
    const isNamed = line.denied?.includes(policy) === true;
    // The server names one of several at random, which may be the one that is not decided.
    const isOpen = line.decision === "denied" && line.why?.includes(policy) === true;
    return isNamed || isOpen ? undefined : `denied by ${policy}`;
  }
  if (code < 400) return line.decision === "allowed" ? undefined : "allowed";
  // Refused before the policies, by other admission, or after it.
  if (/^policy |PodSecurity/.test(message ?? "")) return line.decision === "denied" ? undefined : "denied";
  return line.decision === "allowed" || (line.denied === undefined && line.code === code) ? undefined : `code ${code}`;
}

/** The same for the policies to be tried: exactly those that fail deny, but for those that are not decided. */
function contradictsTried({ tried }: Truth, line: Line): string | undefined {
  if (tried === undefined) return undefined;
  const { code, message = "", failing } = tried;
  const named = code >= 400 ? namedIn(message) : undefined;
  const expected = new Set([...failing.map((name) => `try-${name}`), ...(named?.startsWith("try-") ? [named] : [])]);
  const denied = line.denied ?? [];
  const isComplete = [...expected].every((name) => denied.includes(name) || line.why?.includes(name) === true);
  if (expected.size > 0) {
    const isSubset = named !== undefined || denied.every((name) => expected.has(name));
    return line.decision === "denied" && isComplete && isSubset ? undefined : `denied by ${[...expected].join(", ")}`;
  }
  if (code < 400) return line.decision === "allowed" ? undefined : "allowed";
  // Its dry run did not come as far as the policies.
  const isRefused = message.includes("PodSecurity") || denied.length === 0;
  return isRefused ? undefined : "not denied by a policy";
}

type Contradicts = (truth: Truth, line: Line) => string | undefined;

/** Every contradiction, and how many writes are unknown or missing. */
function compared({ truth }: Corpus, found: ReadonlyMap<string, Line>, contradicts: Contradicts) {
  const wrong: string[] = [];
  let open = 0;
  for (const each of truth) {
    const line = found.get(each.auditID);
    if (line === undefined || line.decision === "unknown") open += 1;
    else {
      const expected = contradicts(each, line);
      if (expected !== undefined) wrong.push(`${JSON.stringify(line)}: expected ${expected}`);
    }
  }
  return { wrong, open };
}

describe.each([
  { name: "common kinds", corpus: common, open: 50, openTried: 73 },
  { name: "webhooks, many kinds and all verbs", corpus: wide, open: 0, openTried: 0 },
  { name: "everything changes", corpus: changing, open: 18, openTried: 44 },
  { name: "two servers, restarted", corpus: replicas, open: 87, openTried: 128 },
])("a recorded audit log: $name", ({ corpus, ...most }) => {
  test("is decided as kube-apiserver did", async () => {
    const found = await decisions(corpus, corpus.files, IN_FORCE);
    const { wrong, open } = compared(corpus, found, contradictsRecorded);
    expect(wrong).toEqual([]);
    expect(open).toBeLessThanOrEqual(most.open);
  }, 120_000);

  test("is decided under other policies as kube-apiserver would have", async () => {
    const found = await decisions(corpus, corpus.files, TRIED);
    const { wrong, open } = compared(corpus, found, contradictsTried);
    expect(wrong).toEqual([]);
    expect(open).toBeLessThanOrEqual(most.openTried);
  }, 120_000);
});

/** As much of the log is damaged; the rest is as if it had not been written. */
const PART = 600;

/** The lines in files, damaged as logs are. */
const DAMAGES: Readonly<Record<string, (lines: readonly string[]) => readonly (readonly string[])[]>> = {
  "two servers that take turns": (lines) => [0, 1].map((side) => lines.filter((_, index) => index % 2 === side)),
  "rotated, given in the wrong order": (lines) => [lines.slice(400), lines.slice(0, 200), lines.slice(200, 400)],
  "rotated files that overlap": (lines) => [lines.slice(0, 400), lines.slice(300)],
  "shuffled in windows": (lines) => [shuffled(lines, 40)],
  "cut lines": (lines) => [lines.map((line, index) => (index % 11 === 3 ? line.slice(0, (index * 37) % 900) : line))],
  "missing ends": (lines) => [lines.filter((line, index) => index % 3 !== 2 || !hasBeginning(line))],
  "missing bodies": (lines) => [lines.map((line, index) => (index % 7 === 1 ? withoutBodies(line) : line))],
  "without managed fields": (lines) => [lines.map(withoutManagers)],
  "level Metadata for a part": (lines) => [lines.map((line, index) => (index > 250 ? withoutBodies(line) : line))],
};

const begun = new Set(
  [common, wide, changing, replicas]
    .flatMap(({ log }) => log)
    .filter((line) => line.includes('"stage":"RequestReceived"'))
    .map(auditIdOf),
);

function auditIdOf(line: string): string {
  return /"auditID":"([^"]*)"/.exec(line)?.[1] ?? "";
}

/** A request of which no line is left cannot be noticed. */
function hasBeginning(line: string): boolean {
  return line.includes('"stage":"ResponseComplete"') && begun.has(auditIdOf(line));
}

function withoutBodies(line: string): string {
  const { requestObject: _, responseObject: __, ...event } = JSON.parse(line);
  return JSON.stringify({ ...event, level: "Metadata" });
}

function withoutManagers(line: string): string {
  return JSON.stringify(JSON.parse(line, (key, value) => (key === "managedFields" ? undefined : value)));
}

/** Always the same. */
function shuffled(lines: readonly string[], window: number): string[] {
  const rank = (index: number): number => Math.floor(index / window) * window + ((index * 17) % window);
  return lines
    .map((line, index) => ({ line, rank: rank(index) }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ line }) => line);
}

const NAMES = Object.keys(DAMAGES);
describe.each([
  { log: "common kinds", corpus: common },
  { log: "wide", corpus: wide },
  { log: "everything changes", corpus: changing },
])("a damaged audit log never leads to a wrong decision: $log", ({ corpus }) => {
  test.each(NAMES)(
    "%s",
    async (name) => {
      const folder = scratchFolder();
      const files = (DAMAGES[name]?.(corpus.log.slice(0, PART)) ?? []).map((lines, index) => {
        const file = path.join(folder, `audit-${index}.log${index === 0 ? ".gz" : ""}`);
        const text = lines.map((line) => `${line}\n`).join("");
        writeFileSync(file, index === 0 ? gzipSync(text) : text);
        return file;
      });
      expect(compared(corpus, await decisions(corpus, files, IN_FORCE), contradictsRecorded).wrong).toEqual([]);
      expect(compared(corpus, await decisions(corpus, files, TRIED), contradictsTried).wrong).toEqual([]);
    },
    240_000,
  );
});
