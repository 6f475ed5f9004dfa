/** An etcd that is set back to an earlier state under a running server, as by restoring a snapshot. */
import { cpSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasEtcd, startEtcd, waitReady } from "../../packages/server/src/node/etcd/etcd.testing.ts";
import { scratchFolder, sleep } from "../../packages/server/src/node/scratch.testing.ts";
import { ADMIN, ALICE, Served } from "./served.ts";

const BINDINGS = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";
const MAPS = "/api/v1/namespaces/default/configmaps";
const BINDING = {
  metadata: { name: "alice" },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
  subjects: [{ kind: "User", name: "alice", apiGroup: "rbac.authorization.k8s.io" }],
};

async function send(url: string, method: string, body?: unknown, token = ADMIN): Promise<number> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await response.text();
  return response.status;
}

async function until(isReached: () => Promise<boolean>): Promise<void> {
  while (!(await isReached())) await sleep(50);
}

describe.skipIf(!hasEtcd)("etcd set back to an earlier state", () => {
  test("rights and objects are those of that state, and later changes take effect at once", async () => {
    const [folder, etcdFolder, saved] = [scratchFolder(), scratchFolder(), scratchFolder()];
    const [etcd] = await startEtcd({ folder: etcdFolder });
    if (etcd === undefined) throw new Error("no member");
    onTestFinished(() => etcd.kill());
    const tokenFile = path.join(folder, "tokens.csv");
    writeFileSync(tokenFile, `${ADMIN},admin,1,system:masters\n${ALICE},alice,2,\n`, { mode: 0o600 });
    const served = await Served.start({ storage: ["--etcd-servers", etcd.endpoint], folder, tokenFile });
    onTestFinished(() => served.kill());
    const { url } = served;
    const mayRead = () => send(`${url}${MAPS}`, "GET", undefined, ALICE);
    const isReady = async (): Promise<boolean> => (await send(`${url}/readyz`, "GET")) === 200;

    expect(await send(url + BINDINGS, "POST", BINDING)).toBe(201);
    expect(await mayRead()).toBe(200);
    await etcd.kill();
    cpSync(etcdFolder, saved, { recursive: true });
    etcd.start();
    await waitReady(etcd.endpoint);
    await until(isReady);
    expect(await send(`${url}${BINDINGS}/alice`, "DELETE")).toBe(200);
    expect(await mayRead()).toBe(403);
    expect(await send(url + MAPS, "POST", { metadata: { name: "later" } })).toBe(201);

    await etcd.replaceData(path.join(saved, ...readdirSync(saved)));
    await waitReady(etcd.endpoint);
    await until(async () => (await mayRead()) === 200);
    await until(isReady);
    expect(await send(`${url}${MAPS}/later`, "GET")).toBe(404);
    expect(await send(`${url}${BINDINGS}/alice`, "DELETE")).toBe(200);
    expect(await mayRead()).toBe(403);
  }, 240_000);
});
