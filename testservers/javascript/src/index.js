/** A Kubernetes API server for the tests of a file: started before them, reset between them, stopped behind them. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { readFile } from "@portcullis/checker";
import { startServer } from "@portcullis/server";

const LAST_LINES = 40;

/**
 * The functions of your test runner are arguments, because each has its own.
 *
 * @example
 * const api = testServer({ beforeAll, beforeEach, afterAll }, { load: ["config/crd"] });
 * test("…", async () => {
 *   const client = api.client(await import("@kubernetes/client-node"));
 * });
 *
 * @param {{ beforeAll: Function, beforeEach: Function, afterAll: Function }} hooks
 * @param {{ load?: readonly string[] } & import("@portcullis/server").ServerOptions} options
 */
export function testServer({ beforeAll, beforeEach, afterAll }, { load = [], ...options } = {}) {
  const lines = [];
  const log = (message, about) => lines.push(`${message} ${JSON.stringify(about)}`);
  let server;
  let first;
  beforeAll(async () => {
    server = await startServer({ log, ...options });
    for (const object of load.flatMap(objectsIn)) await create(object);
    first = await server.snapshot();
  });
  beforeEach(() => server.reset(first));
  afterAll(() => server?.stop());

  /** Creates an object; what the server refuses is an error with its message. */
  async function create(object) {
    const { code, text } = await server.create(object);
    if (code < 300) return JSON.parse(text);
    const { kind, metadata } = object;
    throw new Error(`${kind} ${metadata?.name}: ${code} ${messageOf(text)}\n${output()}`);
  }

  /** The last requests that the server answered. */
  function output() {
    return lines.slice(-LAST_LINES).join("\n");
  }

  return {
    get url() {
      return server.url;
    },
    /** The server itself: snapshots, faults. */
    get server() {
      return server;
    },
    /** The text of a kubeconfig for an administrator. */
    kubeconfig: () => server.kubeconfig(),
    /** A `KubeConfig` of `@kubernetes/client-node`, which is the argument. */
    client({ KubeConfig }) {
      const config = new KubeConfig();
      config.loadFromString(server.kubeconfig());
      return config;
    },
    create,
    output,
  };
}

function objectsIn(target) {
  if (statSync(target).isDirectory()) {
    const names = readdirSync(target).filter((name) => /\.(?:ya?ml|json)$/.test(name));
    return names.sort().flatMap((name) => objectsIn(path.join(target, name)));
  }
  const { documents, problems } = readFile(target, readFileSync(target, "utf8"));
  if (problems.length > 0) throw new Error(`${target}: ${problems[0].message}`);
  return documents.map(({ object }) => object);
}

function messageOf(text) {
  try {
    return JSON.parse(text).message ?? text;
  } catch {
    return text;
  }
}
