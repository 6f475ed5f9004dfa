import { expect, test } from "vitest";
import { readBinding } from "../../policy/binding.ts";
import { compiledPolicy } from "../../policy/compile.ts";
import { readPolicy } from "../../policy/policy.ts";
import { PolicySet } from "../../policy/policy-set.ts";
import { fromPlain } from "../../value/copy.ts";
import { isObject } from "../../value/json.ts";
import { costBound, LARGEST_REQUEST } from "./cost-bound.ts";
import { boundsOf } from "./expression-cost.ts";
import { valueAt } from "./polynomial.ts";

function policiesOf(...expressions: readonly string[]): PolicySet {
  const json = fromPlain({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      matchConstraints: { resourceRules: [] },
      validations: expressions.map((expression) => ({ expression })),
    },
  });
  const binding = fromPlain({ metadata: { name: "b" }, spec: { policyName: "p", validationActions: ["Deny"] } });
  if (!isObject(json) || !isObject(binding)) throw new Error("a policy is an object");
  return new PolicySet([readPolicy(json)], [readBinding(binding)]);
}

/** A pod whose lists have this many items each. */
function podOf(items: number) {
  const containers = Array.from({ length: items }, (_, at) => ({
    name: `c${at}`,
    image: "registry.example.com/team/app:1.0",
    imagePullPolicy: "IfNotPresent",
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    resources: {},
    ports: Array.from({ length: at === 0 ? items : 1 }, (_unused, port) => ({
      containerPort: port + 1,
      protocol: "TCP",
    })),
  }));
  const volumes = Array.from({ length: items }, (_, at) => ({ name: `v${at}`, hostPath: { path: "/", type: "" } }));
  return { metadata: { name: "p", labels: { a: "b" } }, spec: { containers, volumes } };
}

const EXPRESSIONS = [
  "object.metadata.name != 'x'",
  "object.spec.containers.all(c, c.image.startsWith('registry.example.com/'))",
  "object.spec.containers.all(c, c.image.matches('^[a-z.]+/[a-z]+/[a-z]+:[0-9.]+$'))",
  "object.spec.containers.all(c, c.ports.all(p, p.containerPort > 0))",
  "object.spec.containers.all(c, object.spec.containers.exists(d, d.name == c.name))",
  "object.spec.containers.map(c, c.image).filter(i, i.contains('team')).size() > 0",
  "object.spec.containers.all(c, c.name in object.spec.containers.map(d, d.name))",
  "object.spec.containers.all(c, c.image.split('/').all(p, p != 'x') && c.image.split('').size() > 1)",
  "object.spec.containers.all(c, ['x', 'y', 'z'].all(p, !c.image.endsWith(p)))",
  "object.spec.containers.all(c, c.image in ['a', 'b', 'registry.example.com/team/app:1.0'])",
  "(object.spec.containers + object.spec.?initContainers.orValue([])).filter(c, has(c.ports)).all(c, c.name != '')",
  "object.spec.volumes.all(v, object.spec.containers.all(c, c.ports.all(p, v.name != c.name && p.containerPort > 0)))",
  "object.spec.containers.all(c, object.spec.volumes.all(v, object.spec.volumes.exists(w, w == v) && c.name != v.name))",
  "object.spec.containers.map(c, c.name + c.image).exists(n, n.endsWith('x')) || true",
  "object.spec.containers.map(c, c.imagePullPolicy).all(p, p in ['Always', 'IfNotPresent'] && p != 'x')",
  "object.spec.containers.map(c, c.name).filter(n, n != 'x').map(n, n + 'y').all(n, !(n in ['a', 'b']) || n == 'c')",
  "(object.spec.containers.map(c, c.name) + object.spec.volumes.map(v, v.name)).all(n, n.startsWith('c') || n.startsWith('v'))",
  "has(object.spec.volumes) && object.metadata.labels.a == 'b' ? object.spec.volumes.all(v, v.hostPath.path == '/') : true",
];

function validationOf({ hooks: [hook] }: PolicySet) {
  return hook && compiledPolicy(hook.policy).validations[0];
}

/** What a validation costs at most for an object of this size. */
function valueBound(policies: PolicySet, size: number, hasParts: boolean): number {
  const expr = validationOf(policies)?.ast?.checked.expr;
  return expr === undefined ? 0 : valueAt(boundsOf(expr, () => undefined, { isBuiltin: true, hasParts }).cost, size);
}

const CASES = EXPRESSIONS.flatMap((each) => [[each, "whole objects", false] as const, [each, "parts", true] as const]);

test.each(CASES)("what it costs is within the bound: %s, by the size of %s", (expression, _by, hasParts) => {
  const policies = policiesOf(expression);
  const validation = validationOf(policies);
  for (const items of [1, 10, 40, 150]) {
    const object = podOf(items);
    const cost = validation?.program?.evaluate((name) => (name === "object" ? fromPlain(object) : undefined)).cost;
    expect(cost).toBeGreaterThan(0);
    expect(cost).toBeLessThanOrEqual(valueBound(policies, JSON.stringify(object).length, hasParts));
  }
});

test("disjoint parts of an object share its size", () => {
  const twice = costBound(policiesOf("object.spec.volumes.all(v, object.spec.volumes.all(w, v.name != w.name))"));
  const apart = costBound(policiesOf("object.spec.volumes.all(v, object.spec.containers.all(w, v.name != w.name))"));
  expect(apart).toBeGreaterThan(twice * 1.5);
});

test("a part and what contains it do not", () => {
  const policies = policiesOf("object.spec.all(v, object.spec.volumes.all(w, v != w))");
  expect(valueBound(policies, 10_000, true)).toBe(valueBound(policies, 10_000, false));
});

test("expressions without loops are bounded for every request", () => {
  expect(costBound(policiesOf("has(object.spec.replicas) && object.spec.replicas < 5"))).toBe(LARGEST_REQUEST);
});

test("a loop in a loop over the same list has a much smaller bound", () => {
  const single = costBound(policiesOf("object.spec.containers.all(c, c.name != 'x')"));
  const double = costBound(
    policiesOf("object.spec.containers.all(c, object.spec.containers.all(d, c.name != d.name || c == d))"),
  );
  expect(single).toBeGreaterThan(50_000);
  expect(double).toBeLessThan(single / 10);
});

test("loops over what the elements hold do not multiply", () => {
  const nested = costBound(policiesOf("object.spec.containers.all(c, c.ports.all(p, p.containerPort > 0))"));
  expect(nested).toBeGreaterThan(20_000);
});

test("policies that are the same on both sides do not count", () => {
  const expression = "object.spec.containers.all(c, object.spec.containers.all(d, c == d))";
  expect(costBound(policiesOf(expression), policiesOf(expression))).toBe(LARGEST_REQUEST);
});

test("what `map` returns has no more elements than what it reads", () => {
  const mapped = costBound(policiesOf("object.spec.containers.map(c, c.name + 'xxxxxxxx').all(n, n in ['a', 'b'])"));
  expect(mapped).toBeGreaterThan(100_000);
});

test("given params have a known size", () => {
  const policies = (): PolicySet => policiesOf("object.spec.containers.all(c, params.data.all(k, c.name != k))");
  const params = fromPlain({ data: { a: "b" } });
  if (!isObject(params)) throw new Error("params are an object");
  expect(costBound(policies(), undefined, () => [params])).toBeGreaterThan(costBound(policies()) * 5);
});
