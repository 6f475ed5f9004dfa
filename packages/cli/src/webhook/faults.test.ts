import { createAuthority, MemoryStore, startServer } from "@portcullis/server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { callEntry, eventually, type Json, NEEDS_OK, post, reviewOf, TestCluster } from "./cluster.testing.ts";

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await TestCluster.start();
});
afterEach(() => cluster.stop());

function trustOf(entry: Json): string {
  return Buffer.from(entry.clientConfig.caBundle, "base64").toString();
}

test("reviews continue while the API server is away, and changes are seen after its return", async () => {
  await cluster.startWebhook();
  await cluster.enforce("needs-ok", NEEDS_OK);
  const entry = await cluster.entry("needs-ok");
  await cluster.admit("needs-ok");
  await cluster.stopServer();
  expect(JSON.parse((await callEntry(entry, reviewOf({}))).text).response.allowed).toBe(false);
  await cluster.startServer();
  await cluster.enforce("another", NEEDS_OK);
  expect(await cluster.admit("another")).toMatchObject({ allowed: false });
});

test("an API server whose history is compacted while it is away loses nothing", async () => {
  await cluster.startWebhook();
  await cluster.enforce("needs-ok", NEEDS_OK);
  await cluster.entry("needs-ok");
  await cluster.stopServer();
  await cluster.store.compact(await cluster.store.revision());
  await cluster.startServer();
  await cluster.changePolicy("needs-ok", (spec) => {
    spec.validations[0].message = "after compaction";
  });
  await eventually(async () => expect((await cluster.admit("needs-ok")).message).toContain("after compaction"));
});

test("an API server that comes back without its data is followed, although its versions are lower", async () => {
  await cluster.startWebhook({ rotation: { checkMs: 100 } });
  await cluster.enforce("old", NEEDS_OK);
  await cluster.entry("old");
  await cluster.stopServer();
  await cluster.startServer(new MemoryStore());
  await cluster.create("/api/v1/namespaces", { metadata: { name: "portcullis-system" } });
  await cluster.enforce("new", NEEDS_OK);
  await cluster.entry("new");
  await eventually(async () => expect(await cluster.entries()).toHaveLength(1));
  await eventually(async () => expect(await cluster.admit("new")).toMatchObject({ allowed: false, response: {} }));
});

test("a webhook that is gone fails closed or open, policy by policy", async () => {
  const webhook = await cluster.startWebhook();
  await cluster.enforce("closed", NEEDS_OK);
  await cluster.enforce("open", { ...NEEDS_OK, failurePolicy: "Ignore" });
  expect(await cluster.admit("closed", reviewOf({}, { ok: "" }))).toMatchObject({ allowed: true });
  expect(await cluster.admit("open")).toMatchObject({ allowed: false });
  await webhook.stop();
  expect(await cluster.admit("closed", reviewOf({}, { ok: "" }))).toMatchObject({
    allowed: false,
    response: undefined,
  });
  expect(await cluster.admit("open")).toMatchObject({ allowed: true, response: undefined });
});

test("a webhook that has not read the policies yet is not ready and reviews nothing", async () => {
  await cluster.startWebhook();
  await cluster.enforce("needs-ok", NEEDS_OK);
  const entry = await cluster.entry("needs-ok");
  const blind = await cluster.startWebhook({ policyApi: "nowhere.example.com/v1" });
  const base = `https://127.0.0.1:${blind.port}`;
  expect((await post(`${base}/readyz`, trustOf(entry), "", "GET")).code).toBe(503);
  expect((await post(`${base}/healthz`, trustOf(entry), "", "GET")).code).toBe(200);
  expect((await post(`${base}/policies/needs-ok`, trustOf(entry), JSON.stringify(reviewOf({})))).code).toBe(503);
  expect(await cluster.entries()).toHaveLength(1);
});

