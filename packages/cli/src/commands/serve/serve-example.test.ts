import { type RunningServer, startServer } from "@portcullis/server";
import { afterAll, beforeAll, expect, test } from "vitest";

const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { size: { type: "integer", minimum: 1 } } } },
          },
        },
      },
    ],
  },
};

const widget = (name: string, size: number) => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name, namespace: "default" },
  spec: { size },
});

let api: RunningServer;

beforeAll(async () => {
  api = await startServer({ tls: "none" });
  await api.create(crd);
});

afterAll(() => api.stop());

test("a widget needs a size", async () => {
  const { code, text } = await api.create(widget("small", 0));
  expect(code).toBe(422);
  expect(JSON.parse(text).message).toContain("spec.size in body should be greater than or equal to 1");
});

test("a widget can be read back", async () => {
  await api.create(widget("large", 3));
  const headers = { authorization: `Bearer ${api.token}` };
  const answer = await fetch(`${api.url}/apis/example.com/v1/namespaces/default/widgets/large`, { headers });
  expect(await answer.json()).toMatchObject({ spec: { size: 3 }, metadata: { generation: 1 } });
});
