/**
 * Sends the same unusual reads to a real API server and to ours and prints the differences.
 *
 *     node conformance/differential/reads/run.mjs --reference URL --server URL --token T [--count N] [--seed S] [--show N]
 *
 * Both get the same few objects first. Versions, times, uids and continue tokens are left out of the comparison.
 */
import https from "node:https";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { randomFrom } from "../writes/random.mjs";
import { definitions, objects } from "./fixtures.mjs";
import { drawRequest } from "./requests.mjs";

const { values } = parseArgs({
  options: {
    reference: { type: "string" },
    server: { type: "string" },
    token: { type: "string", default: "" },
    count: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    show: { type: "string", default: "20" },
    only: { type: "string" },
  },
});
const COMPARED = [
  "content-type",
  "cache-control",
  "x-content-type-options",
  "retry-after",
  "allow",
  "location",
  "www-authenticate",
  "vary",
];
const VARYING = /((?:resourceVersion|uid|continue|ip|time|creationTimestamp)"?: *)"?[^",\n}]+"?/g;
const SCRUBBED = new Set([
  "description",
  "uid",
  "continue",
  "creationTimestamp",
  "time",
  "clusterIP",
  "clusterIPs",
  "lastTransitionTime",
  "nodePort",
  "serverAddressByClientCIDRs",
]);
const group = `r${Date.now().toString(36)}.example.com`;
const namespace = `reads-${group.slice(0, group.indexOf("."))}`;
const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false });
const servers = [values.reference, values.server];
for (const server of servers) await furnish(server);

let [differing, shown] = [0, 0];
const first = Number(values.seed) * 100_000;
for (let index = first; index < first + Number(values.count); index++) {
  if (values.only !== undefined && String(index) !== values.only) continue;
  const request = drawRequest(randomFrom(index));
  const [wanted, got] = await Promise.all(servers.map((server) => send(server, request).then(describe)));
  if (isDeepStrictEqual(wanted, got)) continue;
  differing++;
  if (shown++ >= Number(values.show)) continue;
  const query = request.query.map(([name, value]) => `${name}=${value}`).join("&");
  console.log(`\n${index}: ${request.method} ${request.path}${query === "" ? "" : `?${query}`}`);
  console.log(`  accept ${request.accept}, type ${request.type}, body ${request.body}`);
  for (const key of Object.keys(wanted)) {
    if (isDeepStrictEqual(wanted[key], got[key])) continue;
    console.log(`  ${key}\n    wanted ${brief(wanted[key], got[key])}\n    got    ${brief(got[key], wanted[key])}`);
  }
}
for (const server of servers) await clear(server);
console.log(`${values.count} requests from seed ${values.seed}: ${differing} answered differently`);
process.exitCode = differing === 0 ? 0 : 1;

