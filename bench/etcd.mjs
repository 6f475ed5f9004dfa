/** A real etcd for benchmarks, on free ports, with its data in a given folder. */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";

/** Undefined if etcd is not on PATH. */
export async function startEtcd(folder) {
  if (spawnSync("etcd", ["--version"]).status !== 0) return undefined;
  const [client, peer] = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`);
  const data = path.join(folder, "etcd");
  mkdirSync(data, { mode: 0o700, recursive: true });
  const args = [
    `--data-dir=${data}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
  ];
  const process_ = spawn("etcd", [...args, "--log-level=error", "--quota-backend-bytes=8589934592"], {
    stdio: "ignore",
  });
  return { endpoint: client, process: process_ };
}

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
