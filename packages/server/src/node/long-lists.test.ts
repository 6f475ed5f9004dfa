/** Lists that are sent as they are made, over sockets. */
import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { METADATA_POLICY } from "../observe/audit-policy.ts";
import type { AuditLog } from "../observe/observer.ts";
import { until } from "./scratch.testing.ts";
import { type RunningServer, startServer } from "./start.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const COUNT = 400;
const TEXT = "ü".repeat(2_000);

let server: RunningServer;
const lines: string[] = [];
const [rule] = METADATA_POLICY.rules;
const audit: AuditLog = {
  policy: { ...METADATA_POLICY, rules: [{ ...rule, level: "RequestResponse" }] } as typeof METADATA_POLICY,
  write: (line) => void lines.push(line),
};

beforeAll(async () => {
  server = await startServer({ tls: "none", audit });
  for (let i = 0; i < COUNT; i++) {
    const metadata = { name: `m${String(i).padStart(3, "0")}`, namespace: "default", labels: { odd: `${i % 2}` } };
    await server.create({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { text: TEXT } });
  }
});

afterAll(() => server.stop());

interface Sent {
  readonly bytes: Buffer;
  readonly headers: NodeJS.Dict<string | string[]>;
}

function get(query: string, headers: Record<string, string> = {}, method = "GET"): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const options = { method, headers: { authorization: `Bearer ${server.token}`, ...headers } };
    request(`${server.url}${MAPS}${query}`, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => resolve({ bytes: Buffer.concat(chunks), headers: response.headers }));
    })
      .on("error", reject)
      .end();
  });
}

const namesOf = (list: { items: { metadata: { name: string } }[] }): string[] =>
  list.items.map(({ metadata }) => metadata.name);

test("a long list is sent in chunks, with all its items", async () => {
  const { bytes, headers } = await get("");
  expect(headers["content-length"]).toBeUndefined();
  const list = JSON.parse(bytes.toString());
  expect(list).toMatchObject({ kind: "ConfigMapList", apiVersion: "v1" });
  expect(new Set(namesOf(list)).size).toBeGreaterThanOrEqual(COUNT);
  expect(list.items.at(-1).data.text ?? TEXT).toBe(TEXT);
});

test.each([
  { name: "indented", query: "?pretty=1", headers: {} },
  { name: "compressed", query: "", headers: { "accept-encoding": "gzip" } },
  { name: "compressed and indented", query: "?pretty=1", headers: { "accept-encoding": "gzip" } },
])("$name, it is the same list", async ({ query, headers }) => {
  const plain = JSON.parse((await get("")).bytes.toString());
  const { bytes, headers: received } = await get(query, headers);
  const text = received["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes;
  expect(received["content-encoding"]).toBe("accept-encoding" in headers ? "gzip" : undefined);
  expect(JSON.parse(text.toString())).toEqual(plain);
});

test("a page of it says where the next one begins", async () => {
  const first = JSON.parse((await get("?limit=300")).bytes.toString());
  expect(first.items).toHaveLength(300);
  const rest = JSON.parse((await get(`?limit=300&continue=${first.metadata.continue}`)).bytes.toString());
  expect(new Set([...namesOf(first), ...namesOf(rest)]).size).toBe(first.items.length + rest.items.length);
  expect(rest.metadata.continue).toBeUndefined();
});

test("its rows with the objects are sent as they are made too", async () => {
  const accept = "application/json;as=Table;g=meta.k8s.io;v=v1";
  const { bytes, headers } = await get("?includeObject=Object&labelSelector=odd%3D1", { accept });
  expect(headers["content-length"]).toBeUndefined();
  const table = JSON.parse(bytes.toString());
  expect(table.columnDefinitions.length).toBeGreaterThan(1);
  expect(table.rows).toHaveLength(COUNT / 2);
  expect(table.rows[0].object.data.text).toBe(TEXT);
});

test("audit events have the objects, and metrics the size", async () => {
  lines.length = 0;
  const { bytes } = await get("");
  await until(() => lines.some((line) => line.includes('"ResponseComplete"')));
  const event = lines.map((line) => JSON.parse(line)).find(({ stage }) => stage === "ResponseComplete");
  expect(event.responseObject).toEqual(JSON.parse(bytes.toString()));
  expect(event.responseStatus).toMatchObject({ code: 200 });
  expect(lines.some((line) => line.includes('"ResponseStarted"'))).toBe(false);
  const metrics = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${server.token}` } });
  const sizes = (await metrics.text())
    .split("\n")
    .filter((line) => line.startsWith("apiserver_response_sizes_bucket") && line.includes('resource="configmaps"'))
    .filter((line) => line.includes('verb="LIST"'));
  const upTo = (bound: string): number =>
    Number(
      sizes
        .find((line) => line.includes(`le="${bound}"`))
        ?.split(" ")
        .at(-1),
    );
  expect(upTo("+Inf")).toBeGreaterThan(upTo("100000"));
});

test("seats are free again when clients leave in the middle", async () => {
  const leave = (): Promise<void> =>
    new Promise((resolve) => {
      const options = { headers: { authorization: `Bearer ${server.token}` } };
      const asked = request(`${server.url}${MAPS}`, options, (response) => {
        response.once("data", () => {
          asked.destroy();
          resolve();
        });
        response.on("error", () => {});
      });
      asked.on("error", () => resolve()).end();
    });
  await Promise.all(Array.from({ length: 20 }, leave));
  const inflight = async (): Promise<string> => {
    const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${server.token}` } });
    const text = await response.text();
    return /^apiserver_current_inflight_requests\{.*readOnly.*\} (\d+)$/m.exec(text)?.[1] ?? "";
  };
  // The request for the metrics is one of them.
  await expect.poll(inflight, { timeout: 5_000 }).toBe("1");
});
