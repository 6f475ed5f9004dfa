/** The CRD and the objects that the servers store: a typical schema with rules, objects of 1.5 KB. */

export function definition(index = 0) {
  const plural = index === 0 ? "widgets" : `widgets${index}`;
  const group = "bench.example.com";
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: {
        plural,
        singular: plural.replace("widgets", "widget"),
        kind: `Widget${index || ""}`,
        listKind: `Widget${index || ""}List`,
      },
      versions: [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: SCHEMA }, subresources: { status: {} } },
      ],
    },
  };
}

const SCHEMA = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      required: ["size"],
      "x-kubernetes-validations": [{ rule: "self.size <= self.limit", message: "size must not exceed limit" }],
      properties: {
        size: { type: "integer", minimum: 0 },
        limit: { type: "integer", default: 1000 },
        mode: { type: "string", enum: ["fast", "safe"], default: "safe" },
        image: { type: "string", pattern: "^[a-z0-9./:-]+$", maxLength: 256 },
        text: { type: "string" },
        ports: {
          type: "array",
          maxItems: 20,
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: {
            type: "object",
            required: ["name"],
            properties: { name: { type: "string", maxLength: 63 }, port: { type: "integer" } },
            "x-kubernetes-validations": [{ rule: "self.port > 0 && self.port < 65536" }],
          },
        },
      },
    },
    status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  },
};

export const COLLECTION = "/apis/bench.example.com/v1/namespaces/default/widgets";

export function widget(name, size = 1) {
  return {
    apiVersion: "bench.example.com/v1",
    kind: "Widget",
    metadata: { name, labels: { app: "bench", shard: `s${name.length % 7}` } },
    spec: {
      size,
      image: "example.com/team/image:v1.2.3",
      text: "x".repeat(1_000),
      ports: [
        { name: "http", port: 80 },
        { name: "https", port: 443 },
        { name: "metrics", port: 9_090 },
      ],
    },
  };
}

export async function install(client, index = 0) {
  const crd = definition(index);
  await client.must("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd);
  const collection = `/apis/bench.example.com/v1/namespaces/default/${crd.spec.names.plural}`;
  while ((await client.send("GET", `${collection}?limit=1`)).code !== 200)
    await new Promise((resolve) => setTimeout(resolve, 10));
  return collection;
}

/** Runs this many at a time until all are done; returns the time of each in milliseconds. */
export async function inParallel(count, parallel, work) {
  const times = [];
  let next = 0;
  const run = async () => {
    while (next < count) {
      const index = next++;
      const start = performance.now();
      await work(index);
      times.push(performance.now() - start);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: parallel }, run));
  return { seconds: (performance.now() - start) / 1_000, times: times.sort((a, b) => a - b) };
}

export const percentile = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
