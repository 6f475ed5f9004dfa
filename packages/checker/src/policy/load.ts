/** Loads objects that are written inline or in another file. */
import { existsSync } from "node:fs";
import path from "node:path";
import { isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { readInputs } from "../input/documents.ts";
import { isSource } from "../input/sources.ts";
import { UsageError } from "../input/usage-error.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import * as messages from "./messages.ts";

/** All objects of files and folders; unreadable input is an error, and a link that points nowhere is not input. */
export function loadDocuments(paths: readonly string[], stdin?: () => string): readonly ManifestDocument[] {
  const { documents, problems } = readInputs(present(paths), stdin);
  const problem = problems.find(({ severity }) => severity === "error");
  if (problem !== undefined) throw new UsageError(messages.unreadable(problem.file, problem.message));
  return documents;
}

/** A path that is missing is an error of the input that names it. */
function present(paths: readonly string[]): readonly string[] {
  for (const each of paths) {
    const isFile = each !== "-" && !isSource(each) && !/[*?[{]/.test(each);
    if (isFile && !existsSync(each)) throw new UsageError(messages.noSuchFile(each));
  }
  return paths;
}

export function loadObjects(paths: readonly string[], folder = "."): JsonObject[] {
  return loadDocuments(paths.map((each) => path.resolve(folder, each))).map(({ object }) => object);
}

/** An inline object, or an object of a file: `FILE`, or `FILE#NAME` if the file holds several. */
export function loadObject(value: JsonValue, place: string, folder: string): JsonObject {
  if (isObject(value)) return value;
  if (typeof value !== "string") throw new UsageError(messages.notOf(place, "an object or the path of a file"));
  const [file = "", name] = value.split("#");
  const documents = loadDocuments([path.resolve(folder, file)]);
  const found = name === undefined ? documents : documents.filter(({ id }) => id.name === name);
  const [first] = found;
  if (first === undefined) throw new UsageError(messages.noObjectIn(value));
  if (found.length > 1) throw new UsageError(messages.severalObjects(value, found.length));
  return first.object;
}
