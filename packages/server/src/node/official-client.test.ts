import * as k8s from "@kubernetes/client-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Json, widget, widgetDefinition } from "../app/app.testing.ts";
import { MemoryStore } from "../storage/memory.ts";
import type { StoreSubscriber, Subscription } from "../storage/store.ts";
import { Candidate, type Term } from "./leader.testing.ts";
import { until } from "./scratch.testing.ts";
import { type RunningServer, startServer } from "./start.ts";

/** A store whose watches of one kind can be ended, as a server ends them when it stops. */
class CuttableStore extends MemoryStore {
  readonly #watches = new Map<StoreSubscriber, Subscription>();
  /** While set, new watches wait. */
  held: Promise<void> | undefined;

  override async watch(prefix: string, after: number, subscriber: StoreSubscriber): Promise<Subscription> {
    if (prefix.startsWith("/registry/configmaps/")) await this.held;
    const subscription = await super.watch(prefix, after, subscriber);
    if (prefix.startsWith("/registry/configmaps/")) this.#watches.set(subscriber, subscription);
    return subscription;
  }

  cut(): void {
    for (const [subscriber, subscription] of this.#watches) {
      subscription.close();
      subscriber.failed(new Error("cut"));
    }
    this.#watches.clear();
  }
}

let store: CuttableStore;
let api: RunningServer;
let config: k8s.KubeConfig;

beforeAll(async () => {
  store = new CuttableStore();
  api = await startServer({ store });
  config = new k8s.KubeConfig();
  config.loadFromString(api.kubeconfig());
  const made = await api.create(widgetDefinition());
  expect(made.code).toBe(201);
});

afterAll(() => api?.stop());

const WIDGETS = { group: "example.com", version: "v1", namespace: "default", plural: "widgets" };

test("custom resources are created, read, replaced, patched, listed and deleted", async () => {
  const custom = config.makeApiClient(k8s.CustomObjectsApi);
  const made: Json = await custom.createNamespacedCustomObject({
    ...WIDGETS,
    body: widget("a", { spec: { size: 3 } }),
  });
  expect([made.spec, made.metadata.generation]).toEqual([{ size: 3 }, 1]);
  const at = { ...WIDGETS, name: "a" };
  const found: Json = await custom.getNamespacedCustomObject(at);
  const put: Json = await custom.replaceNamespacedCustomObject({ ...at, body: { ...found, spec: { size: 4 } } });
  expect([put.spec.size, put.metadata.generation]).toEqual([4, 2]);
  const stale = custom.replaceNamespacedCustomObject({ ...at, body: { ...found, spec: { size: 5 } } });
  await expect(stale).rejects.toMatchObject({ code: 409 });
  const merge = k8s.setHeaderOptions("Content-Type", k8s.PatchStrategy.MergePatch);
  const patched: Json = await custom.patchNamespacedCustomObject({ ...at, body: { spec: { color: "red" } } }, merge);
  expect(patched.spec).toEqual({ size: 4, color: "red" });
  const json: Json = await custom.patchNamespacedCustomObject({
    ...at,
    body: [{ op: "replace", path: "/spec/size", value: 6 }],
  });
  expect(json.spec.size).toBe(6);
  const status: Json = await custom.patchNamespacedCustomObjectStatus(
    { ...at, body: { status: { phase: "on" } } },
    merge,
  );
  expect(status.status).toEqual({ phase: "on" });
  const list: Json = await custom.listNamespacedCustomObject({ ...WIDGETS, fieldSelector: "spec.color=red" });
  expect(list.items.map((item: Json) => item.metadata.name)).toEqual(["a"]);
  const bad = custom.createNamespacedCustomObject({ ...WIDGETS, body: widget("b", { spec: { size: -1 } }) });
  await expect(bad).rejects.toMatchObject({ code: 422 });
  await custom.deleteNamespacedCustomObject(at);
  await expect(custom.getNamespacedCustomObject(at)).rejects.toMatchObject({ code: 404 });
});

