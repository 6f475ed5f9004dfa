import { expect, test } from "vitest";
import { largeState } from "../browser/keystrokes.testing.ts";
import { loadExamples } from "../examples/examples.testing.ts";
import { EMPTY_STATE, type State } from "../state.ts";
import type { Outcome } from "./outcome.ts";
import * as policies from "./policies.ts";
import * as proofs from "./proofs.ts";
import { Reviewer } from "./review.ts";
import * as upgrades from "./upgrades.ts";

const parts = {
  policies: () => Promise.resolve(policies),
  proofs: () => Promise.resolve(proofs),
  upgrades: () => Promise.resolve(upgrades),
};
const reviewer = new Reviewer(() => "2026-01-01", parts);
const examples = new Map(loadExamples().map((example) => [example.name, example.state]));

function example(name: string): State {
  const state = examples.get(name);
  if (state === undefined) throw new Error(`no example ${name}`);
  return state;
}

/** What is underlined, by text. */
async function underlined(state: State): Promise<string[]> {
  const { diagnostics } = (await reviewer.review(state)).outcome;
  return diagnostics.map(({ field, from, to }) => `${field}: ${(state.texts[field] ?? "").slice(from, to)}`);
}

test.each([
  { name: "hello", places: ["object: 11"] },
  { name: "unknown-fields", places: ["object: replica"] },
  { name: "bad-definition", places: ["definition: {}", "definition: true", "object: parts: [1, two]"] },
  { name: "policy-type-check", places: ["policy: .replica"] },
  { name: "cel-types", places: ["expression: +"] },
])("problems are underlined where they are: $name", async ({ name, places }) => {
  expect(await underlined(example(name))).toEqual(places);
});

test("problems inside expressions are underlined inside them, in blocks too", async () => {
  const places = await underlined(example("rule-typo"));
  expect(places.slice(0, 3)).toEqual(["definition: .maximum", "definition: >", "definition: ="]);
});

test("a finding about an object has its place in the schema", async () => {
  const state = example("ratcheting-touched");
  const { schemaPlaces } = await reviewer.review(state);
  const [schema] = schemaPlaces();
  expect(schema && state.texts[schema.field]?.slice(schema.from, schema.to)).toBe("retention");
});

test("the pipeline shows what is pruned, defaulted and stored", async () => {
  const { pipeline } = (await reviewer.review(example("pruning"))).outcome;
  expect(pipeline?.map(({ title }) => title)).toEqual(["Pruned", "Defaulted", "Stored"]);
  const removed = pipeline?.[0]?.lines.filter(({ kind }) => kind === "removed").map(({ text }) => text.trim());
  expect(removed).toEqual(["imagePullPolicy: Always", "color: red"]);
});

test("ratcheting is reported with its reasons, and with the result without it", async () => {
  const { ratcheting, problems } = (await reviewer.review(example("ratcheting-lists"))).outcome;
  expect(ratcheting).toEqual({ forgiven: 1, kept: 1, errorsWithout: 2 });
  expect(problems.map(({ ratchet, path }) => `${ratchet?.outcome} ${path}`)).toEqual([
    "kept spec.plain[0].port",
    "forgiven spec.keyed[0].port",
  ]);
  expect(problems[0]?.ratchet?.reason).toContain("x-kubernetes-list-type: map");
});

const details = (state: State) => reviewer.details(state, () => true);

test("a long computation is cancelled by a newer request", async () => {
  const state = example("cost-repetition");
  expect(await reviewer.details(state, () => false)).toBeUndefined();
  expect((await details(state))?.cost?.schemas.length).toBe(1);
  expect((await reviewer.details(state, () => false))?.cost?.schemas.length).toBe(1);
});

test("costs name the responsible field and a bound that fits", async () => {
  const state = example("cost-unbounded");
  const cost = (await details(state))?.cost;
  const [rule] = cost?.schemas[0]?.rules ?? [];
  expect(rule?.ruleShare).toBeGreaterThan(1);
  expect(rule?.causes.join("\n")).toMatch(/`spec\.hosts` \(no maxItems\)[\s\S]*fits if all of these are at most \d+/);
  expect(state.texts.definition?.slice(rule?.from, rule?.to)).toContain("self.hosts.all");
});

test("the bound that the cost panel names is accepted, and one more is not", async () => {
  const state = example("cost-unbounded");
  const causes = (await details(state))?.cost?.schemas[0]?.rules[0]?.causes.join("\n") ?? "";
  const bound = Number(/at most (\d+)/.exec(causes)?.[1]);
  const bounded = (size: number): State => {
    const definition = (state.texts.definition ?? "")
      .replaceAll("type: array", `type: array\n                  maxItems: ${size}`)
      .replaceAll("{type: string}", `{type: string, maxLength: ${size}}`);
    return { ...state, texts: { ...state.texts, definition } };
  };
  expect((await reviewer.review(bounded(bound))).outcome.verdict.tone).toBe("accepted");
  expect((await reviewer.review(bounded(bound + 1))).outcome.verdict.tone).toBe("refused");
});

