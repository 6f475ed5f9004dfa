/**
 * Plants differences between policies and running webhooks, and counts how many `policy parity` finds.
 *
 * `PARITY=100 UPDATE_SCOREBOARD=1 npx vitest run conformance/differential/parity`; skipped without `PARITY`.
 * The webhook is the one of `portcullis webhook`, on a server of its own. A difference counts if `policy diff` finds a
 * request that shows it.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { loadDocuments } from "@portcullis/checker/internal/policy/load";
import { witnessesBetween } from "@portcullis/checker/internal/suites/mutate/search";
import { newContext } from "@portcullis/checker/internal/suites/suite-run";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { withMeta } from "@portcullis/engine/internal/value/metadata";
import { objectOf } from "@portcullis/engine/internal/value/read";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { expect, test } from "vitest";
import { runCommand } from "../../../packages/cli/src/commands/commands.testing.ts";
import { policyParity } from "../../../packages/cli/src/commands/policy/policy-parity.ts";
import { engineOptions } from "../../../packages/cli/src/frame/engine-options.ts";
import { TestCluster } from "../../../packages/cli/src/webhook/cluster.testing.ts";
import { plantDifference } from "./planted.ts";

const at = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const examples = at("../../../examples/policies/");
const board = at("../../scoreboard/policy-parity.json");
const wanted = Number(process.env["PARITY"] ?? "0");
const SECONDS = 2;

interface Example {
  readonly name: string;
  readonly objects: readonly JsonObject[];
  readonly policy: JsonObject;
}

/** Those that need neither params nor permissions, which a webhook would read from its cluster. */
function readExamples(): Example[] {
  return readdirSync(examples, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const files = ["policy.yaml", "binding.yaml"].map((file) => path.join(examples, name, file));
      const objects = loadDocuments(files).map(({ object }) => object);
      const policy = objects.find((each) => each["kind"] === "ValidatingAdmissionPolicy");
      const text = JSON.stringify(objects);
      const isAlone = !/paramKind|authorizer|namespaceSelector|namespaceObject/.test(text);
      return policy !== undefined && isAlone ? [{ name, objects, policy }] : [];
    });
}

/** Always the same numbers. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

// One difference takes about ten seconds: too long for an ordinary run.
test.skipIf(wanted === 0)(
  "planted differences between a policy and a running webhook are found",
  async () => {
    const random = randomFrom(7);
    const all = readExamples();
    const cluster = await TestCluster.start();
    const missed: string[] = [];
    const seen = new Set<string>();
    let planted = 0;
    let unconfirmed = 0;
    try {
      await cluster.startWebhook();
      for (let attempt = 0; planted < wanted && attempt < wanted * 8; attempt++) {
        const example = all[random(all.length)];
        const made = example && plantDifference(example.policy, random);
        if (example === undefined || made === undefined || seen.has(`${example.name}: ${made.what}`)) continue;
        seen.add(`${example.name}: ${made.what}`);
        if (!(await isDifferent(example, made.policy))) {
          unconfirmed += 1;
          continue;
        }
        const served = { name: `served-${attempt}`, policy: made.policy };
        if (!(await serve(cluster, example, served))) continue;
        planted += 1;
        if (!(await isFound(example, served, cluster))) missed.push(`${example.name}: ${made.what}`);
        if (process.env["UPDATE_SCOREBOARD"] === "1") {
          const score = { planted, found: planted - missed.length, missed, unconfirmed };
          writeFileSync(board, `${JSON.stringify(score, undefined, 1)}\n`);
        }
      }
    } finally {
      await cluster.stop();
    }
    const found = planted - missed.length;
    expect(planted).toBe(wanted);
    expect(found / planted, missed.join("\n")).toBeGreaterThanOrEqual(0.95);
  },
  3_600_000,
);

async function isDifferent({ objects, policy }: Example, other: JsonObject): Promise<boolean> {
  const swapped = objects.map((each) => (each === policy ? other : each));
  const context = newContext(engineOptions(undefined, undefined));
  const options = { context, seconds: SECONDS, now: () => performance.now() };
  return (await witnessesBetween(objects, swapped, options)).length > 0;
}

const GROUP = "/apis/admissionregistration.k8s.io/v1";

/** Each under a name of its own, so that no predecessor answers. False if the server refuses it. */
async function serve(cluster: TestCluster, { objects, policy }: Example, served: Served): Promise<boolean> {
  for (const each of objects) {
    if (each === policy) continue;
    const spec = withMember(objectOf(each["spec"]), "policyName", served.name);
    await cluster.send(
      "POST",
      `${GROUP}/validatingadmissionpolicybindings`,
      renamed(withMember(each, "spec", spec), served),
    );
  }
  const made = await cluster.send("POST", `${GROUP}/validatingadmissionpolicies`, renamed(served.policy, served));
  return made.metadata?.uid !== undefined;
}

interface Served {
  readonly name: string;
  readonly policy: JsonObject;
}

function renamed(object: JsonObject, { name }: Served): JsonObject {
  return withMeta(object, { name });
}

async function isFound(example: Example, served: Served, cluster: TestCluster): Promise<boolean> {
  const folder = scratchFolder();
  const { clientConfig } = await cluster.entry(served.name);
  // The entry shows that the policy has arrived; the binding was sent before.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const ca = path.join(folder, "ca.crt");
  writeFileSync(ca, Buffer.from(clientConfig.caBundle, "base64"));
  const policies = ["policy.yaml", "binding.yaml"].map((file) => path.join(examples, example.name, file));
  const text = policies.map((file) => readFileSync(file, "utf8")).join("\n---\n");
  const args = ["@/policies.yaml", "--webhook", clientConfig.url, "--webhook-ca", ca, "--budget", `${SECONDS}`];
  const { code, stdout, stderr } = await runCommand(policyParity, args, { "policies.yaml": text }, { folder });
  if (code > 1) throw new Error(stdout + stderr);
  return code === 1;
}