test("built-in kinds go through the typed client, and any kind through the generic one", async () => {
  const core = config.makeApiClient(k8s.CoreV1Api);
  const body = { metadata: { name: "typed" }, data: { a: "1" } };
  const made = await core.createNamespacedConfigMap({ namespace: "default", body });
  expect(made.metadata?.creationTimestamp).toBeInstanceOf(Date);
  const patched = await core.patchNamespacedConfigMap({
    name: "typed",
    namespace: "default",
    body: [{ op: "add", path: "/data/b", value: "2" }],
  });
  expect(patched.data).toEqual({ a: "1", b: "2" });
  const objects = k8s.KubernetesObjectApi.makeApiClient(config);
  const applied = await objects.patch(
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "typed", namespace: "default" },
      data: { c: "3" },
    } as Json,
    ...[undefined, undefined, "tests", true, k8s.PatchStrategy.ServerSideApply],
  );
  expect(applied).toMatchObject({ data: { a: "1", b: "2", c: "3" } });
  const read = await objects
    .read({ apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "none" } } as Json)
    .catch((error) => error);
  expect(read.code).toBe(404);
  await core.deleteNamespacedConfigMap({ name: "typed", namespace: "default" });
});

test("a watch sees every change in order, from the version it names", async () => {
  const core = config.makeApiClient(k8s.CoreV1Api);
  const list = await core.listNamespacedSecret({ namespace: "default" });
  const seen: string[] = [];
  let isDone = false;
  const watch = await new k8s.Watch(config).watch(
    "/api/v1/namespaces/default/secrets",
    { resourceVersion: list.metadata?.resourceVersion, allowWatchBookmarks: true },
    (type, object) => seen.push(`${type} ${object.metadata.name}`),
    () => {
      isDone = true;
    },
  );
  for (const name of ["a", "b"]) {
    await core.createNamespacedSecret({ namespace: "default", body: { metadata: { name } } });
  }
  await core.deleteNamespacedSecret({ namespace: "default", name: "a" });
  await until(() => seen.length === 3);
  expect(seen).toEqual(["ADDED a", "ADDED b", "DELETED a"]);
  watch.abort();
  await until(() => isDone);
});

test("an informer continues after its watch was closed, and starts over after 410", async () => {
  const core = config.makeApiClient(k8s.CoreV1Api);
  const namespace = "kube-public";
  const create = (name: string) => core.createNamespacedConfigMap({ namespace, body: { metadata: { name } } });
  await create("before");
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  let lists = 0;
  const informer = k8s.makeInformer(config, path, () => {
    lists++;
    return core.listNamespacedConfigMap({ namespace });
  });
  const events: string[] = [];
  informer.on("add", ({ metadata }) => events.push(`+${metadata?.name}`));
  informer.on("delete", ({ metadata }) => events.push(`-${metadata?.name}`));
  await informer.start();
  await until(() => events.includes("+before"));
  await create("live");
  await until(() => events.includes("+live"));

  store.cut();
  await create("after-close");
  await until(() => events.includes("+after-close"));
  expect(lists).toBe(1);

  let release = (): void => {};
  store.held = new Promise((resolve) => {
    release = resolve;
  });
  store.cut();
  await core.deleteNamespacedConfigMap({ namespace, name: "before" });
  await create("after-gone");
  await store.compact(await store.revision());
  release();
  await until(() => events.includes("+after-gone") && events.includes("-before"));
  expect(lists).toBe(2);
  await create("last");
  await until(() => events.includes("+last"));
  expect(new Set(events).size).toBe(events.length);
  const names = informer.list(namespace).map(({ metadata }) => metadata?.name ?? "");
  expect(names.sort()).toEqual(["after-close", "after-gone", "kube-root-ca.crt", "last", "live"]);
  await informer.stop();
});

test("of many candidates one leads at a time, and another takes over when it releases the lease", async () => {
  const terms: Term[] = [];
  const candidates = ["a", "b", "c", "d"].map((name) => new Candidate(config, { name, lease: "leader", seconds: 60 }));
  await Promise.all(
    candidates.map(async (candidate) => {
      const term = await candidate.lead();
      terms.push(term);
      expect(terms.filter(({ isOver }) => !isOver)).toEqual([term]);
      await candidate.renew();
      term.isOver = true;
      await candidate.release();
    }),
  );
  expect(terms.map(({ holder }) => holder).sort()).toEqual(["a", "b", "c", "d"]);
  expect(terms.map(({ transitions }) => transitions)).toEqual([0, 1, 2, 3]);
});

test("a leader that stops renewing is replaced and notices it", async () => {
  const options = { lease: "silent", seconds: 1 };
  const silent = new Candidate(config, { name: "silent", ...options });
  const next = new Candidate(config, { name: "next", ...options });
  await silent.lead();
  const term = await next.lead();
  expect(term).toMatchObject({ holder: "next", transitions: 1 });
  await expect(silent.renew()).rejects.toMatchObject({ code: 409 });
});
