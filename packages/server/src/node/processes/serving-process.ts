/**
 * A process that serves clients: an app on the store of another process, behind the port that it shares with its like.
 * Controllers run in the process with the store.
 */
import { Socket } from "node:net";
import { App } from "../../app/app.ts";
import type { AppOptions } from "../../app/options.ts";
import { standardAuthenticators } from "../../auth/request-header.ts";
import { openTokenKey } from "../../auth/token-key.ts";
import { NEVER } from "../../registry/leadership.ts";
import { type Compactor, startCompactor } from "../../storage/compact.ts";
import { offer, RemoteFunctions } from "../../storage/link/functions.ts";
import { Link } from "../../storage/link/link.ts";
import { LinkedStore } from "../../storage/link/linked-store.ts";
import { MirroredStore } from "../../storage/link/mirrored-store.ts";
import type { WatchableStore } from "../../storage/store.ts";
import { checkComponent } from "../component-check.ts";
import { createExtensionClient } from "../extension-client.ts";
import { remoteOptions } from "../heavy/settings.ts";
import { builtThread, heavyWorker } from "../heavy/worker.ts";
import { type Listener, type ListenOptions, listen } from "../listen.ts";
import { Opening } from "../opening.ts";
import { openEtcdStore } from "../stores.ts";
import { nodeSystem, processUsage } from "../system.ts";
import { createWebhookClient } from "../webhook-client.ts";
import { OWNER, processPort, SERVING } from "./process-port.ts";
import { RevisionSlot, revisionReader } from "./revision-page.ts";
import { LINK_FD, PAGE_FD, type ServingSettings } from "./settings.ts";

const socket = new Socket({ fd: LINK_FD });
const link = new Link(processPort(socket), setImmediate);
const owner = new RemoteFunctions(link, OWNER);
const linked = new LinkedStore(link, { servesClients: true });
const opening = new Opening<App>();
const webhooks = createWebhookClient();
let listener: Listener | undefined;
let compactor: Compactor | undefined;
let heavy: ReturnType<typeof heavyWorker>;

// Without the store there is nothing to serve.
socket.on("error", () => process.exit(1));
socket.on("close", () => process.exit(1));
// The process with the store gets the same signals, and stops this one.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});

offer(link, SERVING, {
  listen: async (options: ListenOptions) => {
    listener = await listen(opening.promise, options);
  },
  open: async (settings: ServingSettings) => {
    await opening.complete(() => open(settings));
  },
  metrics: async () => (await opening.promise).metrics(),
  beginStop: async () => (await opening.promise).beginStop(),
  stop: async () => {
    compactor?.stop();
    await listener?.stop();
    await heavy?.close();
    webhooks.close();
  },
});

async function open(settings: ServingSettings): Promise<App> {
  const { tokens, hasAuthenticators, audit, isLogging, traceRatio } = settings;
  const remote = remoteOptions(settings, owner);
  if (settings.maxValue !== undefined) linked.maxValue = settings.maxValue;
  const store = await openStore(settings);
  const onDefect = (error: unknown): void => report("defect", error instanceof Error ? error.stack : String(error));
  const options: AppOptions = {
    ...settings.data,
    ...remote,
    authenticators: [
      ...standardAuthenticators(tokens, settings.requestHeaders),
      ...(hasAuthenticators ? remote.authenticators : []),
    ],
    tokenKey: remote.tokenKey ?? (await openTokenKey(store)),
    store,
    leadership: NEVER,
    system: nodeSystem,
    now: Date.now,
    callWebhook: webhooks.call,
    callExtension: createExtensionClient({ identity: settings.proxyClient }).call,
    checkComponent,
    processUsage,
    recordProfile: async (seconds) => (await import("../profile.ts")).recordProfile(seconds),
    yieldTurn: () => new Promise((resolve) => setImmediate(resolve)),
    onDefect,
    followers: { log: (message) => report("followersLog", message) },
    moreMetrics: () => owner.call("metrics", process.pid),
    ...(traceRatio === undefined ? {} : { tracing: { ratio: traceRatio, export: (span) => report("span", span) } }),
    ...(isLogging ? { log: (message, about) => report("log", message, about) } : {}),
    ...(audit === undefined ? {} : { audit: { ...audit, write: (line: string) => report("audit", line) } }),
  };
  // The process with the store compacts it; a copy here is trimmed at the same pace.
  if (store.shared !== undefined) compactor = startCompactor(store, onDefect, settings.compactionInterval);
  heavy = heavyWorker(builtThread(), options);
  return App.open({ ...options, ...(heavy && { heavyWorker: heavy }) });
}

async function openStore({ access, page }: ServingSettings): Promise<WatchableStore> {
  const newest = revisionReader(PAGE_FD, page.slots);
  if (access.kind !== "etcd") return access.kind === "link" ? linked : MirroredStore.open({ source: linked, newest });
  const slot = new RevisionSlot(PAGE_FD, page.slot);
  const peers = { newest, publish: slot.publish.bind(slot), reset: slot.reset.bind(slot) };
  return openEtcdStore({ ...access.options, peers, log: (message) => report("followersLog", message) });
}

/** Nobody waits for it. */
function report(name: string, ...args: readonly unknown[]): void {
  owner.call(name, ...args).catch(() => {});
}
