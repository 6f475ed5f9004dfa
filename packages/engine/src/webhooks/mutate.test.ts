import { expect, test } from "vitest";
import { FIRST_RUN } from "../policy/mutating/reinvocation.ts";
import type { JsonObject } from "../value/json.ts";
import { type MutatingContext, mutateByWebhooks } from "./mutate.ts";
import type { PatchedKind } from "./patch.ts";
import { attributes, json, patch, type Script, scripted, webhookSet } from "./webhooks.testing.ts";

const patched: PatchedKind = {
  decode: (text) => ({ object: json(JSON.parse(text)), undefaulted: json(JSON.parse(text)) }),
};

function mutating(script: Script) {
  const { context, recording } = scripted(script);
  const own: MutatingContext = { ...context, patched, isCustom: false, previous: undefined, hasFreshTimes: false };
  return { context: own, recording };
}

const add = (key: string): object => patch({ op: "add", path: `/data/${key}`, value: "1" });

function dataOf(object: JsonObject | undefined): unknown {
  return object?.["data"];
}

test("each webhook sees the changes of earlier webhooks", async () => {
  const { context, recording } = mutating({ "a.b.c": add("x"), "d.e.f": add("y") });
  const { object, error } = await mutateByWebhooks(
    webhookSet({ name: "a.b.c" }, { name: "d.e.f" }),
    attributes(),
    context,
  );
  expect(error).toBeUndefined();
  expect(dataOf(object)).toEqual({ x: "1", y: "1" });
  expect(recording.reviews[1]).toMatchObject({ request: { object: { data: { x: "1" } } } });
});

test("labels that a webhook adds are matched by the next one", async () => {
  const { context, recording } = mutating({ "a.b.c": patch({ op: "add", path: "/metadata/labels/m", value: "1" }) });
  const second = { name: "d.e.f", objectSelector: { matchLabels: { m: "1" } } };
  await mutateByWebhooks(webhookSet({ name: "a.b.c" }, second), attributes(), context);
  expect(recording.called).toEqual(["a.b.c", "d.e.f"]);
});

test("no webhook is called after the first denial", async () => {
  const { context, recording } = mutating({ "a.b.c": { allowed: false, status: { message: "no" } } });
  const { error } = await mutateByWebhooks(webhookSet({ name: "a.b.c" }, { name: "d.e.f" }), attributes(), context);
  expect(error?.message).toBe('admission webhook "a.b.c" denied the request: no');
  expect(recording.called).toEqual(["a.b.c"]);
  expect(recording.observations[0]).toMatchObject({ isRejected: true, errorType: "no_error", code: 400 });
});

test("a failure refuses the request unless it is ignored", async () => {
  const script = { "a.b.c": 'Post "x": EOF' };
  const failing = mutating(script);
  const refused = await mutateByWebhooks(webhookSet({ name: "a.b.c" }), attributes(), failing.context);
  expect(refused.error?.message).toBe(
    'Internal error occurred: failed calling webhook "a.b.c": failed to call webhook: Post "x": EOF',
  );
  const { context, recording } = mutating(script);
  const set = webhookSet({ name: "a.b.c", failurePolicy: "Ignore" }, { name: "d.e.f" });
  expect((await mutateByWebhooks(set, attributes(), context)).error).toBeUndefined();
  expect(recording.called).toEqual(["a.b.c", "d.e.f"]);
  expect(recording.annotations.get("failed-open.mutation.webhook.admission.k8s.io/round_0_index_0")).toBe("a.b.c");
});

// biome-ignore format: a table
test.each([
  { name: "fails a test", operations: [{ op: "test", path: "/data/x", value: "1" }], message: "testing value /data/x failed: test failed" },
  { name: "removes what is not there", operations: [{ op: "remove", path: "/data/x" }], message: "error in remove for path: '/data/x': Unable to remove nonexistent key: x: missing value" },
  { name: "is of no known kind", operations: [{ op: "twist", path: "/data/x" }], message: "Unexpected kind: twist" },
])("a patch that $name is an error even if failures are ignored", async ({ operations, message }) => {
  const { context } = mutating({ "a.b.c": patch(...operations) });
  const set = webhookSet({ name: "a.b.c", failurePolicy: "Ignore" });
  const { error } = await mutateByWebhooks(set, attributes(), context);
  expect(error?.message).toBe(`Internal error occurred: ${message}`);
});

