import { expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import { admitBySecurity, type PodSecurityRequest } from "./admit.ts";
import { checkInNamespace, checkPodSecurity, parseLevelVersion } from "./check.ts";
import { DEFAULT_CONFIGURATION, type PodSecurityConfiguration, readPodSecurityConfiguration } from "./configuration.ts";
import { warnOfPods } from "./namespace.ts";

function json(plain: unknown): JsonObject {
  const made = fromPlain(plain);
  return isObject(made) ? made : newObject();
}

const P = "pod-security.kubernetes.io/";
const labels = (own: object): JsonObject =>
  json({
    metadata: { name: "n", labels: Object.fromEntries(Object.entries(own).map(([key, value]) => [P + key, value])) },
  });

const bad = json({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "x" },
  spec: { hostNetwork: true, containers: [{ name: "a", image: "i" }] },
});
const deployment = json({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d" },
  spec: { template: { spec: { hostPID: true, containers: [] } } },
});

function request(more: Partial<PodSecurityRequest> = {}): PodSecurityRequest {
  return {
    group: "",
    resource: "pods",
    subresource: "",
    operation: "CREATE",
    name: "x",
    namespace: "n",
    username: "me",
    object: bad,
    old: undefined,
    ...more,
  };
}

function admit(own: object, more: Partial<PodSecurityRequest> = {}, configuration = DEFAULT_CONFIGURATION) {
  return admitBySecurity(request(more), labels(own), { configuration, serverMinor: 36 });
}

test("a pod that violates the enforced level is refused", () => {
  const { error, auditAnnotations, warnings } = admit({ enforce: "baseline", "enforce-version": "v1.30" });
  expect([error?.code, error?.message]).toEqual([
    403,
    'pods "x" is forbidden: violates PodSecurity "baseline:v1.30": host namespaces (hostNetwork=true)',
  ]);
  expect(auditAnnotations).toEqual({ [`${P}enforce-policy`]: "baseline:v1.30" });
  expect(warnings).toEqual([]);
});

test("a pod that violates other levels is audited and warned about", () => {
  const { error, auditAnnotations, warnings } = admit({ audit: "baseline", warn: "baseline" });
  const text = 'would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)';
  expect(error).toBeUndefined();
  expect(warnings).toEqual([text]);
  expect(auditAnnotations).toEqual({ [`${P}enforce-policy`]: "privileged:latest", [`${P}audit-violations`]: text });
});

test("a template is never refused, but warned about at the level that is enforced", () => {
  const { error, warnings } = admit(
    { enforce: "baseline" },
    { group: "apps", resource: "deployments", object: deployment },
  );
  expect(error).toBeUndefined();
  expect(warnings).toEqual(['would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)']);
});

test("a level that cannot be read is the strictest for enforce, and noted in the audit", () => {
  const { error, auditAnnotations } = admit({ enforce: "strict" });
  expect(error?.message).toContain('violates PodSecurity "restricted:latest"');
  expect(auditAnnotations[`${P}error`]).toContain(
    "Failed to parse policy: metadata.labels[pod-security.kubernetes.io/enforce]",
  );
});

test.each(["exec", "status", "eviction"])("the subresource %s is not checked", (subresource) => {
  expect(admit({ enforce: "restricted" }, { subresource })).toMatchObject({ error: undefined, auditAnnotations: {} });
});

test("an update is checked only if it changes an image or adds a container", () => {
  const same = { operation: "UPDATE", old: bad } as const;
  expect(admit({ enforce: "baseline" }, same).error).toBeUndefined();
  const old = json({ spec: { containers: [{ name: "a", image: "other" }] } });
  expect(admit({ enforce: "baseline" }, { ...same, old }).error?.code).toBe(403);
  const ephemeral = json({
    ...bad,
    spec: { hostPID: true, containers: [{ name: "a", image: "i" }], ephemeralContainers: [{ name: "e" }] },
  });
  expect(
    admit({ enforce: "baseline" }, { ...same, object: ephemeral, subresource: "ephemeralcontainers" }).error?.code,
  ).toBe(403);
});

const exempting: PodSecurityConfiguration = {
  ...DEFAULT_CONFIGURATION,
  exemptions: { usernames: ["root"], namespaces: ["kube-system"], runtimeClasses: ["vm"] },
};

test.each([
  { reason: "user", more: { username: "root" } },
  { reason: "namespace", more: { namespace: "kube-system" } },
  { reason: "runtimeClass", more: { object: json({ spec: { runtimeClassName: "vm", hostNetwork: true } }) } },
])("a $reason may be exempt", ({ reason, more }) => {
  const verdict = admit({ enforce: "restricted" }, more, exempting);
  expect(verdict).toMatchObject({ error: undefined, auditAnnotations: { [`${P}exempt`]: reason } });
  expect(verdict.observations).toEqual([{ type: "exemption" }]);
});

