/** Serves the page of the playground to the browser of this machine. */
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
};

export interface Playground {
  readonly url: string;
  close(): void;
}

/** `folder` has the files of the page. */
export async function servePlayground(folder: string): Promise<Playground> {
  const server = createServer(async ({ method, url = "/" }, response) => {
    const file = method === "GET" || method === "HEAD" ? fileFor(folder, url) : undefined;
    try {
      if (file === undefined) throw new Error("no such file");
      const body = await readFile(file);
      response.writeHead(200, { "content-type": TYPES[path.extname(file)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await listening(server);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** Undefined for paths that lead out of the folder. */
function fileFor(folder: string, url: string): string | undefined {
  const name = decodeURIComponent(new URL(url, "http://localhost").pathname);
  const file = path.join(folder, name === "/" ? "index.html" : name);
  return file.startsWith(folder + path.sep) ? file : undefined;
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // Only for programs on this machine.
    server.listen(0, "127.0.0.1", resolve);
  });
}
