import { createServer } from "node:net";
import { expect, test } from "vitest";
import { isEtcdStub, runEtcdStub, startEtcdStub } from "./serve-etcd-stub.ts";
import { parseKubeFlags } from "./serve-kube-flags.ts";

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });

test("the stand-in for etcd is healthy and recognized", async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  expect(await isEtcdStub(url)).toBe(false);
  const close = await startEtcdStub(["--data-dir=/tmp/x", `--listen-client-urls=${url}`, "--unsafe-no-fsync=true"]);
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ health: "true", reason: "" });
  expect(await isEtcdStub(url)).toBe(true);
  close();
  expect(await isEtcdStub(url)).toBe(false);
});

test("flags of klog are accepted, with one dash too", () => {
  expect(parseKubeFlags(["--enable-admission-plugins="]).all("enable-admission-plugins")).toEqual([]);
  const { ignored, text } = parseKubeFlags(["-v=4", "-v", "2", "--v=3", "--vmodule=a=1", "--log-flush-frequency=5s"]);
  expect(ignored).toEqual([]);
  expect(text("v")).toBe("3");
});

test("the stand-in for etcd lists the flags that envtest looks for, and ends", async () => {
  const parts: string[] = [];
  const io = { stdout: (part: string) => void parts.push(part), stderr: () => {}, stdin: () => "", color: false };
  expect(await runEtcdStub(["--help"], io)).toBe(0);
  expect(parts.join("")).toMatch(/^\s*--unsafe-no-fsync\b/m);
});
