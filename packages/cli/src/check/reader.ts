/**
 * The thread that reads, of two: it decodes all files, hands the objects of built-in kinds to the other as JSON, and
 * checks all else itself once it knows the definitions.
 *
 * What is not plainly right (duplicate keys, suppressions, no object at all, numbers that JSON.parse would change) counts
 * as all else: whoever finds something works from the text.
 */
import { parentPort } from "node:worker_threads";
import { resourceInfos } from "@portcullis/engine/builtin/resources";
import { isArray, isObject, type JsonValue } from "@portcullis/engine/value/json";
import type { ManifestDocument } from "../input/manifest.ts";
import { readFile } from "../input/text.ts";
import { mayIgnore } from "../report/comments.ts";
import type { FromReader, FromWorker, ToReader } from "./protocol.ts";
import { mayDefine, Texts } from "./texts.ts";

/** Files that are handed over at a time. */
const BATCH = 64;

parentPort?.once("message", async ({ plan, given }: ToReader) => {
  const texts = new Texts(plan.files);
  for (const [index, text] of given) texts.keep(index, text);
  const definitionFiles: number[] = [];
  const left: number[] = [];
  const batch = new Batch();
  for (let index = 0; index < plan.files.length; index++) {
    const text = texts.at(index);
    const objects = mayDefine(text) || mayIgnore(text) ? undefined : builtInObjects(texts.nameOf(index), text);
    if (mayDefine(text)) definitionFiles.push(index);
    if (objects !== undefined) batch.add(index, objects);
    else {
      texts.keep(index, text);
      left.push(index);
    }
    if (batch.size === BATCH) batch.send(index);
  }
  batch.send(plan.files.length);
  // Only now: loading all that it takes to check would keep the other thread waiting.
  const { Share } = await import("./share.ts");
  const share = new Share(plan, texts, { definitionFiles });
  for (const index of left) share.check(index);
  const answer: FromWorker = { result: share.result() };
  parentPort?.postMessage(answer);
});

class Batch {
  #indices: number[] = [];
  #objects: string[] = [];

  get size(): number {
    return this.#indices.length;
  }

  add(index: number, objects: string): void {
    this.#indices.push(index);
    this.#objects.push(objects);
  }

  send(done: number): void {
    const message: FromReader = { indices: this.#indices, json: `[${this.#objects.join(",")}]`, done };
    parentPort?.postMessage(message);
    this.#indices = [];
    this.#objects = [];
  }
}

/** As JSON; undefined where there is anything else in the text. */
function builtInObjects(file: string, text: string): string | undefined {
  const { documents, problems } = readFile(file, text);
  if (problems.length > 0 || documents.length === 0 || !documents.every(isPlainBuiltIn)) return undefined;
  return JSON.stringify(documents.map(({ object }) => object));
}

function isPlainBuiltIn({ id, object, strictErrors }: ManifestDocument): boolean {
  return strictErrors.length === 0 && builtInKinds().has(`${id.apiVersion} ${id.kind}`) && isPlain(object);
}

let kinds: ReadonlySet<string> | undefined;

function builtInKinds(): ReadonlySet<string> {
  kinds ??= new Set(
    resourceInfos().map(({ group, version, kind }) => `${group === "" ? version : `${group}/${version}`} ${kind}`),
  );
  return kinds;
}

/** Whether JSON.parse brings the same value back. */
function isPlain(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  if (isArray(value)) return value.every(isPlain);
  if (!isObject(value)) return false;
  for (const key in value) if (!isPlain(value[key] as JsonValue)) return false;
  return true;
}
