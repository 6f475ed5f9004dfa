/**
 * Events to a tree of nodes: one document, aliases joined to what they name.
 *
 * Only the first document is read; what follows it is not even checked.
 */
import { YamlFailure } from "./cursor.ts";
import type { YamlEvent } from "./event.ts";
import { Parser } from "./parser.ts";

export interface YamlNode {
  readonly kind: "scalar" | "sequence" | "mapping" | "alias";
  /** From 1. */
  readonly line: number;
  readonly start: number;
  end: number;
  readonly tag: string;
  /** The text of a scalar or the name behind an alias. */
  readonly value: string;
  readonly implicit: boolean;
  /** Items, or keys and values in turn. */
  readonly children: YamlNode[];
  /** What an alias stands for. */
  readonly target: YamlNode | undefined;
}

const NO_CHILDREN: YamlNode[] = [];

/** The root of the first document; undefined when there is none. Throws `YamlFailure`. */
export function composeYaml(text: string, problem: string | undefined): YamlNode | undefined {
  const parser = new Parser(text, problem);
  if (parser.next().type === "stream-end") return undefined;
  const anchors = new Map<string, YamlNode>();
  const open: YamlNode[] = [];
  for (;;) {
    const event = parser.next();
    let node: YamlNode | undefined;
    if (event.type === "collection-end") {
      node = open.pop();
      if (node !== undefined) node.end = event.end;
    } else {
      node = makeNode(event, anchors);
      if (event.anchor !== "" && node.kind !== "alias") anchors.set(event.anchor, node);
      open.at(-1)?.children.push(node);
      if (node.kind === "sequence" || node.kind === "mapping") open.push(node);
    }
    if (open.length === 0) {
      // go-yaml asks for the end of the document, so the token behind it must scan.
      parser.next();
      return node;
    }
  }
}

function makeNode(event: YamlEvent, anchors: ReadonlyMap<string, YamlNode>): YamlNode {
  const kind = nodeKind(event);
  const target = kind === "alias" ? anchors.get(event.anchor) : undefined;
  if (kind === "alias" && target === undefined) {
    throw new YamlFailure(`unknown anchor '${event.anchor}' referenced`, event.mark.pos);
  }
  return {
    kind,
    line: event.mark.line + 1,
    start: event.mark.pos,
    end: event.end,
    tag: event.tag,
    value: kind === "alias" ? event.anchor : event.value,
    implicit: event.implicit,
    children: kind === "sequence" || kind === "mapping" ? [] : NO_CHILDREN,
    target,
  };
}

function nodeKind(event: YamlEvent): YamlNode["kind"] {
  if (event.type === "mapping-start") return "mapping";
  if (event.type === "sequence-start") return "sequence";
  return event.type === "alias" ? "alias" : "scalar";
}
