import { expect, test } from "vitest";
import type { StreamBody } from "../http/exchange.ts";
import type { RemoteService } from "./api-services.ts";
import { Publications } from "./published.ts";
import { type CallExtension, ExtensionUnreachable } from "./transport.ts";

const REMOTE: RemoteService = {
  name: "v1.stable.example.com",
  group: "stable.example.com",
  version: "v1",
  groupPriority: 1000,
  versionPriority: 15,
  service: { name: "s", namespace: "default", port: 443 },
  ca: undefined,
  isInsecure: true,
  isAvailable: false,
  object: {},
};
const STREAM = { cancel: () => {} } as unknown as StreamBody;
const KIND = { group: "", version: "", kind: "" };

/** A server with nothing but aggregated discovery. */
function serving(versions: () => object[] | undefined): CallExtension {
  return async ({ target, headers }) => {
    const found = target === "/apis" ? versions() : [];
    if (found === undefined) throw new ExtensionUnreachable("connection refused");
    const isAggregated = headers.some(([, value]) => value.includes("as=APIGroupDiscoveryList"));
    const items = [{ metadata: { name: "stable.example.com" }, versions: found }];
    return {
      status: isAggregated ? 200 : 500,
      headers: [["Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"]],
      stream: STREAM,
      read: async () => new TextEncoder().encode(JSON.stringify({ items })),
    };
  };
}

function published(call: CallExtension): Publications {
  return new Publications({ call, resolve: async () => ({ host: "127.0.0.1", port: 1 }) });
}

test("discovery is read from a server that is not available, and resources get a kind", async () => {
  const jobs = { resource: "jobs", verbs: ["list"], subresources: [{ subresource: "status", verbs: ["get"] }] };
  const publications = published(serving(() => [{ version: "v1", resources: [jobs] }]));
  expect(await publications.refresh(REMOTE)).toBe(true);
  expect(publications.get(REMOTE.name)?.discovery).toEqual({
    version: "v1",
    resources: [
      { ...jobs, responseKind: KIND, subresources: [{ subresource: "status", verbs: ["get"], responseKind: KIND }] },
    ],
    freshness: "Current",
  });
});

test("a version that the server does not list has no resources", async () => {
  const publications = published(serving(() => []));
  await publications.refresh(REMOTE);
  expect(publications.get(REMOTE.name)?.discovery).toEqual({ version: "v1", freshness: "Current" });
});

test("discovery is stale while it cannot be read", async () => {
  let versions: object[] | undefined = [{ version: "v1", resources: [] }];
  const publications = published(serving(() => versions));
  await publications.refresh(REMOTE);
  const { generation } = publications;
  versions = undefined;
  expect(await publications.refresh(REMOTE)).toBe(false);
  expect(publications.get(REMOTE.name)?.discovery).toEqual({ version: "v1", freshness: "Stale" });
  expect(publications.generation).toBe(generation + 1);
});
