import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Answer, type Client, openClient } from "../app/app.testing.ts";

let api: Client;

beforeEach(async () => {
  api = await openClient();
});

afterEach(() => api.app.close());

const NS = "/api/v1/namespaces/default";
const BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

const pod = (name: string, spec: object = {}) =>
  api.post(`${NS}/pods`, {
    metadata: { name, labels: { a: "b" } },
    spec: { containers: [{ name: "c", image: "i", resources: { requests: { cpu: "100m" } } }], ...spec },
  });

const merge = { type: "application/merge-patch+json" };
const strategic = (path: string, body: object): Promise<Answer> =>
  api.send("PATCH", path, { body, type: "application/strategic-merge-patch+json" });

describe("binding", () => {
  const bind = (name: string, body: object = {}, path = `pods/${name}/binding`): Promise<Answer> =>
    api.post(`${NS}/${path}`, {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name },
      target: { kind: "Node", name: "n1" },
      ...body,
    });

  test("assigns a pod to a node, once", async () => {
    await pod("p");
    const { code, json } = await bind("p");
    expect({ code, json }).toEqual({
      code: 201,
      json: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 },
    });
    const bound = (await api.get(`${NS}/pods/p`)).json;
    expect(bound.spec.nodeName).toBe("n1");
    expect(bound.status.conditions).toEqual([
      { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime: "2026-01-02T03:04:05Z" },
    ]);
    const again = await bind("p");
    expect(again.code).toBe(409);
    expect(again.json.message).toBe(
      'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n1"',
    );
  });

  test("works through the collection too", async () => {
    await pod("p");
    expect((await bind("p", {}, "bindings")).code).toBe(201);
    expect((await api.get(`${NS}/pods/p`)).json.spec.nodeName).toBe("n1");
  });

  test.each([
    { body: { metadata: { name: "x" } }, code: 400, message: "name in URL does not match name in Binding object" },
    {
      body: { target: { kind: "X" } },
      code: 500,
      message:
        '[target.kind: Unsupported value: "X": supported values: "Node", "<empty>", target.name: Required value]',
    },
  ])("is refused: $message", async ({ body, code, message }) => {
    await pod("p");
    const answer = await bind("p", body);
    expect([answer.code, answer.json.message]).toEqual([code, message]);
  });

  test("of a missing pod is not found", async () => {
    expect((await bind("nope")).json.message).toBe('pods "nope" not found');
  });
});

describe("eviction", () => {
  const evict = (name: string, query = "", body: object = {}): Promise<Answer> =>
    api.post(`${NS}/pods/${name}/eviction${query}`, {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name },
      ...body,
    });

  const run = async (name: string): Promise<void> => {
    await pod(name);
    const status = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
    await api.send("PATCH", `${NS}/pods/${name}/status`, { body: { status }, ...merge });
  };

  const budget = (name: string): Promise<Answer> =>
    api.post(BUDGETS, { metadata: { name }, spec: { minAvailable: 1, selector: { matchLabels: { a: "b" } } } });

  const allow = (status: object): Promise<Answer> =>
    api.send("PATCH", `${BUDGETS}/b1/status`, { body: { status: { observedGeneration: 1, ...status } }, ...merge });

  test("deletes a pod that no budget guards", async () => {
    await run("p");
    const { code, json } = await evict("p");
    expect([code, json.status]).toEqual([201, "Success"]);
    expect((await api.get(`${NS}/pods/p`)).code).toBe(404);
  });

  test("is refused where the pod has another version than expected", async () => {
    await run("p");
    const old = { deleteOptions: { preconditions: { resourceVersion: "1" } } };
    const { code, json } = await evict("p", "", old);
    expect([code, json.message]).toEqual([
      409,
      expect.stringMatching(
        /^Operation cannot be fulfilled on Pod "p": the ResourceVersion in the precondition \(1\) does not match the ResourceVersion in record \(\d+\)\. The object might have been modified$/,
      ),
    ]);
    const { resourceVersion } = (await api.get(`${NS}/pods/p`)).json.metadata;
    expect((await evict("p", "", { deleteOptions: { preconditions: { resourceVersion } } })).code).toBe(201);
  });

  test("may be asked for in version v1beta1", async () => {
    await run("p");
    const { code, json } = await evict("p", "", { apiVersion: "policy/v1beta1" });
    expect([code, json.status]).toEqual([201, "Success"]);
    expect((await evict("p", "", { apiVersion: "policy/v1beta2" })).code).toBe(400);
  });

  test("deletes a pending pod whatever the budget says", async () => {
    await pod("p");
    await budget("b1");
    expect((await evict("p")).code).toBe(201);
  });

  test("waits for a budget that has not been looked at", async () => {
    await run("p");
    await budget("b1");
    const { code, json } = await evict("p");
    expect(code).toBe(429);
    expect(json).toMatchObject({
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      reason: "TooManyRequests",
      details: {
        causes: [
          { reason: "DisruptionBudget", message: "The disruption budget b1 is still being processed by the server." },
        ],
        retryAfterSeconds: 10,
      },
    });
  });

  test("is refused where the budget is used up, and uses it up", async () => {
    await run("p");
    await run("q");
    await budget("b1");
    await allow({ disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 });
    expect((await evict("p", "?dryRun=All")).code).toBe(201);
    expect((await evict("p")).code).toBe(201);
    const { status } = (await api.get(`${BUDGETS}/b1`)).json;
    expect(status).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { p: "2026-01-02T03:04:05Z" },
      conditions: [{ type: "DisruptionAllowed", status: "False", reason: "InsufficientPods" }],
    });
    await allow({ currentHealthy: 1 });
    const { code, json } = await evict("q");
    expect(code).toBe(429);
    expect(json.details).toEqual({
      causes: [
        { reason: "DisruptionBudget", message: "The disruption budget b1 needs 1 healthy pods and has 1 currently" },
      ],
    });
  });

  test("is refused where two budgets guard the pod", async () => {
    await run("p");
    await budget("b1");
    await budget("b2");
    const { code, json } = await evict("p");
    expect([code, json.message]).toEqual([
      500,
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    ]);
  });

  test("under another name is refused", async () => {
    await pod("p");
    const { code, json } = await evict("p", "", { metadata: { name: "x" } });
    expect([code, json.message]).toEqual([400, "name in URL does not match name in Eviction object"]);
  });
});

