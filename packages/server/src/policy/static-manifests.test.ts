import { afterEach, describe, expect, test } from "vitest";
import { type Client, openClient } from "../app/app.testing.ts";
import type { StaticManifests, StaticPlugin } from "./static-manifests.ts";

let api: Client | undefined;

afterEach(() => api?.app.close());

const policy = (name: string, resource = "configmaps", group = ""): string => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: ["${group}"], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [${resource}]}
  validations:
  - {expression: "!object.metadata.name.startsWith('bad')", message: from a file}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec: {policyName: ${name}, validationActions: [Deny]}
`;

interface Folder extends StaticManifests {
  text: string;
  changed: () => void;
}

function folder(text: string, plugin: StaticPlugin = "ValidatingAdmissionPolicy"): Folder {
  const self: Folder = {
    plugin,
    directory: "/manifests",
    text,
    changed: () => {},
    read: () => [{ path: "/manifests/a.yaml", text: self.text }],
    watch: (changed) => {
      self.changed = changed;
      return () => {};
    },
  };
  return self;
}

const MAPS = "/api/v1/namespaces/default/configmaps";
const GATES = { ManifestBasedAdmissionControlConfig: true };
const POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";

const open = async (text: string): Promise<Folder> => {
  const manifests = folder(text);
  api = await openClient({ staticManifests: [manifests], gates: GATES });
  return manifests;
};

describe("a policy from a file", () => {
  test("is enforced, and not visible in the API", async () => {
    await open(policy("p.static.k8s.io"));
    const refused = await api?.post(MAPS, { metadata: { name: "bad" } });
    expect(refused?.code).toBe(422);
    expect(refused?.json.message).toContain("ValidatingAdmissionPolicy 'p.static.k8s.io'");
    expect((await api?.post(MAPS, { metadata: { name: "good" } }))?.code).toBe(201);
    expect((await api?.get(POLICIES))?.json.items).toEqual([]);
  });

  test("applies to policies too", async () => {
    await open(policy("p.static.k8s.io", "validatingadmissionpolicies", "admissionregistration.k8s.io"));
    const spec = {
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
      },
      validations: [{ expression: "true" }],
    };
    expect((await api?.post(POLICIES, { metadata: { name: "bad" }, spec }))?.json.message).toContain("from a file");
    expect((await api?.post(POLICIES, { metadata: { name: "good" }, spec }))?.code).toBe(201);
  });

  test("is read again when the file changes; an error leaves it in force", async () => {
    const manifests = await open(policy("p.static.k8s.io"));
    const change = async (text: string): Promise<number | undefined> => {
      manifests.text = text;
      manifests.changed();
      await new Promise((resolve) => setTimeout(resolve, 20));
      return (await api?.post(`${MAPS}?dryRun=All`, { metadata: { name: "bad" } }))?.code;
    };
    expect(await change("kind: [")).toBe(422);
    expect(await change("")).toBe(201);
  });

  test("has a name that the API refuses", async () => {
    await open("");
    const { json } = (await api?.post(POLICIES, {
      metadata: { name: "x.static.k8s.io" },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
        },
        validations: [{ expression: "true" }],
      },
    })) ?? { json: undefined };
    expect(json.message).toBe(
      'ValidatingAdmissionPolicy.admissionregistration.k8s.io "x.static.k8s.io" is invalid: metadata.name: Invalid value: "x.static.k8s.io": names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API',
    );
  });
});

describe("a file is refused at the start", () => {
  const PREFIX =
    'failed to initialize admission plugin "ValidatingAdmissionPolicy": failed to load static policy manifests from "/manifests": ';
  test.each([
    {
      name: "a name without the suffix",
      text: policy("p"),
      problem:
        'error loading /manifests/a.yaml: "p" in file "/manifests/a.yaml" must have a name ending with ".static.k8s.io"',
    },
    {
      name: "a name that is there twice",
      text: `${policy("p.static.k8s.io")}---${policy("p.static.k8s.io")}`,
      problem:
        'error loading /manifests/a.yaml: duplicate name "p.static.k8s.io" found in file "/manifests/a.yaml" (previously seen in "/manifests/a.yaml")',
    },
    {
      name: "an invalid policy",
      text: "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: noname}, spec: {}}",
      problem:
        'error loading /manifests/a.yaml: ValidatingAdmissionPolicy "noname": [spec.matchConstraints: Required value, spec.validations: Required value: validations or auditAnnotations must contain at least one item, spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item]',
    },
    {
      name: "a binding without its policy",
      text: policy("p.static.k8s.io").split("---")[1] ?? "",
      problem:
        'binding "p.static.k8s.io" references policy "p.static.k8s.io" which does not exist in the manifest directory',
    },
    {
      name: "another kind",
      text: "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}",
      problem: 'error loading /manifests/a.yaml: no kind "ConfigMap" is registered for version "v1"',
    },
  ])("$name", async ({ text, problem }) => {
    await expect(openClient({ staticManifests: [folder(text)], gates: GATES })).rejects.toThrow(PREFIX + problem);
    api = undefined;
  });

  test("a webhook that names a service", async () => {
    const text = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: w.static.k8s.io}
webhooks:
- name: a.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {name: s, namespace: ns}}
`;
    const manifests = folder(text, "ValidatingAdmissionWebhook");
    await expect(openClient({ staticManifests: [manifests], gates: GATES })).rejects.toThrow(
      'webhook "a.example.com" in "w.static.k8s.io" (file "/manifests/a.yaml"): clientConfig.service is not supported for static manifests; use clientConfig.url instead',
    );
    api = undefined;
  });
});

test("plugins can be disabled and enabled", async () => {
  api = await openClient({
    admissionPlugins: { disable: ["NamespaceLifecycle"], enable: ["AlwaysPullImages"] },
    staticManifests: [],
  });
  expect((await api.post("/api/v1/namespaces/missing/configmaps", { metadata: { name: "a" } })).code).toBe(201);
  const spec = { containers: [{ name: "c", image: "i:1" }] };
  const { json } = await api.post("/api/v1/namespaces/default/pods", { metadata: { name: "p" }, spec });
  expect(json.spec.containers[0].imagePullPolicy).toBe("Always");
});

test("a resource that is not served is not found", async () => {
  api = await openClient({ servesResource: (_, __, plural) => plural !== "secrets" });
  expect((await api.get("/api/v1/namespaces/default/secrets")).code).toBe(404);
  expect((await api.get(MAPS)).code).toBe(200);
});
