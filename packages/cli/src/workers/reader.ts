/**
 * The reading thread of two: it decodes all files, hands objects of built-in kinds to the other thread as JSON and CRDs
 * by their files. Then it checks the remaining files.
 *
 * Files that need a closer look (duplicate keys, suppressions, documents that are not objects, numbers that JSON.parse
 * would change) remain too: their findings need the source text.
 */
import { parentPort } from "node:worker_threads";
import {
  dependsOnContext,
  isDefinition,
  mayDefine,
  mayHaveContext,
  mayHavePodSecurity,
} from "@portcullis/checker/internal/check/definition";
import { Texts } from "@portcullis/checker/internal/check/texts";
import type { InputFile } from "@portcullis/checker/internal/input/files";
import { readObjects } from "@portcullis/checker/internal/input/objects";
import { mayIgnore } from "@portcullis/checker/internal/report/comments";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { resourceInfos } from "@portcullis/engine/internal/builtin/resources";
import { isArray, isObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { BATCH, type Batch, checkBatch, claims, type FromReader, type Rest, type ToReader, takes } from "./protocol.ts";
import { storeCode } from "./store-code.ts";

parentPort?.once("message", async ({ plan, taken, counter }: ToReader) => {
  const texts = new Texts(plan.files, plan.values);
  const { batches, rest } = readAll(plan.files.length, texts);
  // Loaded lazily: loading the whole checker first would delay the other thread.
  const { Chunk } = await import("@portcullis/checker/internal/check/chunk");
  const chunk = new Chunk(plan, texts, rest);
  for (const at of claims(counter, rest.files.length)) await chunk.check(rest.files[at] ?? -1);
  for (const batch of batches.reverse()) if (takes(taken, batch.number)) await checkBatch(batch, chunk);
  storeCode();
  post({ result: chunk.result() });
});

function post(message: FromReader): void {
  parentPort?.postMessage(message);
}

function readAll(count: number, texts: Texts): { readonly batches: Batch[]; readonly rest: Rest } {
  const batches: Batch[] = [];
  const contextFiles: number[] = [];
  const files: number[] = [];
  let next = new NextBatch();
  const send = (done: number): void => {
    const batch = next.finish(batches.length, done);
    batches.push(batch);
    post(batch);
    next = new NextBatch();
  };
  for (let index = 0; index < count; index++) {
    const text = texts.at(index);
    if (mayHavePodSecurity(text)) post({ isRefused: true });
    if (texts.inputAt(index).isTestData !== true && mayHaveContext(text)) contextFiles.push(index);
    if (!next.take(index, texts.inputAt(index), text)) {
      texts.keep(index, text);
      files.push(index);
    }
    if (next.size === BATCH) send(index);
  }
  send(count);
  const rest = { files, contextFiles };
  post(rest);
  return { batches, rest };
}

class NextBatch {
  readonly #indices: number[] = [];
  readonly #objects: string[] = [];
  readonly #definitions: number[] = [];

  get size(): number {
    return this.#indices.length + this.#definitions.length;
  }

  /** Whether the file can be checked before all CRDs are known. */
  take(index: number, input: InputFile, text: string): boolean {
    if (mayIgnore(text) || isPlainlyCustom(text)) return false;
    const { documents, problems, skipped, others } = readObjects(input, text);
    if (problems.length + skipped.length + others > 0 || documents.length === 0) return false;
    if (documents.every(isDefinition)) {
      this.#definitions.push(index);
      return true;
    }
    if (!documents.every(isPlainBuiltIn)) return false;
    this.#indices.push(index);
    this.#objects.push(JSON.stringify(documents.map(({ object }) => object)));
    return true;
  }

  finish(number: number, done: number): Batch {
    const json = `[${this.#objects.join(",")}]`;
    return { number, indices: this.#indices, json, definitions: this.#definitions, done };
  }
}

const API_VERSION = /^apiVersion:[ \t]*([^\s#"']+)/m;
const KIND = /^kind:[ \t]*([^\s#"']+)/m;

/** Whether the text obviously contains another kind, so that it can be assigned without decoding it. */
function isPlainlyCustom(text: string): boolean {
  const [apiVersion, kind] = [API_VERSION.exec(text)?.[1], KIND.exec(text)?.[1]];
  if (apiVersion === undefined || kind === undefined) return false;
  return !builtInKinds().has(`${apiVersion} ${kind}`) && !mayDefine(kind);
}

function isPlainBuiltIn(document: ManifestDocument): boolean {
  const { id, object, strictErrors } = document;
  return (
    strictErrors.length === 0 &&
    !dependsOnContext(document) &&
    builtInKinds().has(`${id.apiVersion} ${id.kind}`) &&
    isPlain(object)
  );
}

let kinds: ReadonlySet<string> | undefined;

function builtInKinds(): ReadonlySet<string> {
  kinds ??= new Set(
    resourceInfos().map(({ group, version, kind }) => `${group === "" ? version : `${group}/${version}`} ${kind}`),
  );
  return kinds;
}

/** Whether JSON.parse restores the same value. */
function isPlain(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  if (isArray(value)) return value.every(isPlain);
  if (!isObject(value)) return false;
  for (const key in value) if (!isPlain(value[key] as JsonValue)) return false;
  return true;
}