test("each witness of an upgrade does what its button says", async () => {
  for (const [name, state] of examples) {
    if (state.mode !== "upgrade") continue;
    const { upgrade } = (await reviewer.review(state)).outcome;
    for (const row of upgrade?.rows ?? []) {
      for (const { label, texts, ...settings } of row.witnesses) {
        const { verdict } = (await reviewer.review({ ...state, ...settings, texts: { ...state.texts, ...texts } }))
          .outcome;
        const isFine = label !== "Create it" || row.code === "upgrade/reader";
        expect(verdict.tone, `${name}: ${label}`).toMatch(isFine ? /accepted|warned/ : /refused/);
      }
    }
  }
});

test("an upgrade with many changes can be shown in part, and cancelled", async () => {
  const state = largeState(200, "upgrade");
  const fresh = new Reviewer(() => "2026-01-01", parts);
  const partial: Outcome[] = [];
  const whole = await fresh.review(state, (soFar) => {
    partial.push(soFar());
    return true;
  });
  expect(partial[0]?.verdict).toMatchObject({ tone: "refused", headline: "Unsafe" });
  expect(partial[0]?.verdict.summary).toBe("1 change can break something, and there is more to look at …");
  expect(partial.at(-1)?.upgrade?.rows.length).toBe(whole?.outcome.upgrade?.rows.length);
  expect(whole?.outcome.verdict.summary).toBe("1 change can break something");
  expect(await new Reviewer(() => "2026-01-01", parts).review(state, () => false)).toBeUndefined();
});

test("typing in either side of an upgrade gives what a fresh page gives", async () => {
  const { texts, ...rest } = largeState(200, "upgrade");
  const { oldDefinition = "", definition = "" } = texts;
  const edits: State["texts"][] = [
    { oldDefinition, definition },
    { oldDefinition, definition: definition.replace("What field0", "Whatever field0") },
    { oldDefinition, definition: definition.replace("maxItems: 16", "maxItems: 1") },
    { oldDefinition: oldDefinition.replace("maxItems: 16", "maxItems: 1"), definition },
    { oldDefinition, definition: definition.replace("plural: larges", "plural: others") },
    { oldDefinition, definition },
  ];
  const typed = new Reviewer(() => "2026-01-01", parts);
  for (const each of edits) {
    const fresh = new Reviewer(() => "2026-01-01", parts);
    const state = { ...rest, texts: each };
    expect((await typed.review(state)).outcome).toEqual((await fresh.review(state)).outcome);
  }
});

test.each(["create", "update", "upgrade", "policy", "proof", "cel"] as const)(
  "an empty page in mode %s asks for more",
  async (mode) => {
    const { verdict, problems } = (await reviewer.review({ ...EMPTY_STATE, mode })).outcome;
    expect(verdict.headline).toMatch(/^Nothing to/);
    expect(problems).toEqual([]);
  },
);

test.each([
  { mode: "create", field: "object" },
  { mode: "update", field: "old" },
  { mode: "upgrade", field: "oldDefinition" },
  { mode: "policy", field: "request" },
  { mode: "policy", field: "policy" },
  { mode: "proof", field: "oldPolicy" },
  { mode: "cel", field: "variables" },
] as const)("a broken text is reported in mode $mode: $field", async ({ mode, field }) => {
  const states = [...examples.values()].filter((state) => state.mode === mode);
  const [first = EMPTY_STATE] = states;
  const { verdict, problems } = (await reviewer.review({ ...first, texts: { ...first.texts, [field]: "a: [b\nc: }" } }))
    .outcome;
  expect(verdict.tone).toBe("failed");
  expect(problems.some((problem) => problem.field === field && problem.severity === "error")).toBe(true);
});

test("a request with an unknown field is an error", async () => {
  const state = example("policy-first");
  const { verdict, problems } = (await reviewer.review({ ...state, texts: { ...state.texts, request: "usr: alice" } }))
    .outcome;
  expect(verdict.tone).toBe("failed");
  expect(problems.at(-1)?.message).toContain("unknown field `usr`");
});

test("an older Kubernetes version has fewer functions", async () => {
  const state = example("cel-semver");
  expect((await reviewer.review({ ...state, version: "1.30" })).outcome.verdict.headline).toBe("Does not compile");
});

test("an object of an unknown kind shows kubectl's message", async () => {
  const texts = { object: "apiVersion: nobody.example.com/v1\nkind: Ghost\nmetadata: {name: g}\n" };
  const { verdict } = (await reviewer.review({ ...EMPTY_STATE, texts })).outcome;
  expect(verdict.transcripts[0]?.output).toContain('no matches for kind "Ghost" in version "nobody.example.com/v1"');
});
