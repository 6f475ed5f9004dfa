/**
 * Tokens to events.
 *
 * Follows go-yaml v2's parserc.go: a machine whose state says what may come next, with a stack of states to return
 * to. Its errors name the line of the offending token counted from 0, and leave line 0 out.
 */
import { type Mark, YamlFailure } from "./cursor.ts";
import { event, type YamlEvent } from "./event.ts";
import { Scanner } from "./scanner.ts";
import type { Token, TokenType } from "./token.ts";

type State =
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

const BLOCK: NodeKind = { block: true, indentless: false };
const BLOCK_OR_INDENTLESS: NodeKind = { block: true, indentless: true };
const FLOW: NodeKind = { block: false, indentless: false };

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

export class Parser {
  readonly #scanner: Scanner;
  #state: State = "document-first";
  readonly #states: State[] = [];
  readonly #tagPrefixes = new Map<string, string>();

  constructor(text: string, problem: string | undefined) {
    this.#scanner = new Scanner(text, problem);
  }

  next(): YamlEvent {
    switch (this.#state) {
      case "document-first":
      case "document-next":
        return this.#documentStart();
      case "document-content":
        return this.#documentContent();
      case "document-end":
        return this.#documentEnd();
      case "block-node":
        return this.#node(BLOCK);
      case "block-sequence-first":
        this.#scanner.skip();
        return this.#blockSequence();
      case "block-sequence":
        return this.#blockSequence();
      case "indentless-sequence":
        return this.#indentlessSequence();
      case "block-mapping-first":
        this.#scanner.skip();
        return this.#blockMappingKey();
      case "block-mapping-key":
        return this.#blockMappingKey();
      case "block-mapping-value":
        return this.#blockMappingValue();
      case "flow-sequence-first":
        this.#scanner.skip();
        return this.#flowSequence(true);
      case "flow-sequence":
        return this.#flowSequence(false);
      case "flow-pair-key":
        return this.#flowPairKey();
      case "flow-pair-value":
        return this.#flowPairValue();
      case "flow-pair-end":
        this.#state = "flow-sequence";
        return event("collection-end", this.#scanner.peek().mark);
      case "flow-mapping-first":
        this.#scanner.skip();
        return this.#flowMappingKey(true);
      case "flow-mapping-key":
        return this.#flowMappingKey(false);
      case "flow-mapping-value":
        return this.#flowMappingValue();
      case "flow-mapping-empty-value":
        return this.#empty("flow-mapping-key", this.#scanner.peek().mark);
      default:
        return event("stream-end", this.#scanner.peek().mark);
    }
  }

  #documentStart(): YamlEvent {
    const explicitOnly = this.#state === "document-next";
    let token = this.#scanner.peek();
    while (explicitOnly && token.type === "document-end") token = this.#skipAndPeek();
    if (token.type === "stream-end") {
      this.#state = "end";
      return event("stream-end", token.mark);
    }
    const { mark } = token;
    if (!explicitOnly && token.type !== "directive" && token.type !== "document-start") {
      this.#readDirectives();
      this.#states.push("document-end");
      this.#state = "block-node";
      return event("document-start", mark);
    }
    this.#readDirectives();
    token = this.#scanner.peek();
    if (token.type !== "document-start") fail("did not find expected <document start>", token);
    this.#scanner.skip();
    this.#states.push("document-end");
    this.#state = "document-content";
    return event("document-start", mark);
  }

  #readDirectives(): void {
    let versioned = false;
    for (let token = this.#scanner.peek(); token.directive !== undefined; token = this.#skipAndPeek()) {
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

  #documentContent(): YamlEvent {
    const token = this.#scanner.peek();
    switch (token.type) {
      case "directive":
      case "document-start":
      case "document-end":
      case "stream-end":
        return this.#empty(this.#popState(), token.mark);
      default:
        return this.#node(BLOCK);
    }
  }

  #documentEnd(): YamlEvent {
    const token = this.#scanner.peek();
    if (token.type === "document-end") this.#scanner.skip();
    this.#tagPrefixes.clear();
    this.#state = "document-next";
    return event("document-end", token.mark);
  }

  #node(kind: NodeKind): YamlEvent {
    let token = this.#scanner.peek();
    if (token.type === "alias") {
      this.#state = this.#popState();
      this.#scanner.skip();
      return { ...event("alias", token.mark), end: token.end, anchor: token.value };
    }
    const properties = this.#readProperties(token);
    token = this.#scanner.peek();
    const collection = this.#collectionState(token.type, kind);
    if (collection !== undefined) {
      this.#state = collection;
      const type = collection.includes("mapping") ? "mapping-start" : "sequence-start";
      return { type, ...properties, value: "", implicit: false };
    }
    if (token.type === "scalar") {
      const { value, plain } = token;
      const implicit = (properties.tag === "" && plain) || properties.tag === "!";
      this.#state = this.#popState();
      this.#scanner.skip();
      return { type: "scalar", ...properties, end: token.end, value, implicit };
    }
    if (properties.anchor === "" && properties.tag === "") fail("did not find expected node content", token);
    this.#state = this.#popState();
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
    for (let token = first; ; token = this.#skipAndPeek()) {
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

  #blockSequence(): YamlEvent {
    const token = this.#scanner.peek();
    if (token.type === "block-entry") {
      const next = this.#skipAndPeek();
      if (next.type === "block-entry" || next.type === "block-end") return this.#empty("block-sequence", token.mark);
      this.#states.push("block-sequence");
      return this.#node(BLOCK);
    }
    if (token.type !== "block-end") fail("did not find expected '-' indicator", token);
    return this.#collectionEnd(token);
  }

