/** Sends the steps of a case to one server, and makes responses of two servers comparable. */
import http from "node:http";
import https from "node:https";

export class Client {
  #url;
  #token;
  #group;
  #agent;
  #made = [];

  constructor(url, token, group) {
    this.#url = new URL(url);
    this.#token = token;
    this.#group = group;
    const { Agent } = this.#url.protocol === "https:" ? https : http;
    // Both are test servers with self-signed certificates.
    this.#agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  }

  async define(definition) {
    const made = this.#fill(definition, "");
    await this.#request({ method: "POST", path: DEFINITIONS, body: made });
    if (!(await this.#served(made))) throw new Error(`${made.metadata.name} is not served`);
  }

  /** Waits until objects of a CRD can be listed: a moment after it was written, and again after its status was. */
  async #served({ spec: { group, names, versions } }) {
    const path = `/apis/${group}/${versions.find(({ served }) => served)?.name}/${names.plural}?limit=1`;
    let streak = 0;
    for (let i = 0; i < 300 && streak < 5; i++) {
      const { status } = await this.#request({ method: "GET", path });
      streak = status === 200 ? streak + 1 : 0;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return streak === 5;
  }

  async undefine(definition) {
    await this.#request({ method: "DELETE", path: `${DEFINITIONS}/${this.#fill(definition, "").metadata.name}` });
  }

  /** The response to one step. What it creates stays. */
  async send(step, name) {
    const answer = await this.#answer(this.#fill(step, name), name);
    this.#made.splice(0);
    return answer;
  }

  /** The text at a path. */
  async read(path) {
    return (await this.#request({ method: "GET", path })).text;
  }

  /** The responses to the steps. Created objects are deleted. */
  async run({ setup, steps }, name) {
    for (const step of setup) await this.#request(this.#fill(step, name));
    const answers = [];
    for (const step of steps) answers.push(await this.#answer(this.#fill(step, name), name));
    for (const path of new Set([this.#fill(steps.at(-1).path, name), ...this.#made.splice(0)]))
      await this.#remove(path);
    return answers;
  }

  async #remove(path) {
    const body = { metadata: { finalizers: null } };
    await this.#request({ method: "PATCH", path, contentType: "application/merge-patch+json", body });
    await this.#request({ method: "DELETE", path });
  }

  async #answer(step, name) {
    const ready = JSON.stringify(step).includes("{{rv}}") ? await this.#withVersion(step) : step;
    const { status, text, warnings } = await this.#request(ready);
    if (step.wait === "established" && status < 300) await this.#served(JSON.parse(text));
    // Under a changed or generated name.
    if (status === 201) this.#made.push(`${ready.path}/${JSON.parse(text).metadata?.name}`);
    return JSON.parse(this.#unfill(JSON.stringify(describe(status, text, warnings)), name));
  }

  async #withVersion(step) {
    const path = step.path.replace(/\/(status|scale)$/, "");
    const { status, text } = await this.#request({ method: "GET", path });
    // Older servers do not serve every kind, and then the answer is a page.
    const version = status === 200 ? JSON.parse(text).metadata?.resourceVersion : undefined;
    return JSON.parse(JSON.stringify(step).replaceAll("{{rv}}", version ?? "0"));
  }

  #fill(value, name) {
    return JSON.parse(JSON.stringify(value).replaceAll("{{g}}", this.#group).replaceAll("{{n}}", name));
  }

  #unfill(text, name) {
    return text.replaceAll(this.#group, "{{g}}").replaceAll(name, "{{n}}");
  }

  #request({ method, path, query = {}, contentType = "application/json", raw, body }) {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const search = new URLSearchParams(query).toString();
    const options = {
      method,
      path: search === "" ? path : `${path}?${search}`,
      host: this.#url.hostname,
      port: this.#url.port,
      agent: this.#agent,
      headers: {
        authorization: `Bearer ${this.#token}`,
        "user-agent": "writes/1",
        ...(sent !== undefined && { "content-type": contentType, "content-length": Buffer.byteLength(sent) }),
      },
    };
    const { request } = this.#url.protocol === "https:" ? https : http;
    return new Promise((resolve) => {
      const outgoing = request(options, (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () =>
          resolve({
            status: response.statusCode,
            text: Buffer.concat(chunks).toString(),
            warnings: warningsOf(response),
          }),
        );
      });
      // A real server closes the connection when it panics outside of its own recovery.
      outgoing.on("error", () => resolve({ status: 0, text: "", warnings: [] }));
      outgoing.end(sent);
    });
  }
}

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

function warningsOf({ rawHeaders }) {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1].toLowerCase() === "warning");
}

function describe(status, text, warnings) {
  let json;
  try {
    json = JSON.parse(
      text.replace(NUMBERS, (token) =>
        token[0] === '"' || String(Number(token)) === token ? token : `"number:${token}"`,
      ),
    );
  } catch {
    return { code: status, object: text, warnings };
  }
  if (json.kind !== "Status" || status < 400) return { code: status, object: normal(json), warnings };
  const causes = (json.details?.causes ?? []).map(({ field = "", reason = "", message = "" }) => ({
    field,
    reason,
    message: steady(message),
  }));
  return { code: status, reason: json.reason ?? "", message: steady(json.message ?? ""), causes, warnings };
}

/** Numbers that a double cannot carry unchanged are compared as they are written. */
const NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const OWN = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "time",
  "lastTransitionTime",
  "lastPhaseTransitionTime",
  "deletionTimestamp",
  "clusterIP",
  "clusterIPs",
  "nodePort",
  "healthCheckNodePort",
]);

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

function normal(value) {
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value === "string") return value.replace(UID, "<uid>");
  if (value === null || typeof value !== "object") return value;
  const kept = Object.keys(value)
    .sort()
    .filter((key) => !OWN.has(key));
  return Object.fromEntries(
    kept.map((key) => [
      key,
      key === "managedFields" && Array.isArray(value[key])
        ? value[key].map(normal).sort(byManager)
        : normal(value[key]),
    ]),
  );
}

function byManager(left, right) {
  const key = ({ manager, operation, subresource }) => `${manager}|${operation}|${subresource}`;
  return key(left) < key(right) ? -1 : 1;
}

function steady(text) {
  return (
    text
      .replace(UID, "<uid>")
      .replace(/(\\*"resourceVersion\\*":\\*")\d+/g, "$1<rv>")
      // Which undeclared field comes first is random: Go's maps have no order.
      .replace(/^(failed to create typed patch object \([^)]*\)):.*$/s, "$1")
      .replace(/resourceVersion:\d+/g, "resourceVersion:<rv>")
      // How the path of a source file begins depends on the build.
      .replace(/scheme \\*"[^"]*(?=pkg\/api\/legacyscheme)/g, (found) => found.replace(/"[^"]*$/, '"'))
      // The name that CEL gives a type without one.
      .replace(/selfType\d+/g, "selfType")
      // Up to 1.33 messages print where pointers lead.
      .replace(/\(0x[0-9a-f]{6,}\)/g, "(0xc000000000)")
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (time) =>
        Math.abs(Date.parse(time) - Date.now()) < 864e5 ? "<time>" : time,
      )
  );
}
