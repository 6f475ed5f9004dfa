/**
 * Records an audit log of a live kube-apiserver, and for each write what the policies would have decided.
 *
 *     KUBE_APISERVER=FILE node record.mjs FOLDER [--seed N] [--writes N]
 *
 * Starts etcd and kube-apiserver, and stops them. Writes cluster.json (what existed before the log), tried.json and
 * in-force.json (policies), audit.log and truth.jsonl into FOLDER. Needed only to record again, never to run the tests.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { pause, Server } from "../policy/live.mjs";
import { startCluster } from "./cluster.mjs";
import { auditPolicy, gadgets, inForce, mutating, namespaces, params, permissions, tried } from "./setup.mjs";
import { Writer } from "./writes.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: "1" }, writes: { type: "string", default: "1000" } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("name a folder");
mkdirSync(folder, { recursive: true });

const cluster = await startCluster(auditPolicy);
try {
  const server = new Server({ url: cluster.url, tokens: cluster.tokens, auditLog: cluster.auditLog });
  await install(server);
  const begun = readFileSync(cluster.auditLog, "utf8").length;
  const truth = await record(server, new Writer(Number(values.seed)), Number(values.writes));
  await pause(500);
  const log = readFileSync(cluster.auditLog, "utf8").slice(begun);
  save(log, truth);
} finally {
  await cluster.stop();
}

async function install(server) {
  for (const object of [...namespaces, ...permissions, ...params, ...tried, ...inForce, ...mutating]) {
    await server.must("POST", collectionPath(object), { body: object, user: "setup" });
  }
  for (const { metadata } of namespaces) await accountOf(server, metadata.name);
  await pause(3000);
}

/** No controller creates it here. */
function accountOf(server, namespace) {
  const body = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } };
  return server.must("POST", `/api/v1/namespaces/${namespace}/serviceaccounts`, { body, user: "setup" });
}

function collectionPath({ apiVersion, kind, metadata: { namespace } }) {
  const base = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
  const plural = kind.endsWith("y") ? `${kind.slice(0, -1).toLowerCase()}ies` : `${kind.toLowerCase()}s`;
  return `${base}${namespace === undefined ? "" : `/namespaces/${namespace}`}/${plural}`;
}

async function record(server, writer, count) {
  const truth = [];
  for (let index = 0; index < count; index++) {
    const write = writer.next();
    const body = await bodyOf(server, write);
    if (body === null) continue;
    const asked = await server.request(write.method, write.path, { ...dryRun(write, body), mark: "probe" });
    const answer = await server.request(write.method, write.path, { ...optionsOf(write, body), mark: `w${index}` });
    truth.push({ mark: `w${index}`, code: answer.code, message: answer.body?.message, tried: outcome(asked) });
    if (write.isChange) await pause(writer.isOneIn(4) ? 0 : 1500);
  }
  return truth;
}

function optionsOf({ query, user, contentType = "application/json" }, body) {
  return { body, query, user, contentType };
}

/** The query of a deletion with a body does not count. */
function dryRun(write, body) {
  const options = optionsOf(write, body);
  if (write.method === "DELETE" && body !== undefined) return { ...options, body: { ...body, dryRun: ["All"] } };
  return { ...options, query: { ...write.query, dryRun: "All" } };
}

/** Undefined for none, null if what it changes does not exist. */
async function bodyOf(server, { body, read, edit }) {
  if (read === undefined) return body;
  const live = await server.request("GET", read);
  return live.code === 200 ? edit(live.body) : null;
}

/** Which policies warned about a dry run, and how it ended. */
function outcome({ code, body, warnings }) {
  const failing = warnings.flatMap(
    (text) => /^Validation failed for ValidatingAdmissionPolicy 'try-([^']*)'/.exec(text)?.[1] ?? [],
  );
  return { code, ...(code >= 300 && { message: body?.message }), failing: [...new Set(failing)].sort() };
}

function save(log, truth) {
  const isProbe = /"userAgent":"probe"/;
  const lines = log.split("\n").filter((line) => line !== "" && !isProbe.test(line));
  const ids = new Map(lines.map((line) => JSON.parse(line)).map((event) => [event.userAgent, event.auditID]));
  const known = truth.map(({ mark, ...rest }) => ({ auditID: ids.get(mark), ...rest }));
  const write = (name, text) => writeFileSync(path.join(folder, name), text);
  write("audit.log", lines.map((line) => `${line}\n`).join(""));
  write("truth.jsonl", known.map((each) => `${JSON.stringify(each)}\n`).join(""));
  write("cluster.json", asList([...namespaces, ...permissions, ...params, ...mutating]));
  write("tried.json", asList(denying(tried)));
  write("in-force.json", asList([...tried, ...inForce]));
  console.log(`${lines.length} lines, ${known.length} writes, ${gadgets.kind}s included`);
}

function asList(items) {
  return `${JSON.stringify({ apiVersion: "v1", kind: "List", items })}\n`;
}

/** As they are tried: for every request, and with denials. */
function denying(objects) {
  return objects.map((object) => {
    const { spec } = object;
    if (object.kind.endsWith("Binding")) return { ...object, spec: { ...spec, validationActions: ["Deny"] } };
    return { ...object, spec: { ...spec, matchConditions: spec.matchConditions.slice(1) } };
  });
}