describe("log", () => {
  test("is empty for a pod without a node", async () => {
    await pod("p");
    expect((await api.get(`${NS}/pods/p/log`)).code).toBe(204);
  });

  test.each([
    { path: "p/log?container=zz", code: 400, message: "container zz is not valid for pod p" },
    { path: "nope/log", code: 404, message: 'pods "nope" not found' },
    {
      path: "p/log?sinceSeconds=-1",
      code: 422,
      message: 'PodLogOptions "p" is invalid: sinceSeconds: Invalid value: -1: must be greater than 0',
    },
  ])("$path is refused", async ({ path, code, message }) => {
    await pod("p");
    const answer = await api.get(`${NS}/pods/${path}`);
    expect([answer.code, answer.json.message]).toEqual([code, message]);
  });

  test("needs a node that is there", async () => {
    await pod("p", { nodeName: "n1" });
    expect((await api.get(`${NS}/pods/p/log`)).json.message).toBe('pods "n1" not found');
  });
});

describe("resize", () => {
  const resize = (resources: object): Promise<Answer> =>
    strategic(`${NS}/pods/p/resize`, { spec: { containers: [{ name: "c", resources }] } });

  test("changes cpu and memory, and nothing else", async () => {
    await pod("p");
    const { code, json } = await strategic(`${NS}/pods/p/resize`, {
      metadata: { labels: { x: "y" } },
      spec: { containers: [{ name: "c", image: "other", resources: { requests: { cpu: "200m" } } }] },
    });
    expect(code).toBe(200);
    expect(json.metadata).toMatchObject({ generation: 2, labels: { a: "b" } });
    expect(json.spec.containers[0]).toMatchObject({ image: "i", resources: { requests: { cpu: "200m" } } });
  });

  test.each([
    {
      resources: { limits: { cpu: "100m", memory: "1Gi" }, requests: { memory: "1Gi" } },
      message:
        'Pod "p" is invalid: spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
    },
    {
      resources: { requests: { "ephemeral-storage": "1Gi" } },
      message: 'Pod "p" is invalid: spec: Forbidden: only cpu and memory resources are mutable',
    },
  ])("$message", async ({ resources, message }) => {
    await pod("p");
    expect((await resize(resources)).json.message).toBe(message);
  });
});

describe("ephemeralcontainers", () => {
  const add = (image: string | undefined): Promise<Answer> =>
    image === undefined
      ? api.patch(`${NS}/pods/p/ephemeralcontainers`, { spec: { ephemeralContainers: null } })
      : strategic(`${NS}/pods/p/ephemeralcontainers`, { spec: { ephemeralContainers: [{ name: "e", image }] } });

  test("are added, and never changed or removed", async () => {
    await pod("p");
    const { code, json } = await add("i");
    expect(code).toBe(200);
    expect(json.spec.ephemeralContainers).toMatchObject([{ name: "e", image: "i", imagePullPolicy: "Always" }]);
    expect(json.metadata.generation).toBe(2);
    expect((await add("j")).json.message).toBe(
      'Pod "p" is invalid: spec.ephemeralContainers: Forbidden: existing ephemeral containers "e" may not be changed\n@@ -1,6 +1,6 @@\n {\n  "Name": "e",\n- "Image": "i",\n+ "Image": "j",\n  "Command": null,\n  "Args": null,\n  "WorkingDir": "",\n',
    );
    expect((await add(undefined)).json.message).toBe(
      'Pod "p" is invalid: spec.ephemeralContainers: Forbidden: existing ephemeral containers "e" may not be removed\n',
    );
  });
});

describe("deletion of a pod", () => {
  test("with a node takes the time that it asks for", async () => {
    await pod("p", { nodeName: "n1" });
    const { code, json } = await api.delete(`${NS}/pods/p`);
    expect(code).toBe(200);
    expect(json.metadata).toMatchObject({
      deletionTimestamp: "2026-01-02T03:04:35Z",
      deletionGracePeriodSeconds: 30,
      generation: 2,
    });
    const shorter = await api.delete(`${NS}/pods/p`, { body: { gracePeriodSeconds: 10 } });
    expect(shorter.json.metadata).toMatchObject({
      deletionTimestamp: "2026-01-02T03:04:15Z",
      deletionGracePeriodSeconds: 10,
      generation: 2,
    });
    const longer = await api.delete(`${NS}/pods/p`, { body: { gracePeriodSeconds: 60 } });
    expect(longer.json.metadata.deletionGracePeriodSeconds).toBe(10);
    await api.delete(`${NS}/pods/p`, { body: { gracePeriodSeconds: 0 } });
    expect((await api.get(`${NS}/pods/p`)).code).toBe(404);
  });

  test("without a node happens at once", async () => {
    await pod("p");
    await api.delete(`${NS}/pods/p`);
    expect((await api.get(`${NS}/pods/p`)).code).toBe(404);
  });
});
