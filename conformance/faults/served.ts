/** A server as people start it, in processes of its own, that the suite kills and starts again on the same data. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const cli = fileURLToPath(new URL("../../packages/cli/bin/portcullis.cjs", import.meta.url));
export const ADMIN = "admin-token";
export const ALICE = "alice-token";

export interface ServedOptions {
  /** `--data-dir`, `--etcd-servers` and the like. */
  readonly storage: readonly string[];
  readonly folder: string;
  readonly tokenFile: string;
  /** Code that runs in the server's process before its own. */
  readonly preload?: string | undefined;
  /** Beside that of this process. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

export class Served {
  readonly port: number;
  readonly #options: ServedOptions;
  #child: ReturnType<typeof spawn> | undefined;
  #errors = "";

  private constructor(port: number, options: ServedOptions) {
    this.port = port;
    this.#options = options;
  }

  static async start(options: ServedOptions): Promise<Served> {
    const served = new Served(await freePort(), options);
    await served.start();
    return served;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Resolves when it is ready. Rejects with what it printed if it ends before. */
  async start(): Promise<void> {
    const { storage, folder, tokenFile, preload, environment } = this.#options;
    const kubeconfig = `${folder}/kubeconfig-${this.port}`;
    const flags = ["--insecure-http", "--token-auth-file", tokenFile, "--kubeconfig-out", kubeconfig];
    const first = preload === undefined ? [] : ["--import", `data:text/javascript,${encodeURIComponent(preload)}`];
    const args = [...first, cli, "serve", "--secure-port", `${this.port}`, ...flags, ...storage];
    this.#errors = "";
    const env = { ...process.env, ...environment };
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"], cwd: folder, env });
    this.#child = child;
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      this.#errors += chunk;
    });
    while (!(await this.#isReady())) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the server ended: ${this.#errors}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await gone;
  }

  /** Does nothing without closing a connection, or resumes. */
  freeze(isFrozen: boolean): void {
    this.#child?.kill(isFrozen ? "SIGSTOP" : "SIGCONT");
  }

  /** Kills one of the processes that serve clients. */
  killServing(random: number): void {
    const pids = childrenOf(this.#child?.pid ?? 0);
    const pid = pids[Math.floor(random * pids.length)];
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  }

  async #isReady(): Promise<boolean> {
    try {
      const response = await fetch(`${this.url}/readyz`);
      await response.text();
      return response.status === 200;
    } catch {
      return false;
    }
  }
}

/** On Linux. */
function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          Number(
            readFileSync(`/proc/${pid}/stat`, "latin1")
              .replace(/^.*\) /, "")
              .split(" ")[1],
          ) === parent
        );
      } catch {
        return false;
      }
    });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}
