/** Client for a live API server: requests, waiting, and the annotations in its audit log. */
import { readFileSync } from "node:fs";
import https from "node:https";

const agent = new https.Agent({ keepAlive: true, maxSockets: 16, rejectUnauthorized: false });

export class Server {
  constructor({ url, tokens, auditLog }) {
    this.url = new URL(url);
    this.tokens = tokens;
    this.auditLog = auditLog;
  }

  /** `mark` is sent as the user agent, by which the audit log is searched. */
  request(
    method,
    path,
    { body, query = {}, user = "admin", contentType = "application/json", mark = "recorder" } = {},
  ) {
    const search = new URLSearchParams(query).toString();
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = { accept: "application/json", "user-agent": mark, ...this.#credentials(user) };
    if (text !== undefined)
      Object.assign(headers, { "content-type": contentType, "content-length": Buffer.byteLength(text) });
    const options = {
      hostname: this.url.hostname,
      port: this.url.port,
      method,
      path: search ? `${path}?${search}` : path,
      headers,
      agent,
    };
    return new Promise((resolve, reject) => {
      const request = https.request(options, (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () => resolve(answer(response, Buffer.concat(chunks).toString())));
      });
      request.on("error", reject);
      request.end(text);
    });
  }

  /** The name of a token, or a user to impersonate. */
  #credentials(user) {
    if (typeof user === "string") return { authorization: `Bearer ${this.tokens[user]}` };
    const authorization = `Bearer ${this.tokens.admin}`;
    const extra = Object.entries(user.extra ?? {}).map(([key, values]) => [
      `impersonate-extra-${encodeURIComponent(key)}`,
      values,
    ]);
    return {
      authorization,
      "impersonate-user": user.name,
      "impersonate-group": user.groups,
      ...Object.fromEntries(extra),
    };
  }

  async must(method, path, options) {
    const found = await this.request(method, path, options);
    if (found.code >= 300) throw new Error(`${method} ${path}: ${found.code} ${found.body?.message}`);
    return found.body;
  }

  /** Annotations by user agent, of finished requests. */
  annotations() {
    const found = new Map();
    for (const line of readFileSync(this.auditLog, "utf8").split("\n")) {
      if (line === "") continue;
      const event = JSON.parse(line);
      if (event.stage === "ResponseComplete") found.set(event.userAgent, event.annotations ?? {});
    }
    return found;
  }
}

function answer(response, text) {
  const warnings = [];
  for (let at = 0; at < response.rawHeaders.length; at += 2) {
    if (response.rawHeaders[at].toLowerCase() === "warning") warnings.push(warningText(response.rawHeaders[at + 1]));
  }
  const isJson = response.headers["content-type"]?.includes("json");
  return { code: response.statusCode, body: isJson ? JSON.parse(text) : undefined, warnings };
}

/** Headers arrive as Latin-1; the text inside is UTF-8, quoted. */
function warningText(header) {
  const text = Buffer.from(header, "latin1").toString("utf8");
  return text.slice(text.indexOf('"') + 1, -1).replaceAll(/\\(.)/g, "$1");
}

/** Runs tasks with limited concurrency. */
export async function inParallel(items, count, run) {
  const queue = [...items.entries()];
  const results = [];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) results[next[0]] = await run(next[1]);
  };
  await Promise.all(Array.from({ length: count }, work));
  return results;
}

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
