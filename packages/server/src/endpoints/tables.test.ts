import { expect, test } from "vitest";
import { openClient } from "../app/app.testing.ts";

const TABLE = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

const DEPLOYMENT = {
  metadata: { name: "web" },
  spec: {
    replicas: 3,
    selector: { matchLabels: { a: "b" } },
    template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a", image: "a" }] } },
  },
};

test("a table of a scale has the columns of the scale", async () => {
  const api = await openClient();
  await api.post(DEPLOYMENTS, DEPLOYMENT);
  const { json } = await api.get(`${DEPLOYMENTS}/web/scale`, TABLE);
  expect(json.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual([
    "Name",
    "Desired",
    "Available",
    "Age",
  ]);
  expect(json.rows[0].cells.slice(0, 3)).toEqual(["web", 3, 0]);
});

test("what a table cannot include is refused, in a watch too", async () => {
  const api = await openClient();
  const expected =
    "Unable to convert to Table as requested: includeObject: Invalid value: \"bogus\": must be 'Metadata', 'Object', 'None', or empty";
  for (const query of ["includeObject=bogus", "includeObject=bogus&watch=true"]) {
    const { code, json } = await api.get(`${DEPLOYMENTS}?${query}`, TABLE);
    expect([code, json.message]).toEqual([400, expected]);
  }
});
