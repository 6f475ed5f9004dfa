/**
 * `check` and the server answer alike: verdict, message, causes, warnings and stored object, for random edits of objects
 * of every built-in kind and of custom resources. `SURFACE_RUNS=5000 SURFACE_SEED=7` makes more and other cases.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Client,
  openWithWidgets,
  WIDGETS,
  widget,
  widgetDefinition,
} from "../../../packages/server/src/app/app.testing.ts";
import { agrees } from "../../runners/surfaces/compare.ts";
import { parseExactly } from "../../runners/vectors/normal.ts";
import { outcomeOf } from "../../runners/vectors/replay.ts";
import type { Outcome, Suite } from "../../runners/vectors/vector.ts";
import { answerManifest, isUncomparable, SYSTEM } from "./answers.ts";
import { edited, edits } from "./edits.ts";

type Json = ReturnType<typeof JSON.parse>;

const RUNS = Number(process.env["SURFACE_RUNS"] ?? 400);
const SEED = Number(process.env["SURFACE_SEED"] ?? 1);

interface Seed {
  readonly path: string;
  readonly object: Json;
}

/** One accepted object, at least, of each kind. */
function readSeeds(): readonly Seed[] {
  const file = new URL("../../corpora/vectors/mistakes.json.gz", import.meta.url);
  const { vectors }: Suite = JSON.parse(gunzipSync(readFileSync(file)).toString());
  const byPath = new Map<string, Seed[]>();
  for (const { steps, expect: answers, setup = [] } of vectors) {
    const [step] = steps;
    if (step?.method !== "POST" || answers[0]?.code !== 201 || setup.length > 0) continue;
    if (/\/namespaces\/(?!default\/)[^/]+\/./.test(step.path)) continue;
    const known = byPath.get(step.path) ?? [];
    if (known.length < 3) byPath.set(step.path, [...known, { path: step.path, object: named(step.body) }]);
  }
  return [
    ...[...byPath.values()].flat(),
    { path: WIDGETS, object: widget("seed", { spec: { size: 1, color: "red" } }) },
  ];
}

function named(object: Json): Json {
  return JSON.parse(JSON.stringify(object).replaceAll("{{n}}", "seed").replaceAll("{{g}}", "seed.example.com"));
}

async function send(client: Client, method: string, path: string, text: string): Promise<Outcome> {
  const { code, text: body, headers } = await client.send(method, path, { raw: text });
  return outcomeOf({ code, json: parseExactly(body), text: body, warnings: warningsOf(headers) }, { path });
}

/** Several headers of one name are one text in `Headers`. */
function warningsOf(headers: Headers): string[] {
  return [...(headers.get("warning") ?? "").matchAll(/299 - "(?:[^"\\]|\\.)*"/gs)].map(([header]) => header);
}

const seeds = readSeeds();
const mode = fc.constantFrom("Strict", "Warn", "Ignore");

test("a create is answered alike", async () => {
  const client = await openWithWidgets({ system: SYSTEM });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...seeds), edits, mode, async ({ path, object }, changes, fieldValidation) => {
      const sent = edited(object, changes);
      if (isUncomparable(sent, undefined)) return;
      const text = sortedText(sent);
      const wanted = await send(client, "POST", `${path}?dryRun=All&fieldValidation=${fieldValidation}`, text);
      if (wanted.code === 409) return;
      const got = await answerManifest({ text, fieldValidation, there: [widgetDefinition()], old: undefined });
      expectAlike(wanted, got, text);
    }),
    { numRuns: RUNS, seed: SEED },
  );
});

test("an update is answered alike", async () => {
  const client = await openWithWidgets();
  const stored = new Map<Seed, Json>();
  for (const [index, seed] of seeds.entries()) {
    const object = JSON.parse(JSON.stringify(seed.object).replaceAll("seed", `seed${index}`));
    const { code, json } = await client.post(seed.path, object);
    if (code === 201 && json.metadata?.name !== undefined) stored.set(seed, json);
  }
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...stored), edits, mode, async ([{ path }, live], changes, fieldValidation) => {
      const sent = edited(live, changes);
      if (isUncomparable(sent, live)) return;
      const text = sortedText(sent);
      const target = `${path}/${live.metadata.name}?dryRun=All&fieldValidation=${fieldValidation}`;
      const wanted = await send(client, "PUT", target, text);
      const got = await answerManifest({ text, fieldValidation, there: [widgetDefinition()], old: live });
      expectAlike(wanted, got, text);
    }),
    { numRuns: RUNS, seed: SEED },
  );
});

function expectAlike(wanted: Outcome, got: Outcome, text: string): void {
  expect(
    agrees(wanted, got, true),
    `${text}\n  server ${JSON.stringify(wanted)}\n  check  ${JSON.stringify(got)}`,
  ).toBe(true);
}

/** Manifests are read as YAML, which has sorted keys when it is decoded. */
function sortedText(value: Json): string {
  return JSON.stringify(value, (_, each) =>
    each !== null && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
