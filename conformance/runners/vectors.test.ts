/**
 * The in-process server against the responses of a real one. `VECTORS=FOLDER npx vitest run
 * conformance/runners/vectors` uses other files of the same format, gzipped or not.
 */

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";
import type { KubernetesVersion } from "@portcullis/engine/internal/value/server-version";
import { startServer } from "@portcullis/server";
import { expect, test } from "vitest";
import { readLedger } from "./ledger.ts";
import { RECORDED_CONTROLLERS, RECORDED_VERSION } from "./recorded-version.ts";
import { replay } from "./vectors/replay.ts";
import { ScriptedWebhook } from "./vectors/scripted-webhook.ts";
import type { Outcome, Suite, Vector } from "./vectors/vector.ts";

const folder = process.env["VECTORS"] ?? path.join(import.meta.dirname, "../corpora/vectors");
const files = readdirSync(folder)
  .filter((name) => /\.json(\.gz)?$/.test(name))
  .sort();

const AT_ONCE = 8;
const TOKENS = 'admin,admin,1,"system:masters"\nalice,alice,2,"devs"\n';
/** Cases that are known to differ, by suite and a hash of their name. */
const listed = readLedger("vectors");

test.each(files)("%s is answered as recorded", async (file) => {
  expect(await surprisesIn(file, RECORDED_VERSION)).toEqual([]);
});

/** What other versions answer differently. */
const versionsFolder = path.join(folder, "versions");
const others = existsSync(versionsFolder)
  ? readdirSync(versionsFolder).flatMap((version) =>
      readdirSync(path.join(versionsFolder, version)).map((name) => ({ version: version as KubernetesVersion, name })),
    )
  : [];

test.each(others)("$name is answered as $version does", async ({ version, name }) => {
  expect(await surprisesIn(path.join("versions", version, name), version)).toEqual([]);
});

async function surprisesIn(file: string, version: KubernetesVersion): Promise<string[]> {
  const { suite, vectors } = readSuite(file);
  const server = await startServer({ tls: "none", tokenFile: TOKENS, version, controllers: RECORDED_CONTROLLERS });
  const webhook = vectors.some(({ webhooks }) => webhooks !== undefined) ? await ScriptedWebhook.start() : undefined;
  const surprises: string[] = [];
  const compare = async (vector: Vector): Promise<void> => {
    const id = `${suite}/${createHash("sha256").update(vector.name).digest("hex").slice(0, 10)}`;
    const isAgreed = agrees(vector, await replay(server.app, vector, webhook));
    if (isAgreed && listed.has(id)) surprises.push(`${id} agrees now: ${vector.name}`);
    if (!isAgreed && !listed.has(id)) surprises.push(`${id} differs: ${vector.name}`);
  };
  // Webhooks may take their time, so several vectors with some run at once.
  const open = [...vectors];
  const work = async (): Promise<void> => {
    for (let vector = open.shift(); vector !== undefined; vector = open.shift()) await compare(vector);
  };
  await Promise.all(Array.from({ length: webhook === undefined ? 1 : AT_ONCE }, work));
  await server.stop();
  await webhook?.stop();
  return surprises;
}

function readSuite(file: string): Suite {
  const bytes = readFileSync(path.join(folder, file));
  return JSON.parse((file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString());
}

function agrees({ expect: wanted, unordered }: Vector, got: readonly Outcome[]): boolean {
  const form = unordered === true ? loosely : (outcome: Outcome): unknown => outcome;
  return isDeepStrictEqual(wanted.map(form), got.map(form));
}

/** Errors and warnings as sets, and the words of a message in any order. */
function loosely(outcome: Outcome): unknown {
  const { message = "", causes, warnings = [] } = outcome;
  return {
    ...outcome,
    warnings: [...warnings].sort(),
    ...(causes && {
      message: message
        .split(/[\s,[\]]+/)
        .sort()
        .join(" "),
      causes: causes.map((cause) => JSON.stringify(cause)).sort(),
    }),
  };
}
