/**
 * Where in the object the rules are being run. Kept as a stack that grows and shrinks with the walk: a path and the
 * trail for ratcheting are made of it only when a rule fails, which for most objects is never.
 */
import type { FieldPath } from "../field/path.ts";
import type { Trail } from "./ratchet.ts";

/** A property, an entry of a map, an item, a branch of `allOf`, or a key of a map as a value. */
export type StepKind = "property" | "entry" | "item" | "allOf" | "keyName";

export class Position {
  readonly #root: FieldPath;
  readonly #kinds: StepKind[] = [];
  readonly #steps: (string | number)[] = [];

  constructor(root: FieldPath) {
    this.#root = root;
  }

  enter(kind: StepKind, step: string | number): void {
    this.#kinds.push(kind);
    this.#steps.push(step);
  }

  leave(): void {
    this.#kinds.pop();
    this.#steps.pop();
  }

  path(): FieldPath {
    return this.#kinds.reduce((path, kind, depth) => extend(path, kind, this.#steps[depth] ?? ""), this.#root);
  }

  trail(): Trail | undefined {
    let trail: Trail | undefined;
    this.#kinds.forEach((kind, depth) => {
      trail = { parent: trail, step: trailStep(kind, this.#steps[depth] ?? "") };
    });
    return trail;
  }
}

function extend(path: FieldPath, kind: StepKind, step: string | number): FieldPath {
  switch (kind) {
    case "property":
      return path.child(String(step));
    case "entry":
    case "keyName":
      return path.key(String(step));
    case "item":
      return path.index(Number(step));
    case "allOf":
      return path;
  }
}

function trailStep(kind: StepKind, step: string | number): Trail["step"] {
  switch (kind) {
    case "property":
    case "entry":
      return { kind: "member", name: String(step) };
    case "keyName":
      return { kind: "keyName", name: String(step) };
    case "item":
      return { kind: "item", index: Number(step) };
    case "allOf":
      return { kind: "allOf" };
  }
}
