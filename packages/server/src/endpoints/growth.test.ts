/** Requests whose cost must grow with their size and not with its square. What is compared is growth, since machines differ. */
import { beforeAll, expect, test } from "vitest";
import { type Answer, type Client, DEFINITIONS, openClient } from "../app/app.testing.ts";

const NAMESPACE = "/api/v1/namespaces/default";
const FACTOR = 8;
/** The square of the factor is 64. */
const MAX_RATIO = 32;
const NOISE = 300;

let api: Client;

beforeAll(async () => {
  api = await openClient();
  await api.post(`${NAMESPACE}/configmaps`, { metadata: { name: "live" } });
});

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

const createMap = (metadata: object) =>
  api.post(`${NAMESPACE}/configmaps?dryRun=All`, { metadata: { name: "a", ...metadata } });

const createPod = (container: object) => createPodSpec({ containers: [{ name: "c", image: "i", ...container }] });

const createPodSpec = (spec: object) =>
  api.post(`${NAMESPACE}/pods?dryRun=All`, {
    metadata: { name: "a" },
    spec: { containers: [{ name: "c", image: "i" }], ...spec },
  });

const createWebhook = (hook: object) =>
  api.post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All", {
    metadata: { name: "a" },
    webhooks: [
      { name: "w.example.com", clientConfig: { url: "https://a.example.com/" }, sideEffects: "None", ...hook },
    ],
  });

const applyMap = (body: object) =>
  api.send("PATCH", `${NAMESPACE}/configmaps/a?fieldManager=m&dryRun=All`, {
    body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, ...body },
    type: "application/apply-patch+yaml",
  });

const patchMap = (type: string, body: unknown) =>
  api.send("PATCH", `${NAMESPACE}/configmaps/live?dryRun=All`, { body, type: `application/${type}+json` });

const createDefinition = (spec: object) =>
  api.post(`${DEFINITIONS}?dryRun=All`, {
    metadata: { name: "others.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "others", kind: "Other" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
        },
      ],
    },
  });

const createClaims = (size: number, claims: object[]) =>
  api.post(`${NAMESPACE}/pods?dryRun=All`, {
    metadata: { name: "a" },
    spec: {
      containers: [{ name: "c", image: "i", resources: { claims } }],
      resourceClaims: many(size, (i) => ({ name: `r${i}`, resourceClaimName: "c" })),
    },
  });

const owner = (index: number) => ({ apiVersion: "v1", kind: "Pod", name: `p${index}`, uid: `u${index}` });

interface Growing {
  readonly name: string;
  readonly size: number;
  readonly send: (size: number) => Promise<Answer>;
}

const requests: readonly Growing[] = [
  { name: "owner references", size: 1000, send: (size) => createMap({ ownerReferences: many(size, owner) }) },
  {
    name: "owner references that all are controllers",
    size: 250,
    send: (size) => createMap({ ownerReferences: many(size, (i) => ({ ...owner(i), controller: true })) }),
  },
  {
    name: "equal owner references",
    size: 1000,
    send: (size) => createMap({ ownerReferences: many(size, () => owner(1)) }),
  },
  { name: "equal ports", size: 1000, send: (size) => createPod({ ports: many(size, () => ({ containerPort: 80 })) }) },
  {
    name: "ports that differ in their host's",
    size: 1000,
    send: (size) => createPod({ ports: many(size, (i) => ({ containerPort: 80, hostPort: i + 1 })) }),
  },
  {
    name: "names of variables that are wrong",
    size: 250,
    send: (size) => createPod({ env: many(size, (i) => ({ name: `=${i}` })) }),
  },
  {
    name: "keys that are applied",
    size: 1000,
    send: (size) => applyMap({ data: Object.fromEntries(many(size, (i) => [`k${i}`, "v"])) }),
  },
  {
    name: "a set that is applied",
    size: 1000,
    send: (size) => applyMap({ metadata: { name: "a", finalizers: many(size, (i) => `a.b/c${i}`) } }),
  },
  {
    name: "moves in a long list",
    size: 250,
    send: (size) =>
      patchMap("json-patch", [
        { op: "add", path: "/x", value: many(size * 50, () => 1) },
        ...many(size, () => ({ op: "move", from: "/x/0", path: "/x/-" })),
        { op: "remove", path: "/x" },
      ]),
  },
  {
    name: "equal claims",
    size: 1000,
    send: (size) =>
      createClaims(
        size,
        many(size, () => ({ name: "c" })),
      ),
  },
  {
    name: "claims of parts, then of the whole",
    size: 1000,
    send: (size) =>
      createClaims(1, [
        ...many(size, (i) => ({ name: "c", request: `r${i}` })),
        ...many(size, (i) => ({ name: `c${i}` })),
      ]),
  },
  {
    name: "keys of a list that are no properties",
    size: 1000,
    send: (size) =>
      createDefinition({
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": many(size, (i) => `k${i}`),
        items: { type: "object", required: many(size, (i) => `k${i}`) },
      }),
  },
  {
    name: "zeros of an amount that is none",
    size: 250,
    send: (size) => createPod({ resources: { limits: { cpu: `${"0".repeat(size)}!` } } }),
  },
  {
    name: "slashes in the path of a volume",
    size: 3_000,
    send: (size) =>
      createPodSpec({
        volumes: [{ name: "v", configMap: { name: "c", items: [{ key: "k", path: `a${"/".repeat(size)}x` }] } }],
      }),
  },
  {
    name: "review versions of a webhook",
    size: 3_000,
    send: (size) => createWebhook({ admissionReviewVersions: many(size, (i) => `v${i}`) }),
  },
  {
    name: "node ports",
    size: 1000,
    send: (size) =>
      api.post(`${NAMESPACE}/services?dryRun=All`, {
        metadata: { name: "a" },
        spec: { type: "NodePort", ports: many(size, (i) => ({ name: `p${i}`, port: i + 1 })) },
      }),
  },
  {
    name: "openings of classes in a pattern",
    size: 10_000,
    send: (size) => createDefinition({ type: "string", pattern: "[[:".repeat(size) }),
  },
  {
    name: "openings of groups in a pattern",
    size: 10_000,
    send: (size) => createDefinition({ type: "string", pattern: "(?<".repeat(size) }),
  },
  {
    name: "a list that is merged and deleted from",
    size: 1000,
    send: (size) =>
      patchMap("strategic-merge-patch", {
        metadata: {
          "$deleteFromPrimitiveList/finalizers": many(size, (i) => `a.b/c${i}`),
          finalizers: many(size, (i) => `a.b/d${i}`),
        },
      }),
  },
];

test.each(requests)(
  "$name: the time grows with the size",
  async ({ size, send }) => {
    await send(size);
    const limit = Math.max(NOISE, MAX_RATIO * (await fastest(() => send(size))));
    expect(await fastest(() => send(size * FACTOR), limit)).toBeLessThanOrEqual(limit);
  },
  120_000,
);

test("the warnings about a thousand equal ports fit into four kilobytes", async () => {
  const { code, warnings } = await createPod({ ports: many(1000, () => ({ containerPort: 80 })) });
  expect(code).toBe(201);
  expect(warnings).toContain("spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]");
  expect(warnings.length).toBeLessThan(8192);
});

/** Of some attempts; one that is fast enough ends them. */
async function fastest(send: () => Promise<Answer>, enough = 0): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && best > enough; attempt++) {
    const start = process.cpuUsage();
    const { code } = await send();
    expect(code).toBeLessThan(500);
    best = Math.min(best, process.cpuUsage(start).user / 1000);
  }
  return best;
}
