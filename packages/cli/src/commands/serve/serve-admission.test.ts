import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readAdmission } from "./serve-admission.ts";
import { readRuntimeConfig } from "./serve-runtime-config.ts";

const folder = mkdtempSync(path.join(tmpdir(), "portcullis-admission-"));
afterAll(() => rmSync(folder, { recursive: true }));

const PLAIN = { enable: [], disable: [], configFile: undefined, allowsManifests: false };
const HEAD = "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n";

function read(plugins: string, options: object = {}): ReturnType<typeof readAdmission> {
  const configFile = path.join(folder, "config.yaml");
  writeFileSync(configFile, plugins);
  return readAdmission({ ...PLAIN, configFile, ...options });
}

const plugin = (name: string, kind: string, fields: object): string =>
  `${HEAD}- ${JSON.stringify({ name, configuration: { apiVersion: versionOf(kind), kind, ...fields } })}\n`;

const versionOf = (kind: string): string =>
  kind === "PodSecurityConfiguration" ? "pod-security.admission.config.k8s.io/v1" : "apiserver.config.k8s.io/v1";

describe("a configuration file", () => {
  test("sets the defaults of Pod Security", () => {
    const { podSecurity } = read(
      plugin("PodSecurity", "PodSecurityConfiguration", {
        defaults: { enforce: "baseline" },
        exemptions: { namespaces: ["kube-system"] },
      }),
    );
    expect(podSecurity).toMatchObject({
      defaults: { enforce: { level: "baseline", version: "latest" } },
      exemptions: { namespaces: ["kube-system"] },
    });
  });

  test("limits resources", () => {
    const limitedResources = [{ resource: "persistentvolumeclaims", matchContains: ["gold.storageclass"] }];
    expect(read(plugin("ResourceQuota", "ResourceQuotaConfiguration", { limitedResources }))).toMatchObject({
      limitedResources: [{ group: "", plural: "persistentvolumeclaims", matchContains: ["gold.storageclass"] }],
    });
  });

  test("is not read for a plugin that is disabled", () => {
    const text = plugin("PodSecurity", "PodSecurityConfiguration", { defaults: { enforce: "bad" } });
    expect(read(text, { disable: ["PodSecurity"] }).podSecurity).toBeUndefined();
  });

  test("names a folder of manifests, with the gate only", () => {
    const text = plugin("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyConfiguration", {
      staticManifestsDir: folder,
    });
    expect(read(text, { allowsManifests: true }).staticManifests).toMatchObject([{ directory: folder }]);
    expect(() => read(text)).toThrow(
      'failed to apply admission: couldn\'t init admission plugin "ValidatingAdmissionPolicy": staticManifestsDir: Forbidden: staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled',
    );
  });

  test.each([
    {
      name: "an unknown field",
      text: plugin("PodSecurity", "PodSecurityConfiguration", { foo: 1 }),
      problem: 'couldn\'t init admission plugin "PodSecurity": strict decoding error: unknown field "foo"',
    },
    {
      name: "an unknown level",
      text: plugin("PodSecurity", "PodSecurityConfiguration", { defaults: { enforce: "bad" } }),
      problem: 'couldn\'t init admission plugin "PodSecurity": defaults.enforce: Invalid value: "bad"',
    },
    {
      name: "another kind",
      text: "apiVersion: apiserver.config.k8s.io/v1\nkind: X\n",
      problem: 'failed to read plugin config: no kind "X" is registered for version "apiserver.config.k8s.io/v1"',
    },
    {
      name: "a folder that is not there",
      text: plugin("MutatingAdmissionPolicy", "MutatingAdmissionPolicyConfiguration", { staticManifestsDir: "/nodir" }),
      problem:
        'couldn\'t init admission plugin "MutatingAdmissionPolicy": staticManifestsDir: Invalid value: "/nodir": unable to read: stat /nodir: no such file or directory',
    },
    {
      name: "a limited resource without a name",
      text: plugin("ResourceQuota", "ResourceQuotaConfiguration", { limitedResources: [{}] }),
      problem: 'couldn\'t init admission plugin "ResourceQuota": limitedResources[0].resource: Required value',
    },
    {
      name: "credentials for webhooks in a relative file",
      text: plugin("ValidatingAdmissionWebhook", "WebhookAdmissionConfiguration", { kubeConfigFile: "x" }),
      problem:
        'couldn\'t init admission plugin "ValidatingAdmissionWebhook": kubeConfigFile: Invalid value: "x": must be an absolute file path',
    },
  ])("with $name is refused", ({ text, problem }) => {
    expect(() => read(text, { allowsManifests: true })).toThrow(`failed to apply admission: ${problem}`);
  });

  test("that is not there is refused", () => {
    expect(() => readAdmission({ ...PLAIN, configFile: "/nope.yaml" })).toThrow(
      'failed to apply admission: failed to read plugin config: unable to read admission control configuration from "/nope.yaml" [open /nope.yaml: no such file or directory]',
    );
  });
});

