import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { readAuthorization } from "./serve-authorization.ts";
import { parseKubeFlags } from "./serve-kube-flags.ts";

const folder = mkdtempSync(path.join(tmpdir(), "authorization-"));
afterAll(() => rmSync(folder, { recursive: true }));

const POLICIES = path.join(folder, "policies.jsonl");
writeFileSync(POLICIES, '{"user":"alice"}\n');
const KUBECONFIG = path.join(folder, "kubeconfig");
writeFileSync(
  KUBECONFIG,
  JSON.stringify({
    clusters: [{ name: "c", cluster: { server: "https://hooks.example.com/x" } }],
    contexts: [{ name: "x", context: { cluster: "c" } }],
    "current-context": "x",
  }),
);

const read = (...flags: string[]) => readAuthorization(parseKubeFlags(flags), "1.36");

test("modes are kept in their order", () => {
  const { authorizationModes = [] } = read(
    "--authorization-mode=Node,Webhook,ABAC,RBAC",
    `--authorization-policy-file=${POLICIES}`,
    `--authorization-webhook-config-file=${KUBECONFIG}`,
    "--authorization-webhook-version=v1",
    "--authorization-webhook-cache-authorized-ttl=1m",
  );
  expect(authorizationModes.map((mode) => (typeof mode === "string" ? mode : mode.type))).toEqual([
    "Node",
    "Webhook",
    "ABAC",
    "RBAC",
  ]);
  expect(authorizationModes[1]).toMatchObject({
    connection: { url: "https://hooks.example.com/x" },
    version: "v1",
    timeoutMs: 30_000,
    authorizedTtl: 60_000,
    unauthorizedTtl: 30_000,
    failurePolicy: "NoOpinion",
  });
});

test("without a mode everything is allowed", () => {
  expect(read()).toEqual({ authorizationModes: ["AlwaysAllow"] });
});

test.each([
  [["--authorization-mode=X"], 'authorization-mode "X" is not a valid mode'],
  [["--authorization-mode=ABAC"], "authorization-mode ABAC's authorization policy file not passed"],
  [["--authorization-mode=Webhook"], "authorization-mode Webhook's authorization config file not passed"],
  [["--authorization-policy-file=/x"], "cannot specify --authorization-policy-file without mode ABAC"],
  [
    ["--authorization-webhook-config-file=/x"],
    "cannot specify --authorization-webhook-config-file without mode Webhook",
  ],
  [["--authorization-mode=RBAC,RBAC"], 'authorization-mode ["RBAC" "RBAC"] has mode specified more than once'],
  [["--authorization-config=/x", "--authorization-mode=RBAC"], "--authorization-config can not be specified when"],
])("%j is refused as upstream does", (flags, message) => {
  expect(() => read(...flags)).toThrow(message);
});