  #indentlessSequence(): YamlEvent {
    const token = this.#scanner.peek();
    if (token.type !== "block-entry") {
      this.#state = this.#popState();
      return event("collection-end", token.mark);
    }
    const next = this.#skipAndPeek();
    if (next.type === "block-entry" || endsBlockEntry(next)) return this.#empty("indentless-sequence", token.mark);
    this.#states.push("indentless-sequence");
    return this.#node(BLOCK);
  }

  #blockMappingKey(): YamlEvent {
    const token = this.#scanner.peek();
    if (token.type === "key") {
      const next = this.#skipAndPeek();
      if (endsBlockEntry(next)) return this.#empty("block-mapping-value", token.mark);
      this.#states.push("block-mapping-value");
      return this.#node(BLOCK_OR_INDENTLESS);
    }
    if (token.type !== "block-end") fail("did not find expected key", token);
    return this.#collectionEnd(token);
  }

  #blockMappingValue(): YamlEvent {
    const token = this.#scanner.peek();
    if (token.type !== "value") return this.#empty("block-mapping-key", token.mark);
    const next = this.#skipAndPeek();
    if (endsBlockEntry(next)) return this.#empty("block-mapping-key", token.mark);
    this.#states.push("block-mapping-key");
    return this.#node(BLOCK_OR_INDENTLESS);
  }

  #flowSequence(first: boolean): YamlEvent {
    let token = this.#scanner.peek();
    if (token.type !== "flow-sequence-end" && !first) {
      if (token.type !== "flow-entry") fail("did not find expected ',' or ']'", token);
      token = this.#skipAndPeek();
    }
    if (token.type === "flow-sequence-end") return this.#collectionEnd(token);
    if (token.type === "key") {
      this.#scanner.skip();
      this.#state = "flow-pair-key";
      return event("mapping-start", token.mark);
    }
    this.#states.push("flow-sequence");
    return this.#node(FLOW);
  }

  #flowPairKey(): YamlEvent {
    const token = this.#scanner.peek();
    if (token.type !== "value" && token.type !== "flow-entry" && token.type !== "flow-sequence-end") {
      this.#states.push("flow-pair-value");
      return this.#node(FLOW);
    }
    this.#scanner.skip();
    return this.#empty("flow-pair-value", token.mark);
  }

  #flowPairValue(): YamlEvent {
    const token = this.#scanner.peek();
    if (token.type === "value") {
      const next = this.#skipAndPeek();
      if (next.type !== "flow-entry" && next.type !== "flow-sequence-end") {
        this.#states.push("flow-pair-end");
        return this.#node(FLOW);
      }
    }
    return this.#empty("flow-pair-end", token.mark);
  }

  #flowMappingKey(first: boolean): YamlEvent {
    let token = this.#scanner.peek();
    if (token.type !== "flow-mapping-end" && !first) {
      if (token.type !== "flow-entry") fail("did not find expected ',' or '}'", token);
      token = this.#skipAndPeek();
    }
    if (token.type === "flow-mapping-end") return this.#collectionEnd(token);
    if (token.type !== "key") {
      this.#states.push("flow-mapping-empty-value");
      return this.#node(FLOW);
    }
    const next = this.#skipAndPeek();
    if (next.type === "value" || endsFlowEntry(next)) return this.#empty("flow-mapping-value", next.mark);
    this.#states.push("flow-mapping-value");
    return this.#node(FLOW);
  }

  #flowMappingValue(): YamlEvent {
    let token = this.#scanner.peek();
    if (token.type === "value") {
      token = this.#skipAndPeek();
      if (!endsFlowEntry(token)) {
        this.#states.push("flow-mapping-key");
        return this.#node(FLOW);
      }
    }
    return this.#empty("flow-mapping-key", token.mark);
  }

  #collectionEnd(token: Token): YamlEvent {
    this.#state = this.#popState();
    this.#scanner.skip();
    return { ...event("collection-end", token.mark), end: token.end };
  }

  #empty(next: State, mark: Mark): YamlEvent {
    this.#state = next;
    return { ...event("scalar", mark), implicit: true };
  }

  #popState(): State {
    return this.#states.pop() ?? "end";
  }

  #skipAndPeek(): Token {
    this.#scanner.skip();
    return this.#scanner.peek();
  }
}

function endsBlockEntry(token: Token): boolean {
  return token.type === "key" || token.type === "value" || token.type === "block-end";
}

function endsFlowEntry(token: Token): boolean {
  return token.type === "flow-entry" || token.type === "flow-mapping-end";
}

function fail(problem: string, token: Token): never {
  const { line, pos } = token.mark;
  throw new YamlFailure(line === 0 ? problem : `line ${line}: ${problem}`, pos);
}
