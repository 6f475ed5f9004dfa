import { describe, expect, test } from "vitest";
import { check } from "./check.ts";
import { runCommand } from "./commands.testing.ts";
import { policyEval } from "./policy/policy-eval.ts";

const namespace = (labels: string): string => `apiVersion: v1
kind: Namespace
metadata: {name: team, labels: {${labels}}}
`;

const POD = `apiVersion: v1
kind: Pod
metadata: {name: debug, namespace: team}
spec: {hostPID: true, containers: [{name: a, image: busybox}]}
`;

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: team}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec: {hostPID: true, containers: [{name: a, image: busybox}]}
`;

const WEBHOOKS = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guards}
webhooks:
- name: pods.example.com
  clientConfig: {url: "https://127.0.0.1/"}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  admissionReviewVersions: [v1]
  sideEffects: None
- name: maps.example.com
  clientConfig: {url: "https://127.0.0.1/"}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  admissionReviewVersions: [v1]
  sideEffects: None
`;

describe("Pod Security", () => {
  test("a pod is denied by the labels of its namespace, wherever it is among the inputs", async () => {
    const files = { "a.yaml": POD, "b.yaml": namespace("pod-security.kubernetes.io/enforce: baseline") };
    const { code, stdout } = await runCommand(check, ["@/a.yaml", "@/b.yaml"], files);
    expect(code).toBe(1);
    expect(stdout).toContain("a.yaml:1:1  error  pod-security/deny  v1 Pod team/debug");
    expect(stdout).toContain(
      'pods "debug" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostPID=true)',
    );
  });

  test("a template is warned of", async () => {
    const files = { "a.yaml": DEPLOYMENT, "b.yaml": namespace("pod-security.kubernetes.io/warn: baseline") };
    const { code, stdout } = await runCommand(check, ["@/a.yaml", "@/b.yaml"], files);
    expect(code).toBe(0);
    expect(stdout).toContain("a.yaml:1:1  warning  pod-security/warn  apps/v1 Deployment team/web");
    expect(stdout).toContain('would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)');
  });

  test("a level of the command line counts where a namespace has no labels", async () => {
    const files = { "a.yaml": POD, "b.yaml": namespace("pod-security.kubernetes.io/enforce: privileged") };
    const args = ["--pod-security", "baseline:v1.30"];
    const alone = await runCommand(check, ["@/a.yaml", ...args], files);
    expect(alone.stdout).toContain('violates PodSecurity "baseline:v1.30"');
    const labelled = await runCommand(check, ["@/a.yaml", "@/b.yaml", ...args], files);
    expect(labelled.stdout).not.toContain("pod-security/deny");
    expect(labelled.code).toBe(0);
  });

  test("a label that is not a level is an error of the namespace", async () => {
    const files = { "b.yaml": namespace("pod-security.kubernetes.io/enforce: strict") };
    const { code, stdout } = await runCommand(check, ["@/b.yaml"], files);
    expect(code).toBe(1);
    expect(stdout).toContain("must be one of privileged, baseline, restricted");
  });

  test("a level that does not exist is a usage error", async () => {
    const run = runCommand(check, ["@/a.yaml", "--pod-security", "strict"], { "a.yaml": POD });
    await expect(run).rejects.toThrow("`--pod-security strict` is not a level");
  });
});

describe("webhook configurations among the inputs", () => {
  const files = { "pod.yaml": POD, "webhooks.yaml": WEBHOOKS };

  test("check shows which webhooks would be asked, if wanted", async () => {
    const quiet = await runCommand(check, ["@/pod.yaml", "@/webhooks.yaml"], files);
    expect(quiet.stdout).toBe("2 objects, 2 files: 0 errors, 0 warnings\n");
    const { code, stdout } = await runCommand(check, ["@/pod.yaml", "@/webhooks.yaml", "--show", "webhooks"], files);
    expect(code).toBe(0);
    expect(stdout).toContain("pod.yaml:1:1  note  webhook/asked  v1 Pod team/debug");
    expect(stdout).toContain("would ask the validating webhook pods.example.com (guards)");
    expect(stdout).not.toContain("maps.example.com");
  });

  test("policy eval prints which webhooks would be asked, and with --explain the others", async () => {
    const args = ["@/webhooks.yaml", "--object", "@/pod.yaml"];
    const { code, stdout } = await runCommand(policyEval, args, files);
    expect(code).toBe(0);
    expect(stdout).toContain("  would ask the validating webhook pods.example.com (guards)");
    expect(stdout).not.toContain("maps.example.com");
    const explained = await runCommand(policyEval, [...args, "--explain"], files);
    expect(explained.stdout).toContain("  would not ask the validating webhook maps.example.com (guards)");
  });
});
