import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { openClient } from "../app/app.testing.ts";
import { openAuthorizationFile } from "./authorization-file.ts";

const folder = mkdtempSync(path.join(tmpdir(), "authorization-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => path.join(folder, name);

const KUBECONFIG = at("hook.kubeconfig");
writeFileSync(
  KUBECONFIG,
  JSON.stringify({
    clusters: [{ name: "c", cluster: { server: "https://hooks.example.com/x", "insecure-skip-tls-verify": true } }],
    users: [{ name: "u", user: { username: "me", password: "secret" } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  }),
);

const configuration = (...authorizers: object[]): string =>
  JSON.stringify({ apiVersion: "apiserver.config.k8s.io/v1", kind: "AuthorizationConfiguration", authorizers });
const webhook = (parts: object = {}): object => ({
  timeout: "3s",
  subjectAccessReviewVersion: "v1",
  matchConditionSubjectAccessReviewVersion: "v1",
  failurePolicy: "Deny",
  connectionInfo: { type: "KubeConfigFile", kubeConfigFile: KUBECONFIG },
  ...parts,
});
const hook = (parts: object = {}): object => ({ type: "Webhook", name: "hook.example.com", webhook: webhook(parts) });

function parse(text: string) {
  return openAuthorizationFile({ file: at("unused"), version: "1.36" }).parse(text);
}

test("authorizers are read in their order, webhooks with their defaults", () => {
  expect(parse(configuration(hook(), { type: "Node", name: "node" }, { type: "RBAC", name: "rbac" }))).toEqual([
    {
      type: "Webhook",
      name: "hook.example.com",
      connection: {
        url: "https://hooks.example.com/x",
        isInsecure: true,
        user: { basic: { username: "me", password: "secret" } },
      },
      version: "v1",
      timeoutMs: 3000,
      authorizedTtl: 300_000,
      unauthorizedTtl: 30_000,
      failurePolicy: "Deny",
      matchConditions: [],
    },
    "Node",
    "RBAC",
  ]);
});

test.each([
  {
    name: "no authorizer",
    text: configuration(),
    error: "authorizers: Required value: at least one authorization mode must be defined",
  },
  {
    name: "another kind",
    text: '{"apiVersion":"v1","kind":"Pod"}',
    error: 'no kind "Pod" is registered for version "v1"',
  },
  {
    name: "an unknown field",
    text: configuration({ type: "RBAC", name: "rbac", x: 1 }),
    error: 'strict decoding error: unknown field "authorizers[0].x"',
  },
  {
    name: "an unknown type",
    text: configuration({ type: "X", name: "x" }),
    error:
      'authorizers[0].type: Unsupported value: "X": supported values: "ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"',
  },
  {
    name: "a type twice",
    text: configuration({ type: "RBAC", name: "rbac" }, { type: "RBAC", name: "b" }),
    error: 'authorizers[1].type: Duplicate value: "RBAC"',
  },
  {
    name: "another name",
    text: configuration({ type: "RBAC", name: "roles" }),
    error: "expected name rbac for authorizer RBAC instead of roles",
  },
  {
    name: "a webhook of RBAC",
    text: configuration({ type: "RBAC", name: "rbac", webhook: {} }),
    error: 'authorizers[0].webhook: Invalid value: "non-null": may only be specified when type=Webhook',
  },
  {
    name: "no webhook",
    text: configuration({ type: "Webhook", name: "a" }),
    error: "authorizers[0].webhook: Required value: required when type=Webhook",
  },
  {
    name: "a long timeout",
    text: configuration(hook({ timeout: "31s" })),
    error: 'authorizers[0].timeout: Invalid value: "31s": must be > 0s and <= 30s',
  },
  {
    name: "no such kubeconfig",
    text: configuration(hook({ connectionInfo: { type: "KubeConfigFile", kubeConfigFile: "/none" } })),
    error:
      'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "/none": error loading file: stat /none: no such file or directory',
  },
  {
    name: "a condition that is not a bool",
    text: configuration(hook({ matchConditions: [{ expression: "request.user" }] })),
    error:
      'authorizers[0].matchConditions[0].expression: Invalid value: "request.user": must evaluate to bool but got string',
  },
  {
    name: "a condition twice",
    text: configuration(hook({ matchConditions: [{ expression: "true" }, { expression: "true" }] })),
    error: 'authorizers[0].matchConditions[1].expression: Duplicate value: "true"',
  },
])("a configuration with $name is refused", ({ text, error }) => {
  expect(() => parse(text)).toThrow(error);
});

test("a changed file applies, and a wrong one leaves what is in force", async () => {
  const file = at("configuration.yaml");
  const write = (text: string): void => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  };
  write(configuration({ type: "AlwaysAllow", name: "alwaysallow" }, { type: "RBAC", name: "rbac" }));
  const authorizationFile = openAuthorizationFile({ file, version: "1.36" });
  const api = await openClient({ authorizationFile });
  const codeOf = async (): Promise<number> => (await api.get("/api/v1/nodes", { token: "alice" })).code;
  const metric = async (name: string): Promise<boolean> => (await api.app.metrics()).includes(name);
  expect(await codeOf()).toBe(200);
  write("wrong");
  const reloads = "apiserver_authorization_config_controller_automatic_reloads_total";
  await expect.poll(() => metric(reloads), { timeout: 5000 }).toBe(true);
  expect(await codeOf()).toBe(200);
  write(configuration({ type: "RBAC", name: "rbac" }));
  // A type that was there at the start is missing.
  await expect.poll(async () => / 2$/m.test(await metricsOf(api, reloads)), { timeout: 5000 }).toBe(true);
  expect(await codeOf()).toBe(200);
  write(configuration({ type: "RBAC", name: "rbac" }, { type: "AlwaysAllow", name: "alwaysallow" }, hook()));
  await expect.poll(async () => (await metricsOf(api, reloads)).includes("success"), { timeout: 5000 }).toBe(true);
  expect(await codeOf()).toBe(200);
  await api.app.close();
});

async function metricsOf(api: Awaited<ReturnType<typeof openClient>>, name: string): Promise<string> {
  return (await api.app.metrics())
    .split("\n")
    .filter((line) => line.startsWith(name))
    .join("\n");
}
