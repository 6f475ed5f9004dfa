/** Strings that identify values that depend on the request: equal strings, equal values. */
import { displayText, runtimeTypeName, typeOfValue, type Value } from "@portcullis/cel/internal";
import type { Assignment, ListSource, Sym, ViewPart } from "./symbolic.ts";

export function keyOf(sym: Sym): string {
  switch (sym.k) {
    case "const":
      return sym.key ?? constantKey(sym.value);
    case "scalar":
      return sym.kind === "double" ? `double:${sym.term.key}` : sym.term.key;
    case "node":
    case "mapnode":
      return sym.node.id;
    case "items":
      return `[${sym.items.map(keyOf).join(", ")}]`;
    case "entries":
      return `{${[...sym.entries].map(([key, value]) => `${JSON.stringify(key)}: ${keyOf(value)}`).join(", ")}}`;
    case "view":
      return sym.parts.map(partKey).join(" + ");
    case "count":
      return `size(${sym.view.parts.map(partKey).join(" + ")})`;
    case "optional":
      return sym.value === undefined ? "none" : `optional(${keyOf(sym.value)})`;
    default:
      return "error";
  }
}

function partKey({ source, steps }: ViewPart): string {
  return `${sourceKey(source)}${steps.map(({ kind, key }) => `.${kind}(${key})`).join("")}`;
}

function sourceKey(source: ListSource): string {
  if (source.k === "items") return `[${source.items.map(keyOf).join(", ")}]`;
  return source.k === "keys" ? `keys(${source.node.id})` : source.node.id;
}

function constantKey(value: Value): string {
  return `${runtimeTypeName(typeOfValue(value))}:${typeof value === "string" ? JSON.stringify(value) : displayText(value)}`;
}

/** The value in an example; undefined if the example does not define it. */
export function symValue(sym: Sym, values: Assignment): Value | undefined {
  if (sym.k === "const") return sym.value;
  return sym.k === "scalar" ? sym.term.evaluate(values) : undefined;
}