test("a deletion cannot be patched", async () => {
  const { context } = mutating({ "a.b.c": add("x") });
  const deleted = attributes({ operation: "DELETE", object: undefined, oldObject: json({ metadata: {} }) });
  const { error } = await mutateByWebhooks(webhookSet({ name: "a.b.c" }), deleted, context);
  expect(error?.message).toContain("attempted to modify the object, which is not supported for this operation");
});

test("a patch that cannot be decoded is a failed call", async () => {
  const { context } = mutating({ "a.b.c": { patchType: "JSONPatch", patch: btoa("{}") } });
  const { error } = await mutateByWebhooks(webhookSet({ name: "a.b.c" }), attributes(), context);
  expect(error?.message).toContain(
    "received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type jsonpatch.Patch",
  );
});

test("patches are written to the audit log as they were sent", async () => {
  const { context, recording } = mutating({ "a.b.c": patch({ value: { z: 1, a: "<" }, path: "/data", op: "add" }) });
  await mutateByWebhooks(webhookSet({ name: "a.b.c" }), attributes(), context);
  const key = "webhook.admission.k8s.io/round_0_index_0";
  expect(recording.annotations.get(`mutation.${key}`)).toBe('{"configuration":"c","webhook":"a.b.c","mutated":true}');
  expect(recording.annotations.get(`patch.${key}`)).toBe(
    '{"configuration":"c","webhook":"a.b.c","patch":[{"op":"add","path":"/data","value":{"z":1,"a":"\\u003c"}}],"patchType":"JSONPatch"}',
  );
});

const IF_NEEDED = { reinvocationPolicy: "IfNeeded" };

async function bothRuns(script: Script, set: ReturnType<typeof webhookSet>): Promise<string[]> {
  const { context, recording } = mutating(script);
  const first = await mutateByWebhooks(set, attributes(), context);
  if (!first.reinvokes) return recording.called;
  const again = attributes({ object: first.object });
  await mutateByWebhooks(set, again, { ...context, previous: first.state });
  return recording.called;
}

test.each([
  {
    name: "one that may be asked again is, after a later change",
    first: IF_NEEDED,
    called: ["a.b.c", "d.e.f", "a.b.c"],
  },
  { name: "one that may not is not", first: {}, called: ["a.b.c", "d.e.f"] },
])("$name", async ({ first, called }) => {
  const set = webhookSet({ name: "a.b.c", ...first }, { name: "d.e.f" });
  expect(await bothRuns({ "d.e.f": add("y") }, set)).toEqual(called);
});

test("a webhook is not called again because of its own change", async () => {
  expect(await bothRuns({ "a.b.c": add("y") }, webhookSet({ name: "a.b.c", ...IF_NEEDED }))).toEqual(["a.b.c"]);
});

test("no webhook is called for the first time in the second run", async () => {
  const { context, recording } = mutating({});
  await mutateByWebhooks(webhookSet({ name: "a.b.c", ...IF_NEEDED }), attributes(), {
    ...context,
    previous: FIRST_RUN,
  });
  expect(recording.called).toEqual([]);
});

test("a patch without effect counts as a change while managed fields carry a fresh time", async () => {
  const { context } = mutating({ "a.b.c": patch({ op: "add", path: "/metadata/name", value: "a" }) });
  const set = webhookSet({ name: "a.b.c" });
  expect((await mutateByWebhooks(set, attributes(), context)).reinvokes).toBe(false);
  expect((await mutateByWebhooks(set, attributes(), { ...context, hasFreshTimes: true })).reinvokes).toBe(true);
});
