import { expect, test } from "vitest";
import { isObject, type JsonObject } from "../value/json.ts";
import { metaText } from "../value/metadata.ts";
import { asServer, KUBERNETES_VERSIONS, type KubernetesVersion } from "../value/server-version.ts";
import { bootstrapPolicy } from "./bootstrap.ts";
import { readRole } from "./objects.ts";

/** The numbers of objects in the testdata of bootstrappolicy. */
test.each([
  ["1.30", 64, 45, 7, 7],
  ["1.32", 64, 45, 7, 7],
  ["1.33", 66, 47, 7, 7],
  ["1.36", 69, 50, 7, 7],
  ["1.37", 73, 54, 7, 7],
] as const)("%s has upstream's roles and bindings", (version, clusterRoles, clusterBindings, roles, bindings) => {
  const policy = asServer({ version }, bootstrapPolicy);
  expect(Object.values(policy).map(({ length }) => length)).toEqual([clusterRoles, clusterBindings, roles, bindings]);
});

test.each(KUBERNETES_VERSIONS)("%s: each role that is bound exists, and each rule can be read", (version) => {
  const policy = asServer({ version }, bootstrapPolicy);
  const names = (objects: readonly JsonObject[]) =>
    new Set(objects.map((object) => `${metaText(object, "namespace")}/${metaText(object, "name")}`));
  const [clusterRoles, roles] = [names(policy.clusterroles), names(policy.roles)];
  for (const binding of [...policy.clusterrolebindings, ...policy.rolebindings]) {
    const { kind, name } = isObject(binding["roleRef"]) ? binding["roleRef"] : {};
    const found =
      kind === "Role" ? roles.has(`${metaText(binding, "namespace")}/${name}`) : clusterRoles.has(`/${name}`);
    expect([name, found]).toEqual([name, true]);
  }
  for (const rule of [...policy.clusterroles, ...policy.roles].flatMap((role) => readRole(role).rules)) {
    expect(rule.verbs.length).toBeGreaterThan(0);
    expect(rule.resources.length > 0 ? rule.apiGroups.length : rule.nonResourceURLs.length).toBeGreaterThan(0);
  }
});

test("rules follow feature gates", () => {
  const canAttest = (version: KubernetesVersion, isOn: boolean) => {
    const featureGates = new Map([["ClusterTrustBundle", isOn]]);
    const { clusterroles } = asServer({ version, featureGates }, bootstrapPolicy);
    return clusterroles.some((role) => metaText(role, "name") === "system:cluster-trust-bundle-discovery");
  };
  expect([canAttest("1.36", false), canAttest("1.36", true), canAttest("1.37", false)]).toEqual([false, true, false]);
});

test("the URLs of monitoring depend on two gates", () => {
  const urls = (version: KubernetesVersion, gates: Record<string, boolean>) => {
    const rules = { version, featureGates: new Map(Object.entries(gates)) };
    const role = asServer(rules, bootstrapPolicy).clusterroles.find(
      (each) => metaText(each, "name") === "system:monitoring",
    );
    return role === undefined ? [] : readRole(role).rules.flatMap((rule) => rule.nonResourceURLs);
  };
  expect(urls("1.36", {})).toEqual(expect.arrayContaining(["/flagz", "/statusz"]));
  expect(urls("1.36", { ComponentFlagz: false })).not.toContain("/flagz");
  expect(urls("1.35", {})).toEqual(expect.arrayContaining(["/metrics"]));
  expect(urls("1.35", {})).not.toContain("/statusz");
});
