/** Executes the steps of docs/designs.md: each requirement of the five designs can be seen to work. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { decodeDocuments } from "@portcullis/engine/internal/codec/documents";
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { apiVersionOf, type ResourceKind } from "@portcullis/engine/internal/review/kind";
import { toPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText, textOf } from "@portcullis/engine/internal/value/metadata";
import type { KubernetesVersion } from "@portcullis/engine/internal/value/server-version";
import { describe, expect, test } from "vitest";
import { run } from "../../packages/cli/src/commands/run.ts";
import { type Client, openClient } from "../../packages/server/src/app/app.testing.ts";
import { MemoryStore } from "../../packages/server/src/storage/memory.ts";

const ROOT = path.join(import.meta.dirname, "..", "..", "examples", "designs");
const TIMEOUT_MS = 60_000;

interface Design {
  readonly design: string;
  readonly folder: string;
  readonly requirements: readonly Requirement[];
}

interface Requirement {
  readonly id: string;
  readonly asks: string;
  /** Files with objects that are created first. */
  readonly apply?: readonly string[];
  readonly gates?: Gates;
  /** The version of the server; the newest if it is not given. */
  readonly version?: KubernetesVersion;
  readonly see: readonly Step[];
}

type Gates = Readonly<Record<string, boolean>>;
type Texts = string | readonly string[] | undefined;

interface Step {
  /** A command line. */
  readonly run?: string;
  readonly exit?: number;
  readonly prints?: Texts;
  /** `METHOD path` */
  readonly send?: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly accept?: string;
  readonly user?: string;
  readonly code?: number;
  readonly says?: Texts;
  readonly warns?: Texts;
  readonly lacks?: Texts;
  /** The same data with other gates. */
  readonly restart?: Gates;
}

const DESIGNS = readdirSync(ROOT)
  .filter((folder) => existsSync(path.join(ROOT, folder, "requirements.yaml")))
  .map(readDesign);

describe.each(DESIGNS)("$design", ({ folder, requirements }) => {
  test.each(requirements)("$id: $asks", (requirement) => execute(requirement, path.join(ROOT, folder)), TIMEOUT_MS);
});

function readDesign(folder: string): Design {
  const decoded = decodeYaml(readFileSync(path.join(ROOT, folder, "requirements.yaml"), "utf8"), { duplicates: true });
  if (decoded.error !== undefined) throw new Error(`${folder}: ${decoded.error}`);
  expect(decoded.strictErrors).toEqual([]);
  return { ...(toPlain(decoded.value) as unknown as Design), folder };
}

async function execute(requirement: Requirement, folder: string): Promise<void> {
  const store = new MemoryStore();
  let api: Client | undefined;
  const server = async (gates: Gates | undefined = requirement.gates): Promise<Client> => {
    if (api !== undefined) return api;
    const { version } = requirement;
    api = await openClient({ store, ...(gates && { gates }), ...(version && { version }) });
    await api.app.settled();
    return api;
  };
  for (const file of requirement.apply ?? []) await createAll(await server(), path.join(folder, file));
  for (const step of requirement.see) {
    if (step.restart !== undefined) {
      api = undefined;
      await server(step.restart);
    } else if (step.run !== undefined) await runStep(step, step.run, folder);
    else await sendStep(step, await server(), folder);
  }
}

async function createAll(api: Client, file: string): Promise<void> {
  for (const object of objectsOf(file)) {
    const kind = api.app.context.registry.all().find((each) => isOfKind(object, each));
    if (kind === undefined) throw new Error(`${file}: unknown kind ${textOf(object["kind"])}`);
    const root = kind.group === "" ? "/api/v1" : `/apis/${apiVersionOf(kind)}`;
    const place = kind.namespaced ? `/namespaces/${metaText(object, "namespace") || "default"}` : "";
    const { code, text } = await api.post(`${root}${place}/${kind.plural}`, toPlain(object));
    expect(code, text).toBe(201);
    await api.app.settled();
  }
}

function isOfKind(object: JsonObject, kind: ResourceKind): boolean {
  return object["apiVersion"] === apiVersionOf(kind) && object["kind"] === kind.kind;
}

function objectsOf(file: string): JsonObject[] {
  return decodeDocuments(readFileSync(file, "utf8")).flatMap(({ document }) => {
    if (document.error !== undefined) throw new Error(`${file}: ${document.error}`);
    return isObject(document.value) ? [document.value] : [];
  });
}

async function runStep({ exit = 0, prints, lacks }: Step, command: string, folder: string): Promise<void> {
  const [program, ...args] = words(command);
  expect(program).toBe("portcullis");
  let output = "";
  const write = (text: string): void => {
    output += text.replaceAll(`${folder}/`, "");
  };
  // Files of the folder are named as if the command ran there.
  const placed = args.map((arg) => (existsSync(path.join(folder, arg)) && arg !== "" ? path.join(folder, arg) : arg));
  const code = await run(placed, { stdout: write, stderr: write, stdin: () => "", color: false });
  expect(code, output).toBe(exit);
  for (const text of texts(prints)) expect(output).toContain(text);
  for (const text of texts(lacks)) expect(output).not.toContain(text);
}

/** Splits a command line; quotes keep spaces. */
function words(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

async function sendStep(step: Step, api: Client, folder: string): Promise<void> {
  const [method = "", url = ""] = (step.send ?? "").split(" ", 2);
  const answer = await api.send(method, url, {
    ...bodyOf(step.body, folder),
    ...(step.type !== undefined && { type: step.type }),
    ...(step.accept !== undefined && { headers: { accept: step.accept } }),
    ...(step.user !== undefined && { token: step.user }),
  });
  await api.app.settled();
  if (step.code !== undefined) expect(answer.code, answer.text).toBe(step.code);
  for (const text of texts(step.says)) expect(answer.text.replaceAll('\\"', '"')).toContain(text);
  for (const text of texts(step.lacks)) expect(answer.text).not.toContain(text);
  for (const text of texts(step.warns)) expect(answer.warnings.replaceAll('\\"', '"')).toContain(text);
}

/** The text of a file, as it is, or a value. */
function bodyOf(body: unknown, folder: string): { raw?: string; body?: unknown; type?: string } {
  if (body === undefined) return {};
  if (typeof body !== "string") return { body };
  const type = body.endsWith(".json") ? "application/json" : "application/yaml";
  return { raw: readFileSync(path.join(folder, body), "utf8"), type };
}

function texts(value: Texts): readonly string[] {
  return value === undefined ? [] : [value].flat();
}
