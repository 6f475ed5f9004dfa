/**
 * The official client for Node. Its HTTP library wants a newer Node than ours: on Node 20 three functions are missing, of
 * which it needs one for each request and the others only to be there when it is loaded.
 */
import workerThreads from "node:worker_threads";
import zlib from "node:zlib";

export type OfficialClient = typeof import("@kubernetes/client-node");

export async function loadOfficialClient(): Promise<OfficialClient> {
  addMissing(workerThreads, "markAsUncloneable", () => {});
  addMissing(zlib, "createZstdDecompress", () => {
    throw new Error("nobody sends zstd here");
  });
  addMissing(Promise, "withResolvers", withResolvers);
  return import("@kubernetes/client-node");
}

function addMissing(holder: object, name: string, value: () => unknown): void {
  if (!(name in holder)) Object.defineProperty(holder, name, { value, configurable: true, writable: true });
}

function withResolvers(): object {
  let [resolve, reject]: [unknown, unknown] = [undefined, undefined];
  const promise = new Promise((...both) => {
    [resolve, reject] = both;
  });
  return { promise, resolve, reject };
}
