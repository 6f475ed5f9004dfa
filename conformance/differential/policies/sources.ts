/** Policies to edit: the example policies, and both sides of the pairs of the corpus. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { loadObjects } from "@portcullis/checker/internal/policy/load";
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

function exampleSources(): PolicySource[] {
  return readdirSync(EXAMPLES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, objects: withoutSuites(loadObjects([path.join(EXAMPLES, name)])) }));
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
