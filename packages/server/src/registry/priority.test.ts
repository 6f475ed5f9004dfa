import { describe, expect, test } from "vitest";
import { type Client, type Json, openClient } from "../app/app.testing.ts";

const CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";
const PODS = "/api/v1/namespaces/default/pods";

const priorityClass = (name: string, value: number, more: Json = {}): Json => {
  return { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name }, value, ...more };
};

const create = (client: Client, spec: Json) =>
  client.post(PODS, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p" },
    spec: { containers: [{ name: "c", image: "x" }], ...spec },
  });

async function openWith(...classes: Json[]): Promise<Client> {
  const client = await openClient();
  for (const each of classes) expect((await client.post(CLASSES, each)).code).toBe(201);
  return client;
}

const QUIET = priorityClass("quiet", 100, { preemptionPolicy: "Never" });

// What is expected was recorded from kube-apiserver.
describe("a new pod", () => {
  test.each([
    ["of no class", [], {}, [0, undefined, "PreemptLowerPriority"]],
    [
      "of a system class",
      [],
      { priorityClassName: "system-node-critical" },
      [2_000_001_000, "system-node-critical", "PreemptLowerPriority"],
    ],
    ["of a class", [QUIET], { priorityClassName: "quiet" }, [100, "quiet", "Never"]],
    ["that knows its priority", [QUIET], { priorityClassName: "quiet", priority: 100 }, [100, "quiet", "Never"]],
    ["of the default class", [priorityClass("d", 7, { globalDefault: true })], {}, [7, "d", "PreemptLowerPriority"]],
  ])("%s has its priority", async (_, classes: Json[], spec: Json, expected) => {
    const { code, json } = await create(await openWith(...classes), spec);
    expect([code, [json.spec.priority, json.spec.priorityClassName, json.spec.preemptionPolicy]]).toEqual([
      201,
      expected,
    ]);
  });

  test.each([
    [{ priorityClassName: "nope" }, "no PriorityClass with name nope was found"],
    [
      { priority: 5 },
      "the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name",
    ],
    [
      { priorityClassName: "quiet", preemptionPolicy: "PreemptLowerPriority" },
      "the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec; priority admission controller computed Never from the given PriorityClass name",
    ],
  ])("with %j is refused", async (spec, problem) => {
    const { code, json } = await create(await openWith(QUIET), spec);
    expect([code, json.message]).toEqual([403, `pods "p" is forbidden: ${problem}`]);
  });
});

test("an update that leaves the priority out keeps it", async () => {
  const client = await openWith(QUIET);
  const { json } = await create(client, { priorityClassName: "quiet" });
  const { priority: _, preemptionPolicy: __, ...spec } = json.spec;
  const changed = await client.put(`${PODS}/p`, { ...json, spec });
  expect([changed.code, changed.json.spec.priority, changed.json.spec.preemptionPolicy]).toEqual([200, 100, "Never"]);
});

test("there is one default class", async () => {
  const client = await openWith(priorityClass("d", 7, { globalDefault: true }), priorityClass("e", 8));
  const problem = "PriorityClass d is already marked as default. Only one default can exist";
  const made = await client.post(CLASSES, priorityClass("f", 9, { globalDefault: true }));
  expect(made.json.message).toBe(`priorityclasses.scheduling.k8s.io "f" is forbidden: ${problem}`);
  const changed = await client.patch(`${CLASSES}/e`, { globalDefault: true });
  expect(changed.json.message).toBe(`priorityclasses.scheduling.k8s.io "e" is forbidden: ${problem}`);
  expect((await client.patch(`${CLASSES}/d`, { description: "x" })).code).toBe(200);
});