test.each([
  { name: "no JSON", body: "{", code: 400 },
  { name: "no review", body: '{"kind":"Pod","apiVersion":"v1"}', code: 400 },
  { name: "no request", body: '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}', code: 400 },
  { name: "an unknown operation", body: JSON.stringify(reviewOf({ operation: "PATCH" })), code: 400 },
  { name: "more than the limit", body: " ".repeat(70_000), code: 413 },
])("a body that is $name is answered with $code", async ({ body, code }) => {
  await cluster.startWebhook({ bodyLimit: 65_536 });
  await cluster.enforce("needs-ok", NEEDS_OK);
  const entry = await cluster.entry("needs-ok");
  expect((await post(entry.clientConfig.url, trustOf(entry), body)).code).toBe(code);
});

test("metrics count reviews, and checks by upstream's name", async () => {
  const webhook = await cluster.startWebhook();
  await cluster.enforce("needs-ok", NEEDS_OK);
  await cluster.admit("needs-ok");
  const ca = trustOf(await cluster.entry("needs-ok"));
  const { text } = await post(`https://127.0.0.1:${webhook.port}/metrics`, ca, "", "GET");
  expect(text).toContain(
    'apiserver_validating_admission_policy_check_total{enforcement_action="deny",error_type="invalid_error",policy="needs-ok",policy_binding="needs-ok-binding"} 1',
  );
  expect(text).toContain('portcullis_webhook_reviews_total{policy="needs-ok",outcome="denied"} 1');
  expect(text).toContain("portcullis_webhook_review_duration_seconds_count 1");
});

test("certificates are replaced under load without a failed request", async () => {
  await cluster.startWebhook({ rotation: { rotateAfterMs: 300, propagationMs: 150, checkMs: 30 } });
  await cluster.enforce("needs-ok", NEEDS_OK);
  const first = (await cluster.entry("needs-ok")).clientConfig.caBundle;
  const bundles = new Set<string>();
  const failures: string[] = [];
  let calls = 0;
  // One CA, two, one: at least two complete replacements.
  const load = async (): Promise<void> => {
    while (bundles.size < 5 || calls < 50) {
      const entry = await cluster.entry("needs-ok");
      bundles.add(entry.clientConfig.caBundle);
      try {
        const { code, text } = await callEntry(entry, reviewOf({}));
        if (code !== 200 || JSON.parse(text).response.allowed !== false) failures.push(`${code} ${text}`);
      } catch (error) {
        failures.push(String(error));
      }
      calls++;
    }
  };
  await Promise.all([load(), load(), load()]);
  expect(failures).toEqual([]);
  expect((await cluster.entry("needs-ok")).clientConfig.caBundle).not.toBe(first);
});

test("two replicas share their certificates and write one configuration", async () => {
  const [left, right] = await Promise.all([cluster.startWebhook(), cluster.startWebhook()]);
  await cluster.enforce("needs-ok", NEEDS_OK);
  const entry = await cluster.entry("needs-ok");
  for (const { port } of [left, right]) {
    const url = `https://127.0.0.1:${port}/policies/needs-ok`;
    await eventually(async () => {
      expect((await post(url, trustOf(entry), JSON.stringify(reviewOf({})))).code).toBe(200);
    });
  }
});

test.each(["token", "client certificate"])("a cluster behind TLS is talked to with a %s", async (how) => {
  const authority = await createAuthority(Date.now());
  const own = await authority.issue({ commonName: "kube-apiserver", hosts: ["127.0.0.1"] });
  const server = await startServer({ tls: { ...own, ca: authority.cert } });
  const admin = await authority.issue({ commonName: "admin", organizations: ["system:masters"] });
  const credentials = how === "token" ? { token: () => server.token } : admin;
  const webhook = await cluster.startWebhook({
    access: { server: server.url, ca: authority.cert, ...credentials },
    namespace: "default",
  });
  await webhook.ready();
  await webhook.stop();
  await server.stop();
});
