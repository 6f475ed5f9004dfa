import { expect, test } from "vitest";
import { openClient } from "../app/app.testing.ts";
import { MemoryStore } from "../storage/memory.ts";
import { StoreUnavailable } from "../storage/unavailable.ts";

/** A store that can be away. */
class AbsentStore extends MemoryStore {
  isAway = false;

  override async revision(): Promise<number> {
    if (this.isAway) throw new StoreUnavailable("no leader");
    return super.revision();
  }
}

// biome-ignore format: a table
test.each([
  { path: "/livez", code: 200, text: "ok" },
  { path: "/livez/ping", code: 200, text: "ok" },
  { path: "/readyz/etcd", code: 200, text: "ok" },
  { path: "/livez/shutdown", code: 404, text: "404 page not found\n" },
  { path: "/livez/foo", code: 404, text: "404 page not found\n" },
  { path: "/livez?verbose", code: 200, text: "[+]ping ok\n[+]log ok\n[+]etcd ok\nlivez check passed\n" },
  { path: "/readyz?verbose&exclude=etcd&exclude=x", code: 200, text: '[+]ping ok\n[+]log ok\n[+]etcd excluded: ok\n[+]etcd-readiness ok\n[+]informer-sync ok\n[+]shutdown ok\nwarn: some health checks cannot be excluded: no matches for "x"\nreadyz check passed\n' },
])("$path returns $code", async ({ path, code, text }) => {
  const { get } = await openClient();
  const answer = await get(path);
  expect([answer.code, answer.text]).toEqual([code, text]);
});

test("an unavailable store is reported without the reason", async () => {
  const store = new AbsentStore();
  const { get } = await openClient({ store });
  store.isAway = true;
  const answer = await get("/readyz");
  expect([answer.code, answer.text]).toEqual([
    500,
    "[+]ping ok\n[+]log ok\n[-]etcd failed: reason withheld\n[+]etcd-readiness ok\n[+]informer-sync ok\n[+]shutdown ok\nreadyz check failed\n",
  ]);
  expect((await get("/livez/etcd")).code).toBe(500);
  expect((await get("/livez?exclude=etcd")).code).toBe(200);
});

test("results of health checks are counted apart from other metrics", async () => {
  const { app, get } = await openClient();
  await get("/readyz");
  app.beginStop();
  await get("/readyz?exclude=etcd");
  await get("/livez/ping");
  const { text } = await get("/metrics/slis");
  const lines = text.split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "# TYPE kubernetes_healthcheck gauge",
      'kubernetes_healthcheck{name="ping",type="readyz"} 1',
      'kubernetes_healthcheck{name="shutdown",type="readyz"} 0',
      "# TYPE kubernetes_healthchecks_total counter",
      'kubernetes_healthchecks_total{name="etcd",status="success",type="readyz"} 1',
      'kubernetes_healthchecks_total{name="ping",status="success",type="readyz"} 2',
      'kubernetes_healthchecks_total{name="shutdown",status="error",type="readyz"} 1',
    ]),
  );
  expect(text).not.toContain("livez");
  expect(text).not.toContain("apiserver_");
  expect((await get("/metrics")).text).not.toContain("kubernetes_healthcheck");
});

test("a server that is shutting down is alive but not ready", async () => {
  const { app, get } = await openClient();
  app.beginStop();
  expect([(await get("/livez")).code, (await get("/readyz")).code]).toEqual([200, 500]);
});

test("objects that every namespace has are restored after deletion or change", async () => {
  const { app, get, patch, send } = await openClient({ rootCertificate: "the certificate" });
  const [account, map] = ["serviceaccounts/default", "configmaps/kube-root-ca.crt"].map(
    (name) => `/api/v1/namespaces/default/${name}`,
  ) as [string, string];
  const { uid } = (await get(account)).json.metadata;
  await send("DELETE", account);
  await send("DELETE", map);
  await app.settled();
  const again = (await get(account)).json;
  expect(again.metadata.uid).not.toBe(uid);
  expect((await get(map)).json.data).toEqual({ "ca.crt": "the certificate" });
  await patch(map, { data: { "ca.crt": "another", more: "x" } });
  await app.settled();
  expect((await get(map)).json.data).toEqual({ "ca.crt": "the certificate" });
});