test("the users of a kubeconfig identify the server to webhooks", () => {
  const kubeConfigFile = path.join(folder, "webhooks.yaml");
  writeFileSync(
    kubeConfigFile,
    'users:\n- {name: "*.example.com", user: {token: a}}\n- {name: me, user: {username: u, password: p}}\n' +
      "contexts:\n- {name: c, context: {user: me}}\ncurrent-context: c\n",
  );
  const { webhookCredentials } = read(
    plugin("MutatingAdmissionWebhook", "WebhookAdmissionConfiguration", { kubeConfigFile }),
  );
  expect(webhookCredentials).toEqual({
    mutating: {
      users: new Map<string, object>([
        ["*.example.com", { token: "a" }],
        ["me", { basic: { username: "u", password: "p" } }],
      ]),
      current: "me",
    },
  });
});

test("event limits are read, and required by their plugin", () => {
  const enable = ["EventRateLimit"];
  const configuration = (limits: object[]) =>
    `${HEAD}- ${JSON.stringify({
      name: "EventRateLimit",
      configuration: { apiVersion: "eventratelimit.admission.k8s.io/v1alpha1", kind: "Configuration", limits },
    })}\n`;
  expect(read(configuration([{ type: "User", qps: 1, burst: 5 }]), { enable }).eventLimits).toEqual([
    { type: "User", qps: 1, burst: 5, cacheSize: 0 },
  ]);
  expect(() => read(configuration([{ type: "X", qps: 1 }]), { enable })).toThrow(
    '[limits[0].type: Unsupported value: "X": supported values: "Namespace", "Server", "SourceAndObject", "User", limits[0].burst: Invalid value: 0: must be positive]',
  );
  expect(() => read(configuration([]), { enable })).toThrow("limits: Invalid value: []: must not be empty");
  expect(() => readAdmission({ ...PLAIN, enable })).toThrow(
    'failed to apply admission: couldn\'t init admission plugin "EventRateLimit": limits: Invalid value: null: must not be empty',
  );
});

test("the configuration of a plugin that does not exist is ignored", () => {
  expect(read(plugin("NoSuchPlugin", "Any", {})).admissionPlugins).toEqual({ enable: [], disable: [] });
});

describe("--runtime-config", () => {
  test.each([
    { pairs: ["apps/v1=false"], resource: ["apps", "v1", "deployments"] as [string, string, string], isServed: false },
    { pairs: ["apps/v1=false"], resource: ["", "v1", "pods"] as [string, string, string], isServed: true },
    { pairs: ["api/all=false", "v1=true"], resource: ["", "v1", "pods"] as [string, string, string], isServed: true },
    {
      pairs: ["api/all=false", "v1=true"],
      resource: ["apps", "v1", "deployments"] as [string, string, string],
      isServed: false,
    },
    {
      pairs: ["batch/v1/cronjobs=false"],
      resource: ["batch", "v1", "jobs"] as [string, string, string],
      isServed: true,
    },
    {
      pairs: ["batch/v1/cronjobs=false"],
      resource: ["batch", "v1", "cronjobs"] as [string, string, string],
      isServed: false,
    },
  ])("$pairs serves $resource: $isServed", ({ pairs, resource, isServed }) => {
    expect(readRuntimeConfig(pairs).servesResource(...resource)).toBe(isServed);
  });

  test.each([
    { pair: "foo", message: "runtime-config invalid key foo" },
    { pair: "foo/v1=true", message: "unknown api groups foo/v1" },
    { pair: "api/all=maybe", message: "invalid value api/all=maybe" },
  ])("$pair is refused", ({ pair, message }) => {
    expect(() => readRuntimeConfig([pair])).toThrow(message);
  });
});
