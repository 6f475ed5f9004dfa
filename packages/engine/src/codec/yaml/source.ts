/** Where keys and values of a YAML document stand. */
import type { SourceNode } from "../position.ts";
import type { YamlNode } from "./node.ts";

/** Positions below this depth are those of the ancestor at this depth. */
const MAX_DEPTH = 500;

export function yamlSource(root: YamlNode): SourceNode {
  return sourceOf(root, -1, 0);
}

// What an alias stands for is shown where the alias is; a key inside it where the anchor is.
function sourceOf(node: YamlNode, keyStart: number, depth: number): SourceNode {
  const place = { start: node.start, end: node.end, keyStart };
  const real = node.target ?? node;
  if (depth >= MAX_DEPTH || node.target !== undefined) return place;
  if (real.kind === "sequence") return { ...place, items: real.children.map((item) => sourceOf(item, -1, depth + 1)) };
  if (real.kind !== "mapping") return place;
  const fields = new Map<string, SourceNode>();
  for (let i = 0; i + 1 < real.children.length; i += 2) {
    const [key, value] = real.children.slice(i, i + 2);
    if (key !== undefined && value !== undefined) fields.set(key.value, sourceOf(value, key.start, depth + 1));
  }
  return { ...place, fields };
}
