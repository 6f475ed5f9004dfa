/** Documents and nodes of YAML: what the parser of blocks and flow collections, `parser.ts`, has in common. */
import { type Mark, YamlFailure } from "./cursor.ts";
import { event, type YamlEvent } from "./event.ts";
import { Scanner } from "./scanner.ts";
import type { Token, TokenType } from "./token.ts";

export type State =
  | "document-first"
  | "document-next"
  | "document-content"
  | "document-end"
  | "block-node"
  | "block-sequence-first"
  | "block-sequence"
  | "indentless-sequence"
  | "block-mapping-first"
  | "block-mapping-key"
  | "block-mapping-value"
  | "flow-sequence-first"
  | "flow-sequence"
  | "flow-pair-key"
  | "flow-pair-value"
  | "flow-pair-end"
  | "flow-mapping-first"
  | "flow-mapping-key"
  | "flow-mapping-value"
  | "flow-mapping-empty-value"
  | "end";

/** Which collections may start a node here besides flow collections. */
interface NodeKind {
  readonly block: boolean;
  readonly indentless: boolean;
}

export const BLOCK: NodeKind = { block: true, indentless: false };
export const BLOCK_OR_INDENTLESS: NodeKind = { block: true, indentless: true };
export const FLOW: NodeKind = { block: false, indentless: false };

const DEFAULT_TAGS: readonly (readonly [string, string])[] = [
  ["!", "!"],
  ["!!", "tag:yaml.org,2002:"],
];

interface Properties {
  readonly mark: Mark;
  readonly end: number;
  readonly anchor: string;
  readonly tag: string;
}

export abstract class NodeParser {
  protected readonly scanner: Scanner;
  protected state: State = "document-first";
  protected readonly states: State[] = [];
  readonly #tagPrefixes = new Map<string, string>();

  constructor(text: string, problem: string | undefined) {
    this.scanner = new Scanner(text, problem);
  }

  protected documentStart(): YamlEvent {
    const explicitOnly = this.state === "document-next";
    let token = this.scanner.peek();
    while (explicitOnly && token.type === "document-end") token = this.skipAndPeek();
    if (token.type === "stream-end") {
      this.state = "end";
      return event("stream-end", token.mark);
    }
    const { mark } = token;
    if (!explicitOnly && token.type !== "directive" && token.type !== "document-start") {
      this.#readDirectives();
      this.states.push("document-end");
      this.state = "block-node";
      return event("document-start", mark);
    }
    this.#readDirectives();
    token = this.scanner.peek();
    if (token.type !== "document-start") fail("did not find expected <document start>", token);
    this.scanner.skip();
    this.states.push("document-end");
    this.state = "document-content";
    return event("document-start", mark);
  }

  #readDirectives(): void {
    let versioned = false;
    for (let token = this.scanner.peek(); token.directive !== undefined; token = this.skipAndPeek()) {
      const { directive } = token;
      if (directive.name === "YAML") {
        if (versioned) fail("found duplicate %YAML directive", token);
        if (directive.major !== 1 || directive.minor !== 1) fail("found incompatible YAML document", token);
        versioned = true;
      } else {
        if (this.#tagPrefixes.has(directive.handle)) fail("found duplicate %TAG directive", token);
        this.#tagPrefixes.set(directive.handle, directive.prefix);
      }
    }
    for (const [handle, prefix] of DEFAULT_TAGS) {
      if (!this.#tagPrefixes.has(handle)) this.#tagPrefixes.set(handle, prefix);
    }
  }

  protected documentContent(): YamlEvent {
    const token = this.scanner.peek();
    switch (token.type) {
      case "directive":
      case "document-start":
      case "document-end":
      case "stream-end":
        return this.empty(this.popState(), token.mark);
      default:
        return this.node(BLOCK);
    }
  }

  protected documentEnd(): YamlEvent {
    const token = this.scanner.peek();
    if (token.type === "document-end") this.scanner.skip();
    this.#tagPrefixes.clear();
    this.state = "document-next";
    return event("document-end", token.mark);
  }

  protected node(kind: NodeKind): YamlEvent {
    let token = this.scanner.peek();
    if (token.type === "alias") {
      this.state = this.popState();
      this.scanner.skip();
      return { ...event("alias", token.mark), end: token.end, anchor: token.value };
    }
    const properties = this.#readProperties(token);
    token = this.scanner.peek();
    const collection = this.#collectionState(token.type, kind);
    if (collection !== undefined) {
      this.state = collection;
      const type = collection.includes("mapping") ? "mapping-start" : "sequence-start";
      return { type, ...properties, value: "", implicit: false };
    }
    if (token.type === "scalar") {
      const { value, plain } = token;
      const implicit = (properties.tag === "" && plain) || properties.tag === "!";
      this.state = this.popState();
      this.scanner.skip();
      return { type: "scalar", ...properties, end: token.end, value, implicit };
    }
    if (properties.anchor === "" && properties.tag === "") fail("did not find expected node content", token);
    this.state = this.popState();
    return { type: "scalar", ...properties, value: "", implicit: properties.tag === "" };
  }

  #collectionState(type: TokenType, kind: NodeKind): State | undefined {
    switch (type) {
      case "block-entry":
        return kind.indentless ? "indentless-sequence" : undefined;
      case "flow-sequence-start":
        return "flow-sequence-first";
      case "flow-mapping-start":
        return "flow-mapping-first";
      case "block-sequence-start":
        return kind.block ? "block-sequence-first" : undefined;
      case "block-mapping-start":
        return kind.block ? "block-mapping-first" : undefined;
      default:
        return undefined;
    }
  }

  // At most one anchor and one tag, in either order.
  #readProperties(first: Token): Properties {
    let anchor = "";
    let tagged: Token | undefined;
    let { end } = first;
    for (let token = first; ; token = this.skipAndPeek()) {
      if (token.type === "anchor" && anchor === "") anchor = token.value;
      else if (token.tag !== undefined && tagged === undefined) tagged = token;
      else break;
      end = token.end;
    }
    // The token behind them has been scanned by now, so its errors come before that of an unknown handle.
    return { mark: first.mark, end, anchor, tag: tagged === undefined ? "" : this.#resolveTag(tagged) };
  }

  #resolveTag(token: Token): string {
    const { handle, suffix } = token.tag ?? { handle: "", suffix: "" };
    if (handle === "") return suffix;
    const prefix = this.#tagPrefixes.get(handle);
    if (prefix === undefined) fail("found undefined tag handle", token);
    return prefix + suffix;
  }

  protected collectionEnd(token: Token): YamlEvent {
    this.state = this.popState();
    this.scanner.skip();
    return { ...event("collection-end", token.mark), end: token.end };
  }

  protected empty(next: State, mark: Mark): YamlEvent {
    this.state = next;
    return { ...event("scalar", mark), implicit: true };
  }

  protected popState(): State {
    return this.states.pop() ?? "end";
  }

  protected skipAndPeek(): Token {
    this.scanner.skip();
    return this.scanner.peek();
  }
}

export function fail(problem: string, token: Token): never {
  const { line, pos } = token.mark;
  throw new YamlFailure(line === 0 ? problem : `line ${line}: ${problem}`, pos);
}
