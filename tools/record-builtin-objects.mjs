/**
 * Records again how a running kube-apiserver handles the bodies in conformance/corpora/builtin: those of objects.jsonl
 * are created, those of updates.jsonl created and updated; the responses are recorded and the objects deleted.
 *
 *   REFERENCE_SERVER=https://host:port REFERENCE_TOKEN=... NODE_TLS_REJECT_UNAUTHORIZED=0 node tools/record-builtin-objects.mjs
 */
import { readFileSync, writeFileSync } from "node:fs";

const folder = new URL("../conformance/corpora/builtin/", import.meta.url);
const { REFERENCE_SERVER: server, REFERENCE_TOKEN: token } = process.env;
await rewrite("objects.jsonl", recordCreate);
await rewrite("updates.jsonl", recordUpdate);

async function rewrite(name, record) {
  const file = new URL(name, folder);
  const recorded = [];
  for (const line of readFileSync(file, "utf8").trim().split("\n"))
    recorded.push(JSON.stringify(await record(JSON.parse(line))));
  writeFileSync(file, `${recorded.join("\n")}\n`);
}

async function recordCreate({ name, path, body }) {
  const { status, answer, warnings } = await send("POST", path, body);
  if (status !== 201) return { name, path, body, code: status, answer, warnings };
  const url = `${path}/${answer.metadata.name}`;
  const { answer: table } = await send("GET", url);
  const columns = table.columnDefinitions.map(({ name, type, format, priority }) => [name, type, format, priority]);
  await remove(url, answer);
  return { name, path, body, code: status, answer, warnings, columns, cells: table.rows[0].cells };
}

/** An update of a job must contain the selector that the server generated. */
async function recordUpdate({ name, path, create, update, subresource }) {
  const { answer: before } = await send("POST", path, create);
  const url = `${path}/${before.metadata.name}`;
  const { metadata } = before;
  const body = { ...update, metadata: { ...update.metadata, resourceVersion: metadata.resourceVersion } };
  const { status, answer } = await send("PUT", subresource === undefined ? url : `${url}/${subresource}`, body);
  await remove(url, before);
  return { name, path, create, update, subresource, before, code: status, answer };
}

async function remove(url, { metadata }) {
  if (metadata.finalizers !== undefined) await send("PATCH", url, { metadata: { finalizers: null } });
  await send("DELETE", url, { gracePeriodSeconds: 0, propagationPolicy: "Background" });
}

async function send(method, url, body) {
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const headers = { authorization: `Bearer ${token}`, "content-type": type, "user-agent": "recorder" };
  if (method === "GET") headers.accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const response = await fetch(server + url, { method, headers, body: body && JSON.stringify(body) });
  const warnings = response.headers.get("warning") ?? undefined;
  return { status: response.status, answer: await response.json(), warnings };
}
