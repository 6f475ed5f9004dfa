import { beforeEach, describe, expect, test } from "vitest";
import { type Client, openWithWidgets, WIDGETS, widget } from "../app/app.testing.ts";
import { isStream } from "../http/exchange.ts";

let api: Client;

beforeEach(async () => {
  api = await openWithWidgets();
});

async function make(...names: string[]): Promise<void> {
  for (const name of names) {
    const spec = { size: name.length, color: name === "a" ? "red" : "blue" };
    await api.post(WIDGETS, widget(name, { spec, metadata: { labels: { name } } }));
  }
}

describe("list", () => {
  test("has items by name, the kind of the list and its revision", async () => {
    await make("b", "a");
    const { json } = await api.get(WIDGETS);
    expect(json).toMatchObject({ kind: "WidgetList", apiVersion: "example.com/v1" });
    expect(json.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(["a", "b"]);
    expect(json.metadata.resourceVersion).toBe(String(await api.store.revision()));
  });

  test("across namespaces has them all", async () => {
    await make("a");
    await api.post(WIDGETS.replace("default", "kube-public"), widget("z"));
    expect((await api.get("/apis/example.com/v1/widgets")).json.items).toHaveLength(2);
  });

  test.each([
    { query: "labelSelector=name%3Da", names: ["a"] },
    { query: "labelSelector=name+in+(a,c)", names: ["a", "c"] },
    { query: "fieldSelector=metadata.name%3Db", names: ["b"] },
    { query: "fieldSelector=spec.color%3Dblue", names: ["b", "c"] },
  ])("can be narrowed by $query", async ({ query, names }) => {
    await make("a", "b", "c");
    const { json } = await api.get(`${WIDGETS}?${query}`);
    expect(json.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(names);
  });

  test("by a field that is not selectable is refused", async () => {
    const { code, json } = await api.get(`${WIDGETS}?fieldSelector=spec.size%3D1`);
    expect([code, json.message]).toEqual([400, "field label not supported: spec.size"]);
  });

  test("in pages shows the state of the first page", async () => {
    await make("a", "b", "c");
    const first = (await api.get(`${WIDGETS}?limit=2`)).json;
    expect(first.metadata.remainingItemCount).toBe(1);
    await api.delete(`${WIDGETS}/c`);
    const second = (await api.get(`${WIDGETS}?limit=2&continue=${first.metadata.continue}`)).json;
    expect(second.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(["c"]);
    expect(second.metadata).toMatchObject({ continue: "", resourceVersion: first.metadata.resourceVersion });
  });

  test("whose first page has been compacted can continue with the current state", async () => {
    await make("a", "b", "c");
    const first = (await api.get(`${WIDGETS}?limit=1`)).json;
    await make("d");
    await api.store.compact(await api.store.revision());
    const expired = await api.get(`${WIDGETS}?limit=9&continue=${first.metadata.continue}`);
    expect([expired.code, expired.json.reason]).toEqual([410, "Expired"]);
    const rest = (await api.get(`${WIDGETS}?limit=9&continue=${expired.json.metadata.continue}`)).json;
    expect(rest.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(["b", "c", "d"]);
  });

  test("at an exact version that is compacted returns 410", async () => {
    await make("a");
    const { resourceVersion } = (await api.get(WIDGETS)).json.metadata;
    await make("b");
    expect(
      (await api.get(`${WIDGETS}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`)).json.items,
    ).toHaveLength(1);
    await api.store.compact(await api.store.revision());
    const { code, json } = await api.get(`${WIDGETS}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`);
    expect([code, json.message]).toEqual([410, "The resourceVersion for the provided list is too old."]);
  });

  test("with an invalid continue token is refused", async () => {
    const { code, json } = await api.get(`${WIDGETS}?continue=abc`);
    expect(code).toBe(400);
    expect(json.message).toMatch(/^invalid continue token: continue key is not valid:/);
  });
});

describe("versions", () => {
  test("show the same object, each under its own name", async () => {
    await make("a");
    const { json } = await api.get(`${WIDGETS.replace("v1", "v2")}/a`);
    expect(json).toMatchObject({ apiVersion: "example.com/v2", metadata: { name: "a" }, spec: { size: 1 } });
  });
});

describe("transformations", () => {
  test("a table has the columns of the definition", async () => {
    await make("abc");
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const { json } = await api.get(WIDGETS, { headers: { accept } });
    expect(json).toMatchObject({ kind: "Table", apiVersion: "meta.k8s.io/v1" });
    expect(json.columnDefinitions.map((column: { name: string }) => column.name)).toEqual(["Name", "Size", "Age"]);
    expect(json.rows[0].cells).toEqual(["abc", 3, "0s"]);
    expect(json.rows[0].object.kind).toBe("PartialObjectMetadata");
  });

  test("only metadata is returned on request", async () => {
    await make("a");
    const accept = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
    const { json } = await api.get(WIDGETS, { headers: { accept } });
    expect(json.kind).toBe("PartialObjectMetadataList");
    expect(json.items[0].spec).toBeUndefined();
  });

  test("an unknown transformation is not acceptable", async () => {
    const accept = "application/json;as=Nope;v=v1;g=meta.k8s.io";
    expect((await api.get(WIDGETS, { headers: { accept } })).code).toBe(406);
  });

  test("YAML and indented JSON are returned on request", async () => {
    await make("a");
    const yaml = await api.get(`${WIDGETS}/a`, { headers: { accept: "application/yaml" } });
    expect(yaml.text).toContain("\nspec:\n  color: red\n  size: 1\n");
    expect((await api.get(`${WIDGETS}/a?pretty=true`)).text).toContain('\n  "kind": "Widget",\n');
  });
});

describe("watch", () => {
  test("without a version starts with the current state and continues with changes", async () => {
    await make("a");
    const watch = await api.watch(`${WIDGETS}?watch=true`);
    expect(await watch.next()).toMatchObject({ type: "ADDED", object: { metadata: { name: "a" } } });
    await api.patch(`${WIDGETS}/a`, { spec: { size: 5 } });
    expect(await watch.next()).toMatchObject({ type: "MODIFIED", object: { spec: { size: 5 } } });
    await api.delete(`${WIDGETS}/a`);
    const gone = await watch.next();
    expect(gone).toMatchObject({ type: "DELETED", object: { spec: { size: 5 } } });
    expect(gone.object.metadata.resourceVersion).toBe(String(await api.store.revision()));
    await watch.close();
  });

  test("from a version sees every change after it", async () => {
    await make("a");
    const { resourceVersion } = (await api.get(WIDGETS)).json.metadata;
    await make("b", "c");
    const watch = await api.watch(`${WIDGETS}?watch=true&resourceVersion=${resourceVersion}`);
    expect((await watch.next()).object.metadata.name).toBe("b");
    expect((await watch.next()).object.metadata.name).toBe("c");
    await watch.close();
  });

  test("by a selector sees objects added and deleted as they start and stop matching", async () => {
    await make("a");
    const watch = await api.watch(
      `${WIDGETS}?watch=true&labelSelector=in%3Dyes&resourceVersion=${await api.store.revision()}`,
    );
    await api.patch(`${WIDGETS}/a`, { metadata: { labels: { in: "yes" } } });
    await api.patch(`${WIDGETS}/a`, { metadata: { labels: { in: null } } });
    expect((await watch.next()).type).toBe("ADDED");
    const left = await watch.next();
    expect(left).toMatchObject({ type: "DELETED", object: { metadata: { labels: { in: "yes" } } } });
    expect(left.object.metadata.resourceVersion).toBe(String(await api.store.revision()));
    await watch.close();
  });

  test("from a version that is too old ends with an error event", async () => {
    const old = await api.store.revision();
    await make("a", "b");
    await api.store.compact(await api.store.revision());
    const watch = await api.watch(`${WIDGETS}?watch=true&resourceVersion=${old}`);
    expect(await watch.next()).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
    expect(await watch.next()).toBeUndefined();
  });

  test("with initial events marks where they end", async () => {
    await make("a");
    const query = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const watch = await api.watch(`${WIDGETS}?${query}`);
    expect((await watch.next()).type).toBe("ADDED");
    expect(await watch.next()).toMatchObject({
      type: "BOOKMARK",
      object: { kind: "Widget", metadata: { annotations: { "k8s.io/initial-events-end": "true" } } },
    });
    await watch.close();
  });

  test("sends a present state of many parts, each object once and in order", async () => {
    const names = Array.from({ length: 1_100 }, (_, i) => `m${String(i).padStart(4, "0")}`);
    const maps = "/api/v1/namespaces/default/configmaps";
    for (const name of names) await api.post(maps, { metadata: { name, labels: { part: "many" } } });
    const watch = await api.watch(`${maps}?watch=true&labelSelector=part%3Dmany`);
    const seen: string[] = [];
    while (seen.length < names.length) seen.push((await watch.next()).object.metadata.name);
    expect(seen).toEqual(names);
    await api.post(maps, { metadata: { name: "later", labels: { part: "many" } } });
    expect((await watch.next()).object.metadata.name).toBe("later");
    await watch.close();
  });

  test("ends after its timeout", async () => {
    const watch = await api.watch(`${WIDGETS}?watch=true&timeoutSeconds=1`);
    expect(await watch.next()).toBeUndefined();
  });
});

test("a watch that resumes behind more than may be pending gets all events, in order, and then new ones", async () => {
  const maps = "/api/v1/namespaces/default/configmaps";
  const { json: first } = await api.post(maps, { metadata: { name: "first" } });
  const data = { text: "x".repeat(500_000) };
  for (let i = 0; i < 24; i++) await api.post(maps, { metadata: { name: `m${i}` }, data });
  const target = `${maps}?watch=1&resourceVersion=${first.metadata.resourceVersion}`;
  const header = (name: string) => (name === "authorization" ? "Bearer admin" : undefined);
  const rest = { headerValues: () => [], headerNames: () => [], readBody: async () => new Uint8Array() };
  const { body } = await api.app.handle({ method: "GET", target, header, ...rest });
  if (!isStream(body)) throw new Error("no stream");
  let pending = 0;
  const names: string[] = [];
  const write = (part: string | Uint8Array): void => {
    pending += part.length;
    names.push(JSON.parse(Buffer.from(part).toString()).object.metadata.name);
  };
  const drained = async (): Promise<void> => {
    pending = 0;
  };
  const refuse = (): never => {
    throw new Error("the watch was ended");
  };
  body.start({ write, drained, pending: () => pending, cut: refuse, end: refuse });
  await api.post(maps, { metadata: { name: "last" } });
  await expect.poll(() => names.at(-1)).toBe("last");
  expect(names).toEqual([...Array.from({ length: 24 }, (_, i) => `m${i}`), "last"]);
  body.cancel();
});
