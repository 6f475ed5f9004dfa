/** CRDs of consecutive releases of published projects, as pairs; see `corpora/upgrade/PROVENANCE.md`. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";

export interface ReleasePair {
  readonly project: string;
  /** The CRD, with the releases it changed between. */
  readonly id: string;
  /** Decoded, as `compareDefinitions` takes them. */
  readonly old: () => JsonObject;
  readonly new: () => JsonObject;
}

interface Release {
  readonly name: string;
  readonly release: string;
  readonly json: string;
}

const folder = path.join(import.meta.dirname, "../../corpora/upgrade/releases");
/** More recorded releases, which are not committed. */
const more = process.env["UPGRADE_MORE_RELEASES"];

export const projects: readonly string[] = projectsIn(folder);

/** Projects that are only in the folder that `UPGRADE_MORE_RELEASES` names. */
export const otherProjects: readonly string[] =
  more === undefined ? [] : projectsIn(more).filter((name) => !projects.includes(name));

function projectsIn(place: string): string[] {
  return readdirSync(place)
    .filter((name) => name.endsWith(".br"))
    .map((name) => name.slice(0, -".br".length))
    .sort();
}

export function readPairs(project: string): ReleasePair[] {
  const place = projects.includes(project) ? folder : (more ?? folder);
  const text = brotliDecompressSync(readFileSync(path.join(place, `${project}.br`))).toString("utf8");
  const lines = text
    .split("\n")
    .filter((line) => line !== "")
    .map(parseLine);
  return lines.flatMap((next, index) => {
    const old = lines[index - 1];
    if (old === undefined || old.name !== next.name) return [];
    const id = `${next.name} ${old.release} ${next.release}`;
    return [{ project, id, old: () => decode(old), new: () => decode(next) }];
  });
}

function parseLine(line: string): Release {
  const tab = line.indexOf("\t");
  const { name, release } = JSON.parse(line.slice(0, tab));
  return { name, release, json: line.slice(tab + 1) };
}

function decode({ name, release, json }: Release): JsonObject {
  const read = decodeJson(json);
  const value = read.error === undefined ? read.value : undefined;
  const decoded = decodeDefinition(isObject(value) ? value : {});
  if (decoded.error !== undefined) throw new Error(`${name} ${release}: ${decoded.error}`);
  return decoded.value;
}