const namespaces = { resource: "namespaces", name: "n" };

test("labels of a namespace must be valid", () => {
  const { error } = admit({}, { ...namespaces, object: labels({ enforce: "x", "warn-version": "v2" }) });
  expect([error?.code, error?.message]).toEqual([
    422,
    'Namespace "n" is invalid: [metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "x": must be one of privileged, baseline, restricted, metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "v2": must be "latest" or "v1.x"]',
  ]);
});

test("invalid labels that were stored before are allowed on update", () => {
  const same = labels({ enforce: "x" });
  expect(admit({}, { ...namespaces, operation: "UPDATE", object: same, old: same }).error).toBeUndefined();
});

test.each([
  { name: "a stricter level", old: {}, own: { enforce: "baseline" }, isChecked: true },
  {
    name: "another version",
    old: { enforce: "baseline" },
    own: { enforce: "baseline", "enforce-version": "v1.1" },
    isChecked: true,
  },
  { name: "a laxer level", old: { enforce: "restricted" }, own: { enforce: "baseline" }, isChecked: false },
  { name: "no level", old: { enforce: "restricted" }, own: {}, isChecked: false },
  {
    name: "another label",
    old: { enforce: "restricted" },
    own: { enforce: "restricted", audit: "baseline" },
    isChecked: false,
  },
])("with $name, pods that are there are checked: $isChecked", ({ old, own, isChecked }) => {
  const verdict = admit({}, { ...namespaces, operation: "UPDATE", object: labels(own), old: labels(old) });
  expect(verdict.podsAgainst !== undefined).toBe(isChecked);
});

test("pods with the same violations share one warning", () => {
  const pods = ["c", "a", "b"].map((name) => json({ metadata: { name }, spec: { hostPID: true } }));
  const warn = (hasTime: () => boolean): string[] =>
    warnOfPods(
      pods,
      "n",
      { level: "baseline", version: "latest" },
      { configuration: exempting, serverMinor: 36, hasTime },
    );
  expect(warn(() => true)).toEqual([
    'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
    "a (and 2 other pods): host namespaces",
  ]);
  expect(warn(() => false)[0]).toBe(
    "new PodSecurity enforce level only checked against the first 1 of 3 existing pods",
  );
});

test("a policy on an exempt namespace is warned about", () => {
  const own = json({
    metadata: { name: "kube-system", labels: { [`${P}enforce`]: "baseline", [`${P}audit`]: "restricted" } },
  });
  const { warnings } = admit(
    {},
    { ...namespaces, name: "kube-system", namespace: "kube-system", object: own },
    exempting,
  );
  expect(warnings).toEqual([
    'namespace "kube-system" is exempt from Pod Security, and the policy (enforce=baseline:latest, audit=restricted:latest) will be ignored',
  ]);
});

test("a configuration sets defaults and is validated", () => {
  const read = readPodSecurityConfiguration(json({ defaults: { enforce: "baseline", "enforce-version": "v1.30" } }));
  expect(read).toMatchObject({ configuration: { defaults: { enforce: { level: "baseline", version: 30 } } } });
  const wrong = { defaults: { warn: "x" }, exemptions: { namespaces: ["a", "a", "A"], usernames: [""] } };
  const { errors = [] } = readPodSecurityConfiguration(json(wrong));
  expect(errors.map(({ path, type }) => `${path} ${type}`)).toEqual([
    "defaults.warn FieldValueInvalid",
    "exemptions.namespaces[1] FieldValueDuplicate",
    "exemptions.namespaces[2] FieldValueInvalid",
    "exemptions.usernames[0] FieldValueInvalid",
  ]);
});

test("an object from a file is checked at a level, or in its namespace", () => {
  const policy = parseLevelVersion("baseline:v1.30");
  expect(policy).toEqual({ level: "baseline", version: 30 });
  expect(checkPodSecurity(deployment, { policy: { level: "baseline", version: 30 }, serverMinor: 36 })).toEqual([
    'violates PodSecurity "baseline:v1.30": host namespaces (hostPID=true)',
  ]);
  expect(checkInNamespace(bad, labels({ enforce: "baseline" }), { serverMinor: 36 })?.violation).toContain(
    "hostNetwork",
  );
  expect(
    checkInNamespace(json({ kind: "ConfigMap", apiVersion: "v1" }), labels({}), { serverMinor: 36 }),
  ).toBeUndefined();
  expect(parseLevelVersion("strict")).toBeUndefined();
});
