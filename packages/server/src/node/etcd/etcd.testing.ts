/** A real etcd for tests: started on free ports, killed and started again at will. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createServer } from "node:net";
import path from "node:path";
import { Channel } from "../grpc/channel.ts";
import { sleep } from "../scratch.testing.ts";
import { RANGE } from "./protocol.ts";

export const hasEtcd = spawnSync("etcd", ["--version"]).status === 0;
export const NO_ETCD = "there is no `etcd` on PATH (Debian: apt-get install etcd-server)";
if (!hasEtcd) console.warn(`tests of the etcd store are skipped: ${NO_ETCD}`);

export interface EtcdTlsFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface Member {
  readonly name: string;
  readonly clientPort: number;
  readonly peerPort: number;
  readonly endpoint: string;
}

/** One member process. */
export class EtcdProcess {
  readonly endpoint: string;
  #command: readonly string[];
  #process: ChildProcess | undefined;

  constructor(member: Member, command: readonly string[]) {
    this.endpoint = member.endpoint;
    this.#command = command;
  }

  /** The arguments of `etcdctl snapshot restore`, so that the restored member fits. */
  get identity(): readonly string[] {
    return this.#command.filter((argument) => /^--(name|initial-cluster|initial-advertise-peer-urls)=/.test(argument));
  }

  start(): void {
    this.#process = spawn("etcd", this.#command, { stdio: "ignore" });
  }

  async kill(): Promise<void> {
    const running = this.#process;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const gone = new Promise((resolve) => running.once("exit", resolve));
    running.kill("SIGKILL");
    await gone;
  }

  /** The same address with nothing in it. */
  async replaceData(folder: string): Promise<void> {
    await this.kill();
    this.#command = this.#command.map((argument) =>
      argument.startsWith("--data-dir=") ? `--data-dir=${folder}` : argument,
    );
    this.start();
  }

  /** Stops responding without closing a connection, or resumes. */
  freeze(isFrozen: boolean): void {
    this.#process?.kill(isFrozen ? "SIGSTOP" : "SIGCONT");
  }
}

export interface EtcdOptions {
  readonly folder: string;
  readonly members?: number;
  readonly tls?: EtcdTlsFiles;
}

/** Starts a cluster and waits until every member accepts connections. */
export async function startEtcd({ folder, members: count = 1, tls }: EtcdOptions): Promise<EtcdProcess[]> {
  const scheme = tls === undefined ? "http" : "https";
  const ports = await freePorts(count * 2);
  const members = Array.from({ length: count }, (_, i): Member => {
    const [clientPort = 0, peerPort = 0] = ports.slice(i * 2);
    return { name: `m${i}`, clientPort, peerPort, endpoint: `${scheme}://127.0.0.1:${clientPort}` };
  });
  const cluster = members.map(({ name, peerPort }) => `${name}=http://127.0.0.1:${peerPort}`).join(",");
  const processes = members.map((member) => new EtcdProcess(member, etcdArguments(member, { folder, cluster, tls })));
  for (const member of processes) member.start();
  if (tls === undefined) await Promise.all(processes.map(({ endpoint }) => waitReady(endpoint)));
  return processes;
}

function etcdArguments(
  { name, clientPort, peerPort, endpoint }: Member,
  { folder, cluster, tls }: { folder: string; cluster: string; tls: EtcdTlsFiles | undefined },
): string[] {
  const peer = `http://127.0.0.1:${peerPort}`;
  const secure = tls && [`--cert-file=${tls.cert}`, `--key-file=${tls.key}`, `--trusted-ca-file=${tls.ca}`];
  return [
    `--name=${name}`,
    `--data-dir=${path.join(folder, `${name}-${clientPort}`)}`,
    `--listen-client-urls=${endpoint}`,
    `--advertise-client-urls=${endpoint}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=${cluster}`,
    "--heartbeat-interval=50",
    "--election-timeout=500",
    "--log-level=error",
    ...(secure === undefined ? [] : [...secure, "--client-cert-auth"]),
  ];
}

/** Any answer will do: a member without a leader refuses. */
export async function waitReady(endpoint: string): Promise<void> {
  const channel = new Channel(endpoint);
  const isReady = (): Promise<boolean> =>
    channel.unary(RANGE.path, RANGE.encode({ key: "ready" }), 2_000).then(
      () => true,
      () => false,
    );
  for (let tries = 0; !(await isReady()); tries++) {
    if (tries > 1_000) throw new Error(`${endpoint} does not start`);
    await sleep(50);
  }
  channel.close();
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once("listening", resolve))));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" ? (address?.port ?? 0) : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  await sleep(0);
  return ports;
}
