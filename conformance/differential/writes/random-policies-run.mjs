/**
 * Creates random admission policies in a real API server and in ours, and sends the same writes through them.
 *
 *     node conformance/differential/writes/random-policies-run.mjs --reference URL --server URL --token T [--count N] \
 *       [--seed S]
 *
 * A real server takes policies into use with a delay, so that many are created at once and waited for.
 */
import { parseArgs } from "node:util";
import { Client } from "./client.mjs";
import { areAlikeInAnyOrder, showDifference } from "./differences.mjs";
import { randomFrom } from "./random.mjs";
import { randomBinding, randomPolicy } from "./random-policies.mjs";

const { values } = parseArgs({
  options: {
    reference: { type: "string" },
    server: { type: "string" },
    token: { type: "string", default: "" },
    count: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    wait: { type: "string", default: "6" },
  },
});
const GROUP = "/apis/admissionregistration.k8s.io/v1";
const MAPS = "/api/v1/namespaces/default/configmaps";
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const started = Date.now().toString(36);
const clients = [values.reference, values.server].map((url) => new Client(url, values.token, "none"));
const counts = { policies: 0, accepted: 0, requests: 0, differing: 0 };

await Promise.all(clients.map(prepare));
const cases = await inLanes(
  Array.from({ length: Number(values.count) }, (_, index) => index),
  createPolicy,
);
await new Promise((resolve) => setTimeout(resolve, Number(values.wait) * 1000));
await inLanes(cases.filter(Boolean), sendWrites);
await inLanes(cases.filter(Boolean), removePolicy);
console.log(`${JSON.stringify(counts)} from seed ${values.seed}`);
process.exitCode = counts.differing === 0 ? 0 : 1;

/** Parameters that some policies refer to. */
async function prepare(client) {
  const params = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "params", labels: { p: "1" } },
    data: { limit: "1" },
  };
  await client.send({ method: "POST", path: MAPS, body: params }, "x");
}

async function inLanes(items, work) {
  const results = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index]);
  };
  await Promise.all(Array.from({ length: 6 }, lane));
  return results;
}

async function createPolicy(index) {
  const number = Number(values.seed) * 100_000 + index;
  const random = randomFrom(number);
  const policy = randomPolicy(random, random.bool(0.4));
  const binding = randomBinding(random, policy);
  const plural = policy.kind.startsWith("M") ? "mutatingadmissionpolicies" : "validatingadmissionpolicies";
  const name = `p${started}x${index}x`;
  const each = { number, random, name, plural, policy, binding };
  counts.policies++;
  const made = await ask(each, { method: "POST", path: `${GROUP}/${plural}`, body: policy });
  if (made.code !== 201) return undefined;
  const bound = await ask(each, {
    method: "POST",
    path: `${GROUP}/${plural.replace("policies", "policybindings")}`,
    body: binding,
  });
  counts.accepted++;
  return { ...each, isBound: bound.code === 201 };
}

/** The answer of the real server; both are compared. */
async function ask({ number, name, policy, binding }, step) {
  for (let attempt = 0; ; attempt++) {
    const [wanted, got] = await Promise.all(clients.map((client) => client.send(step, name)));
    counts.requests++;
    if (wanted.code === 0 || areAlikeInAnyOrder([wanted], [got])) return wanted;
    if (attempt < 2 && step.query?.dryRun === "All") {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      continue;
    }
    counts.differing++;
    showDifference(number, { name: policy.kind, steps: [step] }, [wanted], [got]);
    console.log(`policy ${JSON.stringify(policy.spec)}\nbinding ${JSON.stringify(binding.spec)}`);
    return wanted;
  }
}

async function sendWrites(each) {
  const { random } = each;
  const query = { dryRun: "All", ...(random.bool(0.3) && { fieldManager: "m" }) };
  for (const kind of [mapOf, deploymentOf]) {
    const { path, object } = kind(random);
    await ask(each, { method: "POST", path, query, body: object });
    const stored = { ...object, metadata: { ...object.metadata, name: "{{n}}s", labels: { kept: "x" } } };
    await ask(each, { method: "POST", path, body: stored });
    const own = `${path}/{{n}}s`;
    const changed = kind(random).object;
    await ask(each, {
      method: "PUT",
      path: own,
      query,
      body: { ...changed, metadata: { ...changed.metadata, name: "{{n}}s" } },
    });
    await ask(each, {
      method: "PATCH",
      path: own,
      query,
      contentType: "application/merge-patch+json",
      body: {
        metadata: { labels: { own: "{{n}}" } },
        ...random.pick([{}, { data: { a: "x" } }, { spec: { replicas: 2 } }]),
      },
    });
    const applied = { ...changed, metadata: { ...changed.metadata, name: "{{n}}s" } };
    await ask(each, {
      method: "PATCH",
      path: own,
      query: { ...query, fieldManager: "m", force: "true" },
      contentType: "application/apply-patch+yaml",
      body: applied,
    });
    await label(own, each);
    await ask(each, { method: "DELETE", path: own, query: { dryRun: "All" } });
    if (kind === deploymentOf) {
      const scale = { spec: { replicas: random.below(4) } };
      await ask(each, {
        method: "PATCH",
        path: `${own}/scale`,
        query,
        contentType: "application/merge-patch+json",
        body: scale,
      });
    }
    await Promise.all(clients.map((client) => client.send({ method: "DELETE", path: own }, each.name)));
  }
}

/** Without an answer to compare: the policy may refuse it. */
async function label(path, { name }) {
  const body = { metadata: { labels: { own: "{{n}}" } } };
  const step = { method: "PATCH", path, contentType: "application/merge-patch+json", body };
  await Promise.all(clients.map((client) => client.send(step, name)));
}

function mapOf(random) {
  const data = random.pick([undefined, {}, { a: "x" }, { a: "5", b: "yy" }, { b: "y", c: "z", d: "" }]);
  const annotations = random.pick([undefined, { x: "y" }]);
  const metadata = { name: "{{n}}m", labels: { own: "{{n}}" }, ...(annotations && { annotations }) };
  return { path: MAPS, object: { apiVersion: "v1", kind: "ConfigMap", metadata, ...(data && { data }) } };
}

function deploymentOf(random) {
  const labels = { app: "x" };
  const resources = random.pick([undefined, { limits: { cpu: "1" } }, { limits: { cpu: "1000m" } }, { limits: {} }]);
  const containers = [{ name: "a", image: random.pick(["i", "j"]), ...(resources && { resources }) }];
  const spec = {
    replicas: random.pick([1, 2]),
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  };
  const metadata = { name: "{{n}}m", labels: { own: "{{n}}" } };
  return { path: DEPLOYMENTS, object: { apiVersion: "apps/v1", kind: "Deployment", metadata, spec } };
}

/** The status of a validating policy says what its types would not allow. */
async function removePolicy(each) {
  const path = `${GROUP}/${each.plural}/{{n}}`;
  await Promise.all(
    clients.map(async (client) => {
      await client.send(
        { method: "DELETE", path: `${GROUP}/${each.plural.replace("policies", "policybindings")}/{{n}}` },
        each.name,
      );
      await client.send({ method: "DELETE", path }, each.name);
    }),
  );
}
