/** A pattern as a nondeterministic automaton: instructions that consume a character, fork, or check the position. */
import type { CharSet, Node } from "./subset.ts";

export type Instruction =
  | { readonly kind: "set"; readonly set: CharSet; readonly next: number }
  /** `first` is set once the body of a loop is built. */
  | { readonly kind: "fork"; first: number; readonly second: number }
  | { readonly kind: "begin"; readonly next: number }
  | { readonly kind: "end"; readonly next: number }
  | { readonly kind: "match" };

export interface Program {
  readonly instructions: readonly Instruction[];
  readonly start: number;
}

/** Counted repetitions are expanded; a pattern that grows beyond this uses re2js. */
const MAX_INSTRUCTIONS = 3000;

export function compileProgram(node: Node): Program | undefined {
  const builder = new Builder();
  const start = builder.emit(node, builder.add({ kind: "match" }));
  return start === undefined ? undefined : { instructions: builder.instructions, start };
}

/** Builds from the end towards the start, so that each instruction knows what follows it. */
class Builder {
  readonly instructions: Instruction[] = [];

  add(instruction: Instruction): number {
    return this.instructions.push(instruction) - 1;
  }

  /** Where the node's instructions begin, or `undefined` when the program has become too large. */
  emit(node: Node, next: number): number | undefined {
    if (this.instructions.length > MAX_INSTRUCTIONS) return undefined;
    switch (node.kind) {
      case "set":
        return this.add({ kind: "set", set: node.set, next });
      case "begin":
      case "end":
        return this.add({ kind: node.kind, next });
      case "concat":
        return this.#emitAll(node.parts.toReversed(), next);
      case "alternate":
        return this.#alternatives(node.options, next);
      case "repeat":
        return this.#repetition(node.body, node.min, node.max, next);
    }
  }

  #emitAll(backwards: readonly Node[], next: number): number | undefined {
    let entry: number | undefined = next;
    for (const node of backwards) {
      if (entry === undefined) return undefined;
      entry = this.emit(node, entry);
    }
    return entry;
  }

  #alternatives(options: readonly Node[], next: number): number | undefined {
    let entry: number | undefined;
    for (const option of options) {
      const branch = this.emit(option, next);
      if (branch === undefined) return undefined;
      entry = entry === undefined ? branch : this.add({ kind: "fork", first: entry, second: branch });
    }
    return entry;
  }

  #repetition(body: Node, min: number, max: number | undefined, next: number): number | undefined {
    const tail = max === undefined ? this.#loop(body, next) : this.#options(body, max - min, next);
    return tail === undefined ? undefined : this.#emitAll(new Array<Node>(min).fill(body), tail);
  }

  #loop(body: Node, next: number): number | undefined {
    const fork: Instruction = { kind: "fork", first: next, second: next };
    const entry = this.add(fork);
    const start = this.emit(body, entry);
    if (start === undefined) return undefined;
    fork.first = start;
    return entry;
  }

  #options(body: Node, count: number, next: number): number | undefined {
    let entry = next;
    for (let i = 0; i < count; i++) {
      const start = this.emit(body, entry);
      if (start === undefined) return undefined;
      entry = this.add({ kind: "fork", first: start, second: next });
    }
    return entry;
  }
}
