/**
 * The processes that serve clients, seen from the process with the store: it starts them, answers what they ask, and
 * replaces one that ends.
 */
import cluster, { type Worker } from "node:cluster";
import { existsSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { App } from "../../app/app.ts";
import type { Span } from "../../observe/tracing/span.ts";
import { offer, RemoteFunctions } from "../../storage/link/functions.ts";
import { Link } from "../../storage/link/link.ts";
import { StoreHost } from "../../storage/link/store-host.ts";
import type { WatchableStore } from "../../storage/store.ts";
import { mainFunctions } from "../heavy/settings.ts";
import type { ListenOptions } from "../listen.ts";
import { OWNER, processPort, SERVING } from "./process-port.ts";
import { closeRevisionPage, openRevisionPage, RevisionSlot } from "./revision-page.ts";
import { LINK_FD, type ServingOptions, servingSettings, storeAccess } from "./settings.ts";
import { servingEnvironment } from "./young-generation.ts";

/** Before a process that ended is replaced, so that one that cannot start does not use all processor time. */
const RESTART_MS = 500;

export interface ServingProcessesOptions {
  readonly count: number;
  /** The file with the code of the processes; by default the built one. */
  readonly file?: string | undefined;
  readonly listen: ListenOptions;
  readonly log: (message: string) => void;
}

interface Serving {
  readonly worker: Worker;
  /** Its part of the page. */
  readonly slot: number;
  readonly functions: RemoteFunctions;
  readonly link: Link;
  host: StoreHost | undefined;
}

export class ServingProcesses {
  readonly #options: ServingProcessesOptions;
  readonly #all = new Set<Serving>();
  #opened: { readonly app: App; readonly options: ServingOptions } | undefined;
  /** Where processes publish what they have acknowledged. */
  readonly #page: number;
  #isStopping = false;
  port = 0;

  private constructor(options: ServingProcessesOptions) {
    this.#options = options;
    this.#page = openRevisionPage(options.count);
  }

  /** Resolves when all processes accept connections. Requests wait until `open` has resolved. */
  static async start(options: ServingProcessesOptions): Promise<ServingProcesses> {
    const processes = new ServingProcesses(options);
    const exec = options.file ?? builtProcess();
    if (exec === undefined) throw new Error("several processes need a build of the server");
    const stdio = ["ignore", "inherit", "inherit", "ipc", "pipe", processes.#page] as const;
    cluster.setupPrimary({ exec, args: [], stdio: [...stdio] });
    const { host, port } = options.listen;
    processes.port = port === 0 ? await freePort(host) : port;
    try {
      await Promise.all(Array.from({ length: options.count }, () => processes.#listen(processes.#fork())));
    } catch (error) {
      await processes.stop();
      throw error;
    }
    return processes;
  }

  /** Lets the processes serve requests, with the app of this process for what only one can do. */
  async open(app: App, options: ServingOptions): Promise<void> {
    const { store } = options.app;
    if (storeAccess(store).kind === "mirror") await this.#publish(store);
    this.#opened = { app, options };
    await Promise.all([...this.#all].map((serving) => this.#open(serving)));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const all = [...this.#all];
    await Promise.all(all.map(({ functions }) => functions.call("beginStop").catch(() => {})));
    await Promise.all(all.map(({ functions }) => functions.call("stop").catch(() => {})));
    await Promise.all(all.map(({ worker }) => ended(worker)));
    closeRevisionPage(this.#page);
  }

  /** Every write is published before it is acknowledged: watches see it first. */
  async #publish(store: WatchableStore): Promise<void> {
    const slot = new RevisionSlot(this.#page, 0);
    const revision = await store.revision();
    slot.publish(revision);
    await store.watch("/", revision, { event: (event) => slot.publish(event.revision), failed: () => {} });
  }

  #fork(): Serving {
    const used = new Set([...this.#all].map(({ slot }) => slot));
    const slot = Array.from({ length: this.#options.count }, (_, i) => i).find((each) => !used.has(each)) ?? 0;
    const worker = cluster.fork(servingEnvironment());
    const socket = worker.process.stdio[LINK_FD] as Socket;
    socket.on("error", () => {});
    const link = new Link(processPort(socket), setImmediate);
    const functions = new RemoteFunctions(link, SERVING);
    const serving: Serving = { worker, link, slot, functions, host: undefined };
    this.#all.add(serving);
    worker.once("exit", () => this.#lose(serving));
    return serving;
  }

  async #listen({ functions }: Serving): Promise<void> {
    await functions.call("listen", { ...this.#options.listen, port: this.port });
  }

  async #open(serving: Serving): Promise<void> {
    if (this.#opened === undefined) return;
    const { app, options } = this.#opened;
    const { onDefect, audit, log, followers, tracing } = options.app;
    serving.host = new StoreHost(options.app.store, serving.link);
    offer(serving.link, OWNER, {
      ...mainFunctions(options.app),
      metrics: async (pid: number) => this.#metrics(app, pid),
      defect: async (stack: string) => onDefect?.(new Error(stack)),
      audit: async (line: string) => audit?.write(line),
      log: async (...args: Parameters<NonNullable<typeof log>>) => log?.(...args),
      span: async (span: Span) => tracing?.export(span),
      followersLog: async (message: string) => followers?.log?.(message),
    });
    await serving.functions.call("open", servingSettings(options, serving.slot));
  }

  /** Of this process and all others but the one that asks. */
  async #metrics(app: App, asking: number): Promise<readonly string[]> {
    const others = [...this.#all].filter(({ worker }) => worker.process.pid !== asking);
    const texts = others.map(({ functions }) => functions.call<string>("metrics").catch(() => ""));
    return [await app.metrics(), ...(await Promise.all(texts))];
  }

  #lose(serving: Serving): void {
    this.#all.delete(serving);
    serving.host?.close();
    serving.functions.fail(new Error("a process that serves clients has ended"));
    if (this.#isStopping) return;
    this.#options.log("a process that serves clients has ended and is replaced");
    setTimeout(() => void this.#replace(), RESTART_MS).unref();
  }

  async #replace(): Promise<void> {
    if (this.#isStopping) return;
    const serving = this.#fork();
    try {
      await this.#listen(serving);
      await this.#open(serving);
    } catch (error) {
      // Its end has the next one started.
      this.#options.log(error instanceof Error ? error.message : String(error));
      serving.worker.process.kill("SIGKILL");
    }
  }
}

/** The same for all processes, and for those that replace them. */
async function freePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Its link is closed when it has nothing left to do. */
function ended(worker: Worker): Promise<void> {
  if (worker.isDead()) return Promise.resolve();
  return new Promise((resolve) => {
    worker.once("exit", () => resolve());
    (worker.process.stdio[LINK_FD] as Socket).destroy();
    worker.disconnect();
  });
}

/** Next to this file in the build; from sources there is none. */
function builtProcess(): string | undefined {
  const file = fileURLToPath(new URL("./serving-process.js", import.meta.url));
  return existsSync(file) ? file : undefined;
}
