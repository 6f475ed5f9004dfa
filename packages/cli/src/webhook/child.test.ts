/** The command in a process of its own, with our own server as the cluster. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createAuthority } from "@portcullis/server";
import { bundleProgram, type Child, type Program, runProgram } from "@portcullis/server/node/child.testing";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { callEntry, eventually, NAME, NAMESPACE, NEEDS_OK, post, reviewOf, TestCluster } from "./cluster.testing.ts";

let program: Program;
let cluster: TestCluster;
let folder: string;
let children: Child[] = [];

beforeAll(async () => {
  program = await bundleProgram(new URL("../main.ts", import.meta.url));
});

afterAll(() => program.remove());

beforeEach(async () => {
  folder = scratchFolder();
  cluster = await TestCluster.start();
  writeFileSync(path.join(folder, "kubeconfig"), cluster.kubeconfig());
});

afterEach(async () => {
  for (const { process } of children) process.kill("SIGKILL");
  await Promise.all(children.map(({ ended }) => ended));
  children = [];
  await cluster.stop();
});

function runWebhook(...args: readonly string[]): Child {
  const child = runProgram(process.execPath, [
    program.file,
    "webhook",
    ...["--kubeconfig", path.join(folder, "kubeconfig"), "--url", "https://127.0.0.1:0"],
    ...["--bind-address", "127.0.0.1", "--port", "0", "--shutdown-delay-seconds", "0"],
    ...args,
  ]);
  children.push(child);
  return child;
}

async function portOf(child: Child): Promise<string> {
  return (await child.until(/listens on port (\d+)/))[1] ?? "";
}

test("policies get entries, requests are denied and allowed, health and metrics respond, and a signal ends it", async () => {
  await cluster.enforce("needs-ok", NEEDS_OK);
  const child = runWebhook();
  const port = await portOf(child);
  const denied = await cluster.admit("needs-ok");
  expect(denied).toMatchObject({
    allowed: false,
    message: `configmaps "settings" is forbidden: ValidatingAdmissionPolicy 'needs-ok' with binding 'needs-ok-binding' denied request: no ok`,
    response: { status: { reason: "Invalid", code: 422 } },
  });
  expect((await cluster.admit("needs-ok", reviewOf({}, { ok: "" }))).allowed).toBe(true);
  const { clientConfig } = await cluster.entry("needs-ok");
  const ca = Buffer.from(clientConfig.caBundle, "base64").toString();
  const get = (page: string) => post(`https://127.0.0.1:${port}${page}`, ca, "", "GET");
  expect([await get("/healthz"), await get("/readyz")]).toEqual([
    { code: 200, text: "ok\n" },
    { code: 200, text: "ok\n" },
  ]);
  const { text } = await get("/metrics");
  expect(text).toMatch(/^portcullis_webhook_ready 1$/m);
  const labels = `enforcement_action="deny",error_type="invalid_error",policy="needs-ok",policy_binding="needs-ok-binding"`;
  expect(text).toContain(`apiserver_validating_admission_policy_check_duration_seconds_count{${labels}} 1`);
  child.process.kill("SIGTERM");
  expect(await child.ended).toBe(0);
  expect((await cluster.entries()).length).toBe(1);
});

test("reviews are recorded, and replay reads them", async () => {
  await cluster.enforce("needs-ok", NEEDS_OK);
  const file = path.join(folder, "reviews.log");
  const child = runWebhook("--record", file);
  await portOf(child);
  expect((await cluster.admit("needs-ok")).allowed).toBe(false);
  expect((await cluster.admit("needs-ok", reviewOf({}, { ok: "" }))).allowed).toBe(true);
  child.process.kill("SIGTERM");
  expect(await child.ended).toBe(0);
  const recorded = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(recorded).toHaveLength(2);
  expect(JSON.parse(recorded[0] ?? "")).toMatchObject({ kind: "AdmissionReview", response: { allowed: false } });
  const replayed = runProgram(process.execPath, [program.file, "replay", file]);
  children.push(replayed);
  await replayed.until(
    /2 writes, .*: 2 allowed, 0 denied, 0 unknown\ncompared with what happened: 0 newly denied, 1 newly/,
  );
});

test("missing params are handled per binding", async () => {
  const spec = { ...NEEDS_OK, paramKind: { apiVersion: "v1", kind: "ConfigMap" } };
  const paramRef = (action: string) => ({ name: "absent", namespace: "default", parameterNotFoundAction: action });
  await cluster.enforce("strict", spec, { paramRef: paramRef("Deny") });
  await cluster.enforce("lenient", spec, { paramRef: paramRef("Allow") });
  await cluster.enforce("careless", { ...spec, failurePolicy: "Ignore" }, { paramRef: paramRef("Deny") });
  await portOf(runWebhook());
  // Until params have been read, policies that fail closed refuse for that reason.
  await eventually(async () => {
    expect((await cluster.admit("strict")).message).toContain("no params found for policy binding with `Deny`");
    expect((await cluster.admit("lenient")).allowed).toBe(true);
  });
  expect((await cluster.admit("careless")).allowed).toBe(true);
  expect((await cluster.entry("careless")).failurePolicy).toBe("Ignore");
});

test("the webhook follows an API server that restarts without history; a killed webhook fails by failurePolicy", async () => {
  await cluster.enforce("closed", NEEDS_OK);
  await cluster.enforce("open", { ...NEEDS_OK, failurePolicy: "Ignore" });
  const child = runWebhook();
  await portOf(child);
  expect((await cluster.admit("closed")).allowed).toBe(false);
  const entry = await cluster.entry("closed");
  await cluster.stopServer();
  expect((await callEntry(entry, reviewOf({}))).code).toBe(200);
  await cluster.startServer();
  await cluster.changePolicy("closed", (changed) => {
    changed.validations[0].message = "still no ok";
  });
  await eventually(async () => expect((await cluster.admit("closed")).message).toContain("still no ok"));
  child.process.kill("SIGKILL");
  await child.ended;
  expect([(await cluster.admit("closed")).allowed, (await cluster.admit("open")).allowed]).toEqual([false, true]);
});

test("an external certificate is used and replaced under load without a failed request", async () => {
  const authority = await createAuthority(Date.now());
  const file = (name: string): string => path.join(folder, name);
  const write = (name: string, text: string): void => {
    writeFileSync(file(`${name}.new`), text);
    renameSync(file(`${name}.new`), file(name));
  };
  const renew = async (): Promise<string> => {
    const { cert, key } = await authority.issue({ commonName: "webhook", hosts: ["127.0.0.1"] });
    write("tls.key", key);
    write("tls.crt", cert);
    return cert;
  };
  write("ca.crt", authority.cert);
  await renew();
  await cluster.enforce("needs-ok", NEEDS_OK);
  const files = ["--tls-cert-file", file("tls.crt"), "--tls-private-key-file", file("tls.key")];
  const child = runWebhook(...files, "--tls-ca-file", file("ca.crt"));
  const entry = await cluster.entry("needs-ok");
  expect(Buffer.from(entry.clientConfig.caBundle, "base64").toString().trim()).toBe(authority.cert.trim());
  let isDone = false;
  const failures: string[] = [];
  const load = async (): Promise<void> => {
    while (!isDone) {
      const { code } = await callEntry(entry, reviewOf({})).catch((error: Error) => ({ code: error.message }));
      if (code !== 200) failures.push(String(code));
    }
  };
  const callers = [load(), load()];
  await renew();
  await child.until(/certificates: new files are in use/);
  write("tls.crt", "no certificate at all");
  await child.until(/certificates: .*(PEM|pem|certificate)/);
  isDone = true;
  await Promise.all(callers);
  expect(failures).toEqual([]);
  expect((await callEntry(entry, reviewOf({}))).code).toBe(200);
  const secret = await cluster.send("GET", `/api/v1/namespaces/${NAMESPACE}/secrets/${NAME}`);
  expect(secret.code).toBe(404);
});
