import { expect, test } from "vitest";
import { validateByWebhooks } from "./validate.ts";
import { attributes, json, scripted, webhookSet } from "./webhooks.testing.ts";

test("all webhooks are called, and the first refusal is returned", async () => {
  const { context, recording } = scripted({ "d.e.f": { allowed: false }, "g.h.i": { allowed: false } });
  const set = webhookSet({ name: "a.b.c" }, { name: "d.e.f" }, { name: "g.h.i" });
  const error = await validateByWebhooks(set, attributes(), context);
  expect(error?.message).toBe('admission webhook "d.e.f" denied the request without explanation');
  expect(recording.called).toEqual(["a.b.c", "d.e.f", "g.h.i"]);
});

test("the review has the members of the request in the order of the Go struct", async () => {
  const { context, recording } = scripted();
  await validateByWebhooks(webhookSet({ name: "a.b.c" }), attributes({ dryRun: true }), context);
  const [review] = recording.reviews as [{ request: object }];
  expect(Object.keys(review.request)).toEqual([
    ...["uid", "kind", "resource", "requestKind", "requestResource", "name", "namespace", "operation"],
    ...["userInfo", "object", "oldObject", "dryRun", "options"],
  ]);
  expect(review.request).toMatchObject({ uid: "u1", oldObject: null, options: null, dryRun: true });
});

// biome-ignore format: a table
test.each([
  { name: "a rule for another operation", hook: { rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["configmaps"] }] } },
  { name: "a rule for subresources only", hook: { rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps/status"] }] } },
  { name: "a rule for the cluster scope", hook: { rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"], scope: "Cluster" }] } },
  { name: "no rules", hook: { rules: [] } },
  { name: "a selector of other objects", hook: { objectSelector: { matchLabels: { l: "2" } } } },
  { name: "a selector of other namespaces", hook: { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "x" } } } },
  { name: "a condition that is false", hook: { matchConditions: [{ name: "n", expression: "object.metadata.name != 'a'" }] } },
  { name: "a condition that is false after an error", hook: { matchConditions: [{ name: "e", expression: "object.spec.x == 1" }, { name: "n", expression: "false" }] } },
])("a webhook with $name is not called", async ({ hook }) => {
  const { context, recording } = scripted();
  expect(await validateByWebhooks(webhookSet({ name: "a.b.c", ...hook }), attributes(), context)).toBeUndefined();
  expect(recording.called).toEqual([]);
});

test("a condition that fails refuses the request before any webhook is called", async () => {
  const { context, recording } = scripted();
  const matchConditions = [{ name: "e", expression: "object.spec.x == 1" }];
  const set = webhookSet({ name: "a.b.c" }, { name: "d.e.f", matchConditions });
  const error = await validateByWebhooks(set, attributes(), context);
  expect([error?.code, error?.message]).toEqual([
    403,
    `configmaps "a" is forbidden: expression 'object.spec.x == 1' resulted in error: no such key: spec`,
  ]);
  expect(recording.called).toEqual([]);
  const ignoring = webhookSet({ name: "d.e.f", matchConditions, failurePolicy: "Ignore" });
  expect(await validateByWebhooks(ignoring, attributes(), context)).toBeUndefined();
});

test("conditions see neither uid nor namespace", async () => {
  const { context, recording } = scripted();
  const expression =
    "namespaceObject == null && !has(request.subResource) && authorizer.path('/x').check('get').allowed()";
  await validateByWebhooks(
    webhookSet({ name: "a.b.c", matchConditions: [{ name: "n", expression }] }),
    attributes(),
    context,
  );
  expect(recording.called).toEqual(["a.b.c"]);
});

test("webhooks are never called for webhook configurations", async () => {
  const { context, recording } = scripted();
  const kind = { group: "admissionregistration.k8s.io", version: "v1", kind: "ValidatingWebhookConfiguration" };
  const everything = { rules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"] }] };
  await validateByWebhooks(webhookSet({ name: "a.b.c", ...everything }), attributes({ kind }), context);
  expect(recording.called).toEqual([]);
});

test("a webhook with side effects refuses a dry run", async () => {
  const { context } = scripted();
  const dry = attributes({ dryRun: true });
  const some = await validateByWebhooks(webhookSet({ name: "a.b.c", sideEffects: "Some" }), dry, context);
  expect([some?.code, some?.message]).toEqual([400, 'admission webhook "a.b.c" does not support dry run']);
});

test("audit annotations need qualified names", async () => {
  const { context, recording } = scripted({
    "a.b.c": { auditAnnotations: { good: "1", "a/b": "2", "": "3", "a b": "4" } },
  });
  await validateByWebhooks(webhookSet({ name: "a.b.c" }), attributes(), context);
  expect([...recording.annotations]).toEqual([["a.b.c/good", "1"]]);
});

test("a request that timed out is refused regardless of the failure policy", async () => {
  const { context } = scripted({ "a.b.c": "context deadline exceeded" });
  let left = 5;
  const hurried = { ...context, remaining: () => left-- - 3 };
  const set = webhookSet({ name: "a.b.c", failurePolicy: "Ignore" });
  const error = await validateByWebhooks(set, attributes(), hurried);
  expect([error?.code, error?.message]).toEqual([
    504,
    "Timeout: request did not complete within requested timeout - context deadline exceeded",
  ]);
});

test("a selector may match either object of an update", async () => {
  const { context, recording } = scripted();
  const oldObject = json({ metadata: { labels: { l: "2" } } });
  const set = webhookSet({ name: "a.b.c", objectSelector: { matchLabels: { l: "2" } } });
  await validateByWebhooks(set, attributes({ operation: "UPDATE", oldObject }), context);
  expect(recording.called).toEqual(["a.b.c"]);
});
