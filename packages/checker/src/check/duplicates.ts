/** Finds objects that are among the inputs more than once: the one that is applied last wins. */
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { objectId, readFile } from "../input/text.ts";
import { findingAt, findingInFile } from "../report/build.ts";
import type { Finding, ObjectId } from "../report/finding.ts";
import { folderOf } from "../repository/paths.ts";
import type { InputFile } from "../repository/survey.ts";

/** What identifies an object in a cluster, and the index of its file. */
export type Identity = readonly [key: string, file: number];

/** Objects without a name, or with a generated one, are never the same. */
export function addIdentity(object: JsonObject, file: number, into: Identity[]): void {
  const meta = object["metadata"];
  if (!isObject(meta) || typeof meta["name"] !== "string" || meta["name"] === "") return;
  into.push([keyOf(objectId(object)), file]);
}

function keyOf({ apiVersion, kind, namespace, name }: ObjectId): string {
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  return `${group}/${kind}/${namespace === "" ? "default" : namespace}/${name}`;
}

/** The files of a run. */
export interface InputTexts {
  inputAt(file: number): Pick<InputFile, "file" | "isTestData" | "namespacedBy">;
  at(file: number): string;
}

const RULE = "input/duplicate-object";

/**
 * Twice in one file, or a single object in two files of one folder, is probably a mistake. Files in several folders, or
 * with several objects in common, are variants of which one is applied; that is only a note.
 */
export function duplicateFindings(identities: readonly Identity[], texts: InputTexts): Finding[] {
  return [...pairsAmong(identities, texts).values()].flatMap(({ first, second, keys }) => {
    const [before, after] = [texts.inputAt(first).file, texts.inputAt(second).file];
    const isNear = first === second || (keys.length === 1 && folderOf(before) === folderOf(after));
    const isMistake = isNear && texts.inputAt(second).isTestData !== true;
    if (isMistake) return keys.flatMap((key) => mistake(key, first, second, texts));
    const message =
      keys.length === 1
        ? "an object of this file is also in another file"
        : `${keys.length} objects of this file are also in another file`;
    return [
      findingInFile(after, {
        rule: RULE,
        severity: "note",
        message,
        hint: `such as ${shownKey(keys[0] ?? "")} in ${before}`,
      }),
    ];
  });
}

interface Pair {
  readonly first: number;
  readonly second: number;
  readonly keys: string[];
}

/** What two files have in common. A file is compared with one earlier file: itself, one in its folder, or the first. */
function pairsAmong(identities: readonly Identity[], texts: InputTexts): ReadonlyMap<string, Pair> {
  const files = new Map<string, number[]>();
  for (const [key, file] of identities) {
    // Each kustomization puts its objects into a namespace of its own.
    const own = `${texts.inputAt(file).namespacedBy ?? ""}\0${key}`;
    const known = files.get(own);
    if (known === undefined) files.set(own, [file]);
    else known.push(file);
  }
  const folder = (file: number): string => folderOf(texts.inputAt(file).file);
  const pairs = new Map<string, Pair>();
  for (const [own, all] of files) {
    if (all.length === 1) continue;
    const key = own.slice(own.indexOf("\0") + 1);
    const sorted = all.sort((left, right) => left - right);
    const inFolder = new Map<string, number>();
    for (const [index, second] of sorted.entries()) {
      const own = folder(second);
      const first = inFolder.get(own) ?? sorted[0] ?? second;
      if (sorted[index - 1] === second) addPair(pairs, second, second, key);
      else if (index > 0) addPair(pairs, first, second, key);
      if (!inFolder.has(own)) inFolder.set(own, second);
    }
  }
  return pairs;
}

function addPair(pairs: Map<string, Pair>, first: number, second: number, key: string): void {
  const name = `${first} ${second}`;
  const known = pairs.get(name);
  if (known === undefined) pairs.set(name, { first, second, keys: [key] });
  else if (known.keys.at(-1) !== key) known.keys.push(key);
}

/** The kinds of the core group have no group, and some have no namespace. */
function shownKey(key: string): string {
  return key.replace(/^\//, "").replace("/default/", "/");
}

function mistake(key: string, first: number, second: number, texts: InputTexts): Finding[] {
  const documents = [...new Set([first, second])].flatMap((file) =>
    readFile(texts.inputAt(file).file, texts.at(file)).documents.filter(({ id }) => keyOf(id) === key),
  );
  const [before, ...repeated] = documents;
  if (before === undefined) return [];
  const { line } = before.lines.locate(before.offset + (before.source?.start ?? 0));
  return repeated.map((document) =>
    findingAt(document, {
      rule: RULE,
      severity: "warning",
      path: "metadata.name",
      message: "the same object is among the inputs more than once",
      hint: `it is also at ${before.file}:${line}`,
    }),
  );
}