async function furnish(server) {
  await must(server, "POST", "/api/v1/namespaces", { metadata: { name: namespace } });
  for (const definition of definitions) {
    await must(server, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
  }
  for (const { plural } of definitions.map(({ spec }) => spec.names)) {
    while ((await send(server, { method: "GET", path: `/apis/{{g}}/v1/${plural}`, query: [] })).status !== 200)
      await new Promise((resolve) => setTimeout(resolve, 100));
  }
  for (const { path, object } of objects) {
    await send(server, { method: "DELETE", path: `${path}/${object.metadata.name}`, query: [] });
    await must(server, "POST", path, object);
  }
}

async function clear(server) {
  for (const { path, object } of objects) {
    await send(server, { method: "DELETE", path: `${path}/${object.metadata.name}`, query: [] });
  }
  await send(server, { method: "DELETE", path: "/api/v1/namespaces/{{ns}}", query: [] });
  for (const { metadata } of definitions) {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${metadata.name}`;
    await send(server, { method: "DELETE", path, query: [] });
  }
}

async function must(server, method, path, body) {
  const request = { method, path, query: [], body: JSON.stringify(body), type: "application/json" };
  const { status, text } = await send(server, request);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
}

function send(server, { method, path, query, body, accept, type }) {
  const fill = (text) => text.replaceAll("{{g}}", group).replaceAll("{{ns}}", namespace);
  const search = query.map(([name, value]) => `${name}=${encodeURIComponent(fill(value))}`).join("&");
  const full = fill(path);
  const target = search === "" ? full : `${full}${full.includes("?") ? "&" : "?"}${search}`;
  const sent = body === undefined ? undefined : fill(body);
  const { hostname, port } = new URL(server);
  const headers = {
    authorization: `Bearer ${values.token}`,
    "user-agent": "reads/1",
    ...(accept !== undefined && { accept }),
    ...(type !== undefined && { "content-type": type }),
    ...(sent !== undefined && { "content-length": Buffer.byteLength(sent) }),
  };
  return new Promise((resolve) => {
    const request = https.request({ host: hostname, port, method, path: target, agent, headers }, (response) => {
      const chunks = [];
      const done = () => {
        clearTimeout(cut);
        const text = Buffer.concat(chunks).toString().replaceAll(namespace, "{{ns}}").replaceAll(group, "{{g}}");
        resolve({ status: response.statusCode, headers: response.headers, raw: response.rawHeaders, text });
      };
      // A watch does not end; the events of one second are compared.
      const cut = setTimeout(() => response.destroy(), 1_500);
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("close", done);
    });
    request.on("error", (error) => resolve({ status: 0, headers: {}, raw: [], text: String(error.code) }));
    request.end(sent);
  });
}

function describe({ status, headers, raw, text }) {
  const warnings = raw.filter((_, index) => index % 2 === 1 && raw[index - 1].toLowerCase() === "warning");
  const head = Object.fromEntries(COMPARED.map((name) => [name, headers[name]]));
  return { status, ...head, warnings, body: parse(text) };
}

function parse(text) {
  try {
    return scrub(JSON.parse(text));
  } catch {
    const lines = text.trim().split("\n");
    try {
      return lines.map((line) => scrub(JSON.parse(line)));
    } catch {
      return text.replace(VARYING, "$1?").replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "?");
    }
  }
}

function scrub(value) {
  if (Array.isArray(value)) return value.map(scrub);
  if (typeof value === "string") return value.replace(/\b\d{3,}\b/g, "N");
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort()
      .map(([key, member]) => {
        if (SCRUBBED.has(key) || (key === "resourceVersion" && member !== "")) return [key, "?"];
        // Within one second managers are sorted by name, otherwise by time.
        if (key === "managedFields") return [key, member.map(scrub).sort(byManager)];
        if (key === "resources" || key === "groups") return [key, member.map(scrub).sort(byName)];
        if (key === "items" || key === "rows") return [key, member.filter(isOurs).map(scrub)];
        return [key, scrub(member)];
      }),
  );
}

/** Definitions are discovered in any order. */
function byName(a, b) {
  return JSON.stringify(a.name ?? a.resource) < JSON.stringify(b.name ?? b.resource) ? -1 : 1;
}

function byManager(a, b) {
  return a.manager < b.manager ? -1 : 1;
}

/** Each server has other objects of its own. */
function isOurs({ metadata, object }) {
  const { name, namespace: place } = metadata ?? object?.metadata ?? {};
  return (
    (place === "{{ns}}" && name !== "kube-root-ca.crt") ||
    (place === undefined &&
      ["a", "{{g}}", "{{ns}}"].some((each) => name?.includes(each) === true && (each !== "a" || name === "a")))
  );
}

/** The text around the first difference. */
function brief(value, other) {
  const [text = "undefined", against = "undefined"] = [JSON.stringify(value), JSON.stringify(other)];
  let at = 0;
  while (at < text.length && text[at] === against[at]) at++;
  return text.slice(Math.max(0, at - 150), at + 250);
}
