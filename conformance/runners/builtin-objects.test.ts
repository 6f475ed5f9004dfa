/** Objects of built-in kinds against what kube-apiserver made of them; see corpora/builtin/PROVENANCE.md. */
import { readFileSync } from "node:fs";
import { defaultTolerations } from "@portcullis/engine/internal/admission/default-tolerations";
import { taintNodesByCondition } from "@portcullis/engine/internal/admission/standard/node-taints";
import { storageProtection } from "@portcullis/engine/internal/admission/storage-protection";
import { type BuiltinResource, builtinResources } from "@portcullis/engine/internal/builtin/builtin";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { invalid, StatusError, statusBody } from "@portcullis/engine/internal/status/error";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { asVersion } from "@portcullis/engine/internal/value/server-version";
import { expect, test } from "vitest";
import { RECORDED_VERSION } from "./recorded-version.ts";

const lines = readFileSync(new URL("../corpora/builtin/objects.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const cases = lines.map((line) => parse(line));

test.each(cases.map((each) => [String(each["name"]), each]))("%s", async (_, recorded) => {
  const answer = member(recorded, "answer");
  const path = String(recorded["path"]);
  const given = await create(path, JSON.stringify(recorded["body"]), answer);
  expect(masked(given)).toEqual(masked(answer));
});

const shown = cases.filter((each) => each["cells"] !== undefined && tableOf(each) !== undefined);

test.each(shown.map((each) => [String(each["name"]), each]))("table: %s", (_, recorded) => {
  const columns = tableOf(recorded) ?? [];
  const age = (time: string) => (time === "" ? "<unknown>" : "0s");
  const cells = columns.map(({ cell }) => cell(member(recorded, "answer"), age));
  const { columns: names, cells: expected } = JSON.parse(JSON.stringify(recorded));
  expect(columns.map(({ name, type, format, priority }) => [name, type, format, priority])).toEqual(names);
  expect(cells).toEqual(
    expected.map((cell: unknown) => (typeof cell === "string" && /^(\d+s|\d+y\d+d)$/.test(cell) ? "0s" : cell)),
  );
});

function tableOf(recorded: JsonObject) {
  return resourceAt(String(recorded["path"])).tableColumns;
}

const updates = readFileSync(new URL("../corpora/builtin/updates.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");

test.each(updates.map((line) => [nameOf(line), parse(line)] as const))("update: %s", async (_, recorded) => {
  expect(masked(await update(recorded))).toEqual(masked(member(recorded, "answer")));
});

async function update(recorded: JsonObject): Promise<JsonObject> {
  const resource = resourceAt(String(recorded["path"]));
  const [before, answer] = [member(recorded, "before"), member(recorded, "answer")];
  const text = JSON.stringify(recorded["update"]);
  const decoded = decodeJson(text, { duplicates: true });
  if (decoded.error !== undefined) throw new Error(decoded.error);
  const { object } = asRecorded(() => resource.decode({ value: decoded.value, strictErrors: [], text }, "Strict"));
  const [meta, old] = [member(object, "metadata"), member(before, "metadata")];
  const { uid, namespace, creationTimestamp } = old;
  const { resourceVersion } = answer["kind"] === "Status" ? old : member(answer, "metadata");
  const system = Object.entries({ uid, namespace, creationTimestamp, resourceVersion }).filter(
    ([, value]) => value !== undefined,
  );
  const metadata: JsonObject = Object.assign({ ...meta }, Object.fromEntries(system));
  const draft: JsonObject = { ...object, metadata };
  if (recorded["subresource"] === "status") {
    return asRecorded(() => resource.encode(resource.prepareStatusUpdate(draft, before, context(answer))));
  }
  const admitted = await mutated(resource, "UPDATE", draft);
  return asRecorded(() => {
    const prepared = resource.prepareUpdate(admitted, before, context(answer));
    const errors = resource.validateUpdate(prepared, before);
    if (errors.length === 0) return resource.encode(prepared);
    return statusBody(invalid({ group: resource.statusGroup, kind: resource.kind }, String(meta["name"]), errors));
  });
}

function asRecorded<T>(run: () => T): T {
  return asVersion(RECORDED_VERSION, run);
}

/** The object after the plugins that change objects whatever else is in the cluster. */
async function mutated(resource: BuiltinResource, operation: string, object: JsonObject): Promise<JsonObject> {
  const endpoint = { type: { group: resource.group, plural: resource.plural }, subresource: undefined };
  let result = object;
  for (const { mutate } of [defaultTolerations(), storageProtection, taintNodesByCondition]) {
    result = (await mutate?.({ endpoint, operation, object: result } as never, undefined as never)) ?? result;
  }
  return result;
}

function nameOf(line: string): string {
  return String(parse(line)["name"]);
}

/** The response of the server, given the values it generated last time. */
async function create(path: string, body: string, answer: JsonObject): Promise<JsonObject> {
  const resource = resourceAt(path);
  const meta = member(answer, "metadata");
  try {
    const value = decodeJson(body, { duplicates: true });
    if (value.error !== undefined) throw new Error(value.error);
    const { object } = asRecorded(() =>
      resource.decode({ value: value.value, strictErrors: value.strictErrors, text: body }, "Strict"),
    );
    const metadata = { ...member(object, "metadata"), ...systemFields(meta, answer) };
    if (resource.namespaced) metadata["namespace"] = "default";
    const admitted = await mutated(resource, "CREATE", { ...object, metadata });
    return asRecorded(() => {
      const prepared = resource.prepareCreate(admitted, context(answer));
      const errors = resource.validateCreate(prepared);
      const kind = { group: resource.statusGroup, kind: resource.kind };
      if (errors.length > 0) throw invalid(kind, String(metadata["name"] ?? ""), errors);
      return resource.encode(prepared);
    });
  } catch (error) {
    if (error instanceof StatusError) return statusBody(error);
    throw error;
  }
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

function systemFields(meta: JsonObject, answer: JsonObject): JsonObject {
  const { name, uid, creationTimestamp, resourceVersion } = meta;
  const given: JsonObject = {};
  // The refusal of a job contains the uid it would have had.
  const quoted = UID.exec(JSON.stringify(answer))?.[0];
  if (typeof uid === "string") Object.assign(given, { name, uid, creationTimestamp, resourceVersion });
  else if (quoted !== undefined) given["uid"] = quoted;
  return given;
}

function context(answer: JsonObject) {
  const spec = member(answer, "spec");
  const ports = Array.isArray(spec["ports"]) ? spec["ports"].filter(isObject) : [];
  return {
    now: () => String(member(answer, "metadata")["creationTimestamp"]),
    clusterIp: () => (typeof spec["clusterIP"] === "string" ? spec["clusterIP"] : "10.0.0.1"),
    nodePort: () => Number(ports.shift()?.["nodePort"] ?? 30000),
  };
}

function resourceAt(path: string): BuiltinResource {
  const parts = path.split("/").slice(1);
  const [group, version] = parts[0] === "api" ? ["", "v1"] : [parts[1], parts[2]];
  const found = builtinResources().find(
    (each) => each.group === group && each.version === version && each.plural === parts.at(-1),
  );
  if (found === undefined) throw new Error(`no resource at ${path}`);
  return found;
}

/** Errors about members of a map have no fixed order. */
function masked(answer: JsonObject): unknown {
  const { managedFields: _, ...metadata } = member(answer, "metadata");
  const { causes } = member(answer, "details");
  const plain = JSON.parse(JSON.stringify({ ...answer, metadata }));
  if (!Array.isArray(causes) || causes.length < 2) return plain;
  plain.details.causes = causes.map((cause) => JSON.stringify(cause)).sort();
  return { ...plain, message: plain.message.replace(/is invalid: .*/s, "is invalid") };
}

function parse(text: string): JsonObject {
  const decoded = decodeJson(text);
  if (decoded.error !== undefined || !isObject(decoded.value)) throw new Error("a line of the corpus is not an object");
  return decoded.value;
}

function member(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : newObject();
}
