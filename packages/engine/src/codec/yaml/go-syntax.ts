/**
 * YAML values as Go's `%#v` prints them, for the few errors that show one.
 *
 * The common one is a template left unrendered: `{{ .Values.x }}` is a mapping used as a key.
 */
import { quote } from "@portcullis/gostd/quote";
import { formatFloat } from "@portcullis/gostd/strconv";
import { Float64 } from "../../value/json.ts";
import type { YamlNode } from "./node.ts";
import { resolveScalar, type YamlScalar } from "./resolve.ts";

/** Deeper values are cut off: they are useless in a message. */
const MAX_DEPTH = 50;
const NIL = "interface {}(nil)";
const MAX_INT64 = 2n ** 63n - 1n;

export function scalarGoSyntax(scalar: YamlScalar): string {
  if (scalar === null) return "<nil>";
  if (typeof scalar === "string") return quote(scalar);
  if (scalar instanceof Float64) return floatGoSyntax(scalar.value);
  if (typeof scalar === "bigint" && scalar > MAX_INT64) return `0x${scalar.toString(16)}`;
  return String(scalar);
}

export function nodeGoSyntax(node: YamlNode): string {
  const text = inner(node, 0);
  return text === NIL ? "<nil>" : text;
}

function floatGoSyntax(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  return formatFloat(value, "g", -1, 64);
}

function inner(node: YamlNode, depth: number): string {
  const real = node.target ?? node;
  if (depth > MAX_DEPTH) return "...";
  switch (real.kind) {
    case "sequence":
      return `[]interface {}{${real.children.map((child) => inner(child, depth + 1)).join(", ")}}`;
    case "mapping":
      return `map[interface {}]interface {}{${mapEntries(real, depth).join(", ")}}`;
    default: {
      const scalar = resolveScalar(real);
      return scalar === null ? NIL : scalarGoSyntax(scalar);
    }
  }
}

function mapEntries(node: YamlNode, depth: number): string[] {
  const entries = new Map<string, string>();
  for (let i = 0; i + 1 < node.children.length; i += 2) {
    const [key, value] = node.children.slice(i, i + 2);
    if (key !== undefined && value !== undefined) entries.set(inner(key, depth + 1), inner(value, depth + 1));
  }
  return [...entries].sort(([a], [b]) => compareKeys(a, b)).map(([key, value]) => `${key}:${value}`);
}

// Go puts nil first, then sorts within a type; between types its order varies from run to run.
function compareKeys(a: string, b: string): number {
  if (a === NIL || b === NIL) return a === NIL ? -1 : 1;
  return a < b ? -1 : 1;
}
