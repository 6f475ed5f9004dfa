/**
 * The measured servers: ours with its embedded store, ours on etcd, and kube-apiserver on etcd if both are on PATH (or
 * `KUBE_APISERVER` names the binary). Each has TLS, RBAC, a token for the administrator, and data on the same disk.
 */
import { spawn, spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { freePort, startEtcd } from "../etcd.mjs";
import { endWithUs } from "../programs.mjs";
import { connect } from "./client.mjs";

const TOKEN = "bench-token";
const cli = path.join(
  import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname),
  "../../packages/cli/bin/portcullis.cjs",
);

/** `core` binds the servers to one core; etcd may use all. `reference` is the program to compare with. */
export function contestants({ core, reference = process.env["KUBE_APISERVER"] ?? "kube-apiserver" } = {}) {
  const hasEtcd = spawnSync("etcd", ["--version"]).status === 0;
  const hasReference = hasEtcd && spawnSync(reference, ["--version"]).status === 0;
  if (!hasEtcd) console.log("without an etcd on PATH only the embedded store is measured");
  else if (!hasReference) console.log("without a kube-apiserver on PATH there is nothing to compare with");
  return [
    { name: "embedded", start: (folder) => startOurs(folder, undefined, [], core) },
    ...(hasEtcd ? [{ name: "on etcd", start: (folder) => startOnEtcd(folder, startOurs) }] : []),
    ...(hasReference
      ? [
          {
            name: "kube-apiserver",
            start: (folder) => startOnEtcd(folder, (...args) => startReference({ command: reference, core }, ...args)),
          },
        ]
      : []),
  ];
}

/** Ours alone: with one process, and with several that serve clients. */
export function processContestants(count) {
  const hasEtcd = spawnSync("etcd", ["--version"]).status === 0;
  const several = (folder, etcd) => startOurs(folder, etcd, ["--processes", `${count}`]);
  return [
    { name: "embedded", start: (folder) => startOurs(folder) },
    { name: `embedded x ${count}`, start: several },
    ...(hasEtcd
      ? [
          { name: "on etcd", start: (folder) => startOnEtcd(folder, startOurs) },
          { name: `on etcd x ${count}`, start: (folder) => startOnEtcd(folder, several) },
        ]
      : []),
  ];
}

async function startOnEtcd(folder, start) {
  const etcd = await startEtcd(folder);
  try {
    return await start(folder, etcd);
  } catch (error) {
    etcd.process.kill("SIGKILL");
    throw error;
  }
}

async function startOurs(folder, etcd, more = [], core = undefined) {
  const storage = etcd === undefined ? ["--data-dir", path.join(folder, "data")] : ["--etcd-servers", etcd.endpoint];
  const port = await freePort();
  const args = ["serve", "--secure-port", `${port}`, "--cert-dir", path.join(folder, "certs"), ...storage];
  const tokens = ["--token-auth-file", tokenFile(folder), "--kubeconfig-out", path.join(folder, "kubeconfig")];
  return launch({ command: process.execPath, args: [cli, ...args, ...tokens, ...more], port, folder, etcd, core });
}

async function startReference({ command, core }, folder, etcd) {
  const port = await freePort();
  const [key, publicKey] = serviceAccountKeys(folder);
  const args = [
    `--etcd-servers=${etcd.endpoint}`,
    `--secure-port=${port}`,
    `--cert-dir=${path.join(folder, "certs")}`,
    `--token-auth-file=${tokenFile(folder)}`,
    "--authorization-mode=RBAC",
    `--service-account-key-file=${publicKey}`,
    `--service-account-signing-key-file=${key}`,
    "--service-account-issuer=https://kubernetes.default.svc",
    "--service-cluster-ip-range=10.0.0.0/24",
    "--disable-admission-plugins=ServiceAccount",
    // Otherwise its flow control would be measured instead of the requests.
    "--max-requests-inflight=3000",
    "--max-mutating-requests-inflight=1000",
  ];
  return launch({ command, args, port, folder, etcd, core });
}

async function launch({ command, args, port, folder, etcd, core }) {
  const log = openSync(path.join(folder, "server.log"), "a");
  const started = performance.now();
  const [program, all] = core === undefined ? [command, args] : ["taskset", ["-c", core, command, ...args]];
  const child = endWithUs(spawn(program, all, { stdio: ["ignore", log, log] }));
  let isGone = false;
  child.once("exit", () => {
    isGone = true;
  });
  const client = connect(port, TOKEN);
  while (!(await client.isReady())) {
    if (isGone)
      throw new Error(`${command} stopped: ${readFileSync(path.join(folder, "server.log"), "utf8").slice(-2_000)}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const pids = [child.pid, ...childrenOf(child.pid), ...(etcd === undefined ? [] : [etcd.process.pid])];
  return {
    client,
    port,
    token: TOKEN,
    pid: child.pid,
    startMillis: performance.now() - started,
    /** Megabytes of memory, including etcd: what the machine must provide for the service. */
    memory: () => pids.map(residentMegabytes).reduce((sum, megabytes) => sum + megabytes, 0),
    /** Milliseconds of processor time used so far, by the server and by etcd. */
    cpu: () => pids.map(cpuMillis).reduce((sum, millis) => sum + millis, 0),
    cpus: () => pids.map(cpuMillis),
    stop: () => {
      client.close();
      child.kill("SIGKILL");
      etcd?.process.kill("SIGKILL");
    },
    /** Another process on the same data. */
    restart: async () => {
      client.close();
      child.kill("SIGTERM");
      while (!isGone) await new Promise((resolve) => setTimeout(resolve, 10));
      return launch({ command, args, port, folder, etcd, core });
    },
  };
}

function childrenOf(pid) {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.split(" ").filter((each) => each.trim() !== "");
}

function residentMegabytes(pid) {
  const [, kilobytes = 0] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

/** The kernel counts in hundredths of a second. */
function cpuMillis(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function tokenFile(folder) {
  const file = path.join(folder, "tokens.csv");
  writeFileSync(file, `${TOKEN},admin,admin,system:masters\n`, { mode: 0o600 });
  return file;
}

function serviceAccountKeys(folder) {
  mkdirSync(folder, { recursive: true });
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const files = [path.join(folder, "sa.key"), path.join(folder, "sa.pub")];
  writeFileSync(files[0], privateKey, { mode: 0o600 });
  writeFileSync(files[1], publicKey);
  return files;
}
