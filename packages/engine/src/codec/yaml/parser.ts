/**
 * Tokens to events.
 *
 * Follows go-yaml v2's parserc.go: a machine whose state says what may come next, with a stack of states to return
 * to. Its errors name the line of the offending token counted from 0, and leave line 0 out.
 */
import { event, type YamlEvent } from "./event.ts";
import { BLOCK, BLOCK_OR_INDENTLESS, FLOW, fail, NodeParser } from "./node-parser.ts";
import type { Token } from "./token.ts";

export class Parser extends NodeParser {
  next(): YamlEvent {
    switch (this.state) {
      case "document-first":
      case "document-next":
        return this.documentStart();
      case "document-content":
        return this.documentContent();
      case "document-end":
        return this.documentEnd();
      case "block-node":
        return this.node(BLOCK);
      case "block-sequence-first":
        this.scanner.skip();
        return this.#blockSequence();
      case "block-sequence":
        return this.#blockSequence();
      case "indentless-sequence":
        return this.#indentlessSequence();
      case "block-mapping-first":
        this.scanner.skip();
        return this.#blockMappingKey();
      case "block-mapping-key":
        return this.#blockMappingKey();
      case "block-mapping-value":
        return this.#blockMappingValue();
      case "flow-sequence-first":
        this.scanner.skip();
        return this.#flowSequence(true);
      case "flow-sequence":
        return this.#flowSequence(false);
      case "flow-pair-key":
        return this.#flowPairKey();
      case "flow-pair-value":
        return this.#flowPairValue();
      case "flow-pair-end":
        this.state = "flow-sequence";
        return event("collection-end", this.scanner.peek().mark);
      case "flow-mapping-first":
        this.scanner.skip();
        return this.#flowMappingKey(true);
      case "flow-mapping-key":
        return this.#flowMappingKey(false);
      case "flow-mapping-value":
        return this.#flowMappingValue();
      case "flow-mapping-empty-value":
        return this.empty("flow-mapping-key", this.scanner.peek().mark);
      default:
        return event("stream-end", this.scanner.peek().mark);
    }
  }

  #blockSequence(): YamlEvent {
    const token = this.scanner.peek();
    if (token.type === "block-entry") {
      const next = this.skipAndPeek();
      if (next.type === "block-entry" || next.type === "block-end") return this.empty("block-sequence", token.mark);
      this.states.push("block-sequence");
      return this.node(BLOCK);
    }
    if (token.type !== "block-end") fail("did not find expected '-' indicator", token);
    return this.collectionEnd(token);
  }

  #indentlessSequence(): YamlEvent {
    const token = this.scanner.peek();
    if (token.type !== "block-entry") {
      this.state = this.popState();
      return event("collection-end", token.mark);
    }
    const next = this.skipAndPeek();
    if (next.type === "block-entry" || endsBlockEntry(next)) return this.empty("indentless-sequence", token.mark);
    this.states.push("indentless-sequence");
    return this.node(BLOCK);
  }

  #blockMappingKey(): YamlEvent {
    const token = this.scanner.peek();
    if (token.type === "key") {
      const next = this.skipAndPeek();
      if (endsBlockEntry(next)) return this.empty("block-mapping-value", token.mark);
      this.states.push("block-mapping-value");
      return this.node(BLOCK_OR_INDENTLESS);
    }
    if (token.type !== "block-end") fail("did not find expected key", token);
    return this.collectionEnd(token);
  }

  #blockMappingValue(): YamlEvent {
    const token = this.scanner.peek();
    if (token.type !== "value") return this.empty("block-mapping-key", token.mark);
    const next = this.skipAndPeek();
    if (endsBlockEntry(next)) return this.empty("block-mapping-key", token.mark);
    this.states.push("block-mapping-key");
    return this.node(BLOCK_OR_INDENTLESS);
  }

  #flowSequence(first: boolean): YamlEvent {
    let token = this.scanner.peek();
    if (token.type !== "flow-sequence-end" && !first) {
      if (token.type !== "flow-entry") fail("did not find expected ',' or ']'", token);
      token = this.skipAndPeek();
    }
    if (token.type === "flow-sequence-end") return this.collectionEnd(token);
    if (token.type === "key") {
      this.scanner.skip();
      this.state = "flow-pair-key";
      return event("mapping-start", token.mark);
    }
    this.states.push("flow-sequence");
    return this.node(FLOW);
  }

  #flowPairKey(): YamlEvent {
    const token = this.scanner.peek();
    if (token.type !== "value" && token.type !== "flow-entry" && token.type !== "flow-sequence-end") {
      this.states.push("flow-pair-value");
      return this.node(FLOW);
    }
    this.scanner.skip();
    return this.empty("flow-pair-value", token.mark);
  }

  #flowPairValue(): YamlEvent {
    const token = this.scanner.peek();
    if (token.type === "value") {
      const next = this.skipAndPeek();
      if (next.type !== "flow-entry" && next.type !== "flow-sequence-end") {
        this.states.push("flow-pair-end");
        return this.node(FLOW);
      }
    }
    return this.empty("flow-pair-end", token.mark);
  }

  #flowMappingKey(first: boolean): YamlEvent {
    let token = this.scanner.peek();
    if (token.type !== "flow-mapping-end" && !first) {
      if (token.type !== "flow-entry") fail("did not find expected ',' or '}'", token);
      token = this.skipAndPeek();
    }
    if (token.type === "flow-mapping-end") return this.collectionEnd(token);
    if (token.type !== "key") {
      this.states.push("flow-mapping-empty-value");
      return this.node(FLOW);
    }
    const next = this.skipAndPeek();
    if (next.type === "value" || endsFlowEntry(next)) return this.empty("flow-mapping-value", next.mark);
    this.states.push("flow-mapping-value");
    return this.node(FLOW);
  }

  #flowMappingValue(): YamlEvent {
    let token = this.scanner.peek();
    if (token.type === "value") {
      token = this.skipAndPeek();
      if (!endsFlowEntry(token)) {
        this.states.push("flow-mapping-key");
        return this.node(FLOW);
      }
    }
    return this.empty("flow-mapping-key", token.mark);
  }
}

function endsBlockEntry(token: Token): boolean {
  return token.type === "key" || token.type === "value" || token.type === "block-end";
}

function endsFlowEntry(token: Token): boolean {
  return token.type === "flow-entry" || token.type === "flow-mapping-end";
}
