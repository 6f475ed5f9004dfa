/** The thread for heavy requests: an app on the main thread's store that only performs what it is handed. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { App } from "../../app/app.ts";
import type { HeavyRequest } from "../../app/heavy-requests.ts";
import { NEVER } from "../../registry/leadership.ts";
import { offer, RemoteFunctions } from "../../storage/link/functions.ts";
import { Link } from "../../storage/link/link.ts";
import { LinkedStore } from "../../storage/link/linked-store.ts";
import { checkComponent } from "../component-check.ts";
import { nodeSystem } from "../system.ts";
import { createWebhookClient } from "../webhook-client.ts";
import { giveWay } from "./give-way.ts";
import { type HeavySettings, remoteOptions } from "./settings.ts";
import { HEAVY, MAIN, threadPort } from "./thread-port.ts";

if (parentPort === null) throw new Error("not a thread");
giveWay();
const link = new Link(threadPort(parentPort));
const main = new RemoteFunctions(link, MAIN);
const settings: HeavySettings = workerData;
const store = new LinkedStore(link);
if (settings.maxValue !== undefined) store.maxValue = settings.maxValue;
const opening = App.open({
  ...settings.data,
  ...remoteOptions(settings, main),
  store,
  leadership: NEVER,
  servesClients: false,
  system: nodeSystem,
  now: Date.now,
  callWebhook: createWebhookClient().call,
  checkComponent,
  yieldTurn: nextTurn,
  onDefect: (error) => void main.call("defect", error instanceof Error ? error.stack : String(error)),
});
offer(link, HEAVY, {
  perform: async (request: HeavyRequest) => {
    const answer = await (await opening).performHeavy(request);
    // Bytes are copied faster than text, and are what the main thread sends.
    return { ...answer, body: Buffer.from(answer.body) };
  },
  // What has arrived before has begun: if it computes, this waits for it.
  ready: async () => {
    await opening;
    for (let turn = 0; turn < 2; turn++) await nextTurn();
  },
  metrics: async () => (await opening).metrics(),
});
