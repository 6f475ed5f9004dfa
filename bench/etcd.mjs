/** A real etcd for benchmarks, on free ports, with its data in a given folder. */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { endWithUs } from "./programs.mjs";

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
  const options = [...args, "--log-level=error", "--quota-backend-bytes=8589934592"];
  return { endpoint: client, process: endWithUs(spawn("etcd", options, { stdio: "ignore" })) };
}

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
