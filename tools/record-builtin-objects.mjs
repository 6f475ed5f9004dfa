/**
 * Records again what a running kube-apiserver makes of the bodies in conformance/corpora/builtin/objects.jsonl: each is
 * created, the answer written down, and the object deleted.
 *
 *   REFERENCE_SERVER=https://host:port REFERENCE_TOKEN=... NODE_TLS_REJECT_UNAUTHORIZED=0 node tools/record-builtin-objects.mjs
 */
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../conformance/corpora/builtin/objects.jsonl", import.meta.url);
const { REFERENCE_SERVER: server, REFERENCE_TOKEN: token } = process.env;
const lines = readFileSync(file, "utf8").trim().split("\n");
const recorded = [];
for (const line of lines) {
  const { name, path, body } = JSON.parse(line);
  const { status, answer, warnings } = await send("POST", path, body);
  recorded.push(JSON.stringify({ name, path, body, code: status, answer, warnings }));
  if (status !== 201) continue;
  const url = `${path}/${answer.metadata.name}`;
  if (answer.metadata.finalizers !== undefined) await send("PATCH", url, { metadata: { finalizers: null } });
  await send("DELETE", url, { gracePeriodSeconds: 0, propagationPolicy: "Background" });
}
writeFileSync(file, `${recorded.join("\n")}\n`);

async function send(method, url, body) {
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const headers = { authorization: `Bearer ${token}`, "content-type": type, "user-agent": "recorder" };
  const response = await fetch(server + url, { method, headers, body: JSON.stringify(body) });
  const warnings = response.headers.get("warning") ?? undefined;
  return { status: response.status, answer: await response.json(), warnings };
}
