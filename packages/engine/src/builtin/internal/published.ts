/** Which fields of kube-apiserver's internal structs a version has: those that it publishes. */
import { KUBERNETES_VERSIONS, minorOf } from "../../value/server-version.ts";
import { PACKAGES, TYPES } from "../generated/kinds.ts";
import { type StructType, structOnLine } from "../types.ts";

const versionsWith = new Map<string, ReadonlySet<number>>();

/**
 * Whether an internal struct such as `core.PodSpec` has a field in a version, by the field's published name. A field that
 * no version publishes is internal, and all have it.
 */
export function hasField(type: string, wire: string, minor: number): boolean {
  const key = `${type} ${wire}`;
  const known = versionsWith.get(key) ?? minorsWith(type, wire);
  versionsWith.set(key, known);
  return known.size === 0 || known.has(minor);
}

function minorsWith(type: string, wire: string): ReadonlySet<number> {
  const line = publishedLine(type);
  if (line === undefined) return new Set();
  const minors = KUBERNETES_VERSIONS.map(minorOf);
  return new Set(minors.filter((minor) => structOnLine(line, minor).members.has(wire)));
}

/** The published struct of an internal one in a version: that of `k8s.io/api/core/v1` for `core.PodSpec`. */
export function publishedStruct(type: string, minor: number): StructType | undefined {
  const line = publishedLine(type);
  return line === undefined ? undefined : structOnLine(line, minor);
}

const lines = new Map<string, number | undefined>();

function publishedLine(type: string): number | undefined {
  if (!lines.has(type)) lines.set(type, findLine(type));
  return lines.get(type);
}

function findLine(type: string): number | undefined {
  const [group = "", name = ""] = type.split(".");
  const starts = PACKAGES.map((text) => Number(text.slice(0, text.indexOf(" "))));
  const found = PACKAGES.flatMap((text, index) => {
    if (!text.includes(group === "v1" ? "/meta/v1" : `/api/${group}/`)) return [];
    const end = starts[index + 1] ?? TYPES.length;
    const within = TYPES.slice(starts[index], end).findIndex((line) =>
      line.startsWith(`${text.slice(text.lastIndexOf("/") + 1)}.${name};`),
    );
    return within === -1 ? [] : [(starts[index] ?? 0) + within];
  });
  return found[0];
}
