/** Policies to edit: the example policies, and both sides of the pairs of the corpus. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { loadObjects } from "@portcullis/checker/internal/policy/load";
import { missingBindings } from "@portcullis/checker/internal/prove/proof-inputs";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";

export interface PolicySource {
  readonly name: string;
  readonly objects: readonly JsonObject[];
}

const ROOT = path.join(import.meta.dirname, "../../..");
const EXAMPLES = path.join(ROOT, "examples/policies");
const CORPUS = path.join(ROOT, "conformance/corpora/policy-proofs");

interface CorpusPair {
  readonly id: string;
  readonly old: { readonly policy: object; readonly binding: object };
  readonly new: { readonly policy: object; readonly binding: object };
  readonly objects: readonly string[];
}

export function policySources(): PolicySource[] {
  return [...exampleSources(), ...corpusSources()];
}

export function exampleSources(): PolicySource[] {
  return folderSources(EXAMPLES);
}

/** One source for each folder of a folder; policies without a binding are bound to all that they match. */
export function folderSources(root: string): PolicySource[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const objects = withoutSuites(loadObjects([path.join(root, name)]));
      return { name, objects: [...objects, ...missingBindings(objects)] };
    });
}

/** Suites are only for tests. */
export function withoutSuites(objects: readonly JsonObject[]): JsonObject[] {
  return objects.filter(({ apiVersion }) => !String(apiVersion).startsWith("test.portcullis.dev/"));
}

function corpusSources(): PolicySource[] {
  const read = (name: string): string => readFileSync(path.join(CORPUS, name), "utf8");
  const shared: Record<string, object> = JSON.parse(read("objects.json"));
  const pairs = read("pairs.jsonl")
    .split("\n")
    .filter((line) => line !== "");
  return pairs
    .map((line): CorpusPair => JSON.parse(line))
    .flatMap((pair) => {
      const others = pair.objects.map((name) => shared[name] ?? {});
      return (["old", "new"] as const).map((side) => ({
        name: `${pair.id} ${side}`,
        objects: [pair[side].policy, pair[side].binding, ...others].map((each) => toObject(each)),
      }));
    });
}

function toObject(plain: object): JsonObject {
  const made = fromPlain(plain);
  if (!isObject(made)) throw new Error("a source holds objects");
  return made;
}
