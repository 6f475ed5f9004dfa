import { expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import { reconciled } from "./reconcile.ts";

const json = (data: object): JsonObject => {
  const value = fromPlain(data);
  if (!isObject(value)) throw new Error("not an object");
  return value;
};
const meta = { name: "r", labels: { a: "1" }, annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" } };
const rule = (verbs: string[], resources: string[]) => ({ apiGroups: [""], resources, verbs });
const role = json({ metadata: meta, rules: [rule(["get", "list"], ["pods", "nodes"])] });
const binding = json({ metadata: meta, roleRef: { name: "r" }, subjects: [{ kind: "Group", name: "g" }] });

test("an object that has everything is left as it is", () => {
  expect(reconciled(role, role)).toBe(role);
  const wider = json({ metadata: { ...meta, labels: { a: "other" } }, rules: [rule(["*"], ["*"])] });
  expect(reconciled(wider, role)).toBe(wider);
});

test("missing rules are added one by one, and others stay", () => {
  const existing = json({ metadata: meta, rules: [rule(["get"], ["pods", "nodes"]), rule(["watch"], ["pods"])] });
  expect(reconciled(existing, role)).toMatchObject({
    rules: [
      rule(["get"], ["pods", "nodes"]),
      rule(["watch"], ["pods"]),
      rule(["list"], ["pods"]),
      rule(["list"], ["nodes"]),
    ],
  });
});

test("missing labels and annotations are added", () => {
  const existing = json({ metadata: { name: "r", labels: { b: "2" } }, rules: role["rules"] ?? null });
  expect(reconciled(existing, role)).toMatchObject({ metadata: { ...meta, labels: { a: "1", b: "2" } } });
});

test("an object with autoupdate false is left alone", () => {
  const annotations = { "rbac.authorization.kubernetes.io/autoupdate": "false" };
  const existing = json({ metadata: { name: "r", annotations }, rules: [] });
  expect(reconciled(existing, role)).toBe(existing);
});

test("missing selectors of an aggregated role are added", () => {
  const expected = json({ metadata: meta, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { x: "1" } }] } });
  const own = { matchLabels: { y: "1" } };
  const existing = json({ metadata: meta, rules: [], aggregationRule: { clusterRoleSelectors: [own] } });
  expect(reconciled(existing, expected)).toMatchObject({
    aggregationRule: { clusterRoleSelectors: [own, { matchLabels: { x: "1" } }] },
  });
  expect(reconciled(existing, json({ metadata: meta, rules: [] }))).not.toHaveProperty("aggregationRule");
});

test("missing subjects are added; another role makes another binding", () => {
  const other = { kind: "User", name: "u" };
  const existing = json({ metadata: meta, roleRef: { name: "r" }, subjects: [other] });
  expect(reconciled(existing, binding)).toMatchObject({ subjects: [other, { kind: "Group", name: "g" }] });
  expect(reconciled(json({ metadata: meta, roleRef: { name: "q" } }), binding)).toBe("recreate");
});
