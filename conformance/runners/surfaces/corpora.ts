/** All corpora that have writes of objects, in the one form that surfaces take. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import type { ObjectCase } from "../policy/object-case.ts";
import type { RequestCase } from "../policy/request-case.ts";
import { outcomeOf } from "../vectors/replay.ts";
import type { Step, Suite, Vector } from "../vectors/vector.ts";
import { engineCorpora } from "./engine-corpora.ts";
import type { SurfaceCase } from "./surface.ts";

type Json = ReturnType<typeof JSON.parse>;

export interface Corpus {
  readonly topic: string;
  readonly read: () => readonly SurfaceCase[];
}

const folder = path.join(import.meta.dirname, "../../corpora");

export function surfaceCorpora(): readonly Corpus[] {
  return [
    // For vectors.test.ts alone: only the server calls webhooks.
    ...vectorCorpora(path.join(folder, "vectors")).filter(({ topic }) => !topic.includes("webhook")),
    { topic: "builtin-objects", read: () => lines("builtin/objects").map(builtinCreate) },
    { topic: "builtin-updates", read: () => lines("builtin/updates").map(builtinUpdate) },
    ...engineCorpora(),
    { topic: "policy-objects", read: () => lines("policy/objects").map(policyObject) },
    {
      topic: "policy-requests",
      read: () => lines("policy/requests").map((request: RequestCase) => ({ id: request.id, request })),
    },
  ];
}

/** One corpus for each file of a folder with vectors. */
export function vectorCorpora(from: string): readonly Corpus[] {
  const files = readdirSync(from).filter((name) => /\.json(\.gz)?$/.test(name));
  return files.sort().map((file) => ({
    topic: file.replace(/\.json(\.gz)?$/, ""),
    read: () => readSuite(path.join(from, file)).vectors.map((vector) => ({ id: hashOf(vector.name), vector })),
  }));
}

function readSuite(file: string): Suite {
  const bytes = readFileSync(file);
  return JSON.parse((file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString());
}

function hashOf(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 10);
}

function lines(name: string): Json[] {
  const text = readFileSync(path.join(folder, `${name}.jsonl`), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** The recorder left out kinds, which a manifest has. */
function withKind(body: Json, answer: Json, at: string): Json {
  const [group, version] = at.startsWith("/apis/") ? at.split("/").slice(2) : ["", "v1"];
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const kind = answer.kind === "Status" ? /^(\w+)/.exec(answer.message)?.[1] : answer.kind;
  return { apiVersion, kind, ...body };
}

function builtinCreate({ name, path: at, body, answer, code }: Json): SurfaceCase {
  const step: Step = { method: "POST", path: `${at}?fieldValidation=Strict`, body: withKind(body, answer, at) };
  const vector = recordedVector(name, [], { step, answer, code });
  // A limit range would apply to the pods of later cases.
  const cleanup: Step[] = [{ method: "DELETE", path: `${at}/${body.metadata.name}` }];
  return { id: name, vector: { ...vector, cleanup } };
}

function builtinUpdate({ name, path: at, create, update, answer, subresource }: Json): SurfaceCase {
  const setup: Step = { method: "POST", path: at, body: withKind(create, answer, at) };
  const target = `${at}/${create.metadata.name}${subresource === undefined ? "" : `/${subresource}`}`;
  const step: Step = {
    method: "PUT",
    path: `${target}?fieldValidation=Strict`,
    body: withVersion(withKind(update, answer, at)),
  };
  const code = answer.kind === "Status" ? answer.code : 200;
  return { id: name, vector: recordedVector(name, [setup], { step, answer, code }) };
}

function withVersion(object: Json): Json {
  return { ...object, metadata: { ...object.metadata, resourceVersion: "{{rv}}" } };
}

interface Recorded {
  readonly step: Step;
  readonly answer: Json;
  readonly code: number;
}

function recordedVector(name: string, setup: readonly Step[], { step, answer, code }: Recorded): Vector {
  const { warnings: _, ...wanted } = outcomeOf({ code, json: answer, text: "", warnings: [] }, step);
  // The order of findings about members of a map is random.
  return { name, setup, steps: [step], unordered: true, expect: [wanted] };
}

const ADMISSION = "/apis/admissionregistration.k8s.io/v1";
const PLURALS: Readonly<Record<string, string>> = {
  ValidatingAdmissionPolicy: "validatingadmissionpolicies",
  ValidatingAdmissionPolicyBinding: "validatingadmissionpolicybindings",
};

function policyObject({ id, object, old, expect }: ObjectCase & Json): SurfaceCase {
  const at = `${ADMISSION}/${PLURALS[object.kind]}`;
  const place = `${at}/${object.metadata.name}`;
  const part = object.status === undefined ? "" : "/status";
  const setup: Step[] = old === undefined ? [] : [{ method: "POST", path: at, body: old }];
  const step: Step = {
    method: old === undefined ? "POST" : "PUT",
    path: `${old === undefined ? at : `${place}${part}`}?fieldValidation=Strict`,
    body: old === undefined ? object : withVersion(object),
    ...(expect.spec !== undefined && { pick: ["/spec"] }),
  };
  const { spec, ...rest } = expect;
  const wanted = spec === undefined ? rest : { ...rest, object: { "/spec": spec } };
  const cleanup: Step[] = [{ method: "DELETE", path: place }];
  return { id, vector: { name: id, setup, steps: [step], cleanup, expect: [wanted] } };
}
