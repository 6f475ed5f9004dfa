/**
 * Positions in a source text, for findings with a line.
 *
 * A decoder asked for positions answers with a tree shaped like the document. It is kept beside the values rather
 * than in them, because values are copied, pruned and defaulted while the source stays as it is.
 */

export interface SourceNode {
  /** Offset of the value, in UTF-16 units. */
  readonly start: number;
  /** Offset just past the value. */
  end: number;
  /** Offset of the key it belongs to; -1 for the root and for items of a list. */
  readonly keyStart: number;
  readonly fields?: Map<string, SourceNode>;
  readonly items?: SourceNode[];
}

/** A key that its object has already. */
export interface DuplicateKey {
  /** Such as `spec.containers[0].image`. */
  readonly path: string;
  /** Of the key, in UTF-16 units from where the document starts. */
  readonly offset: number;
}

export interface LineColumn {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

/**
 * Turns offsets of one text into lines; the line starts are found once. A byte order mark takes no column.
 * @example new LineIndex("a\nb").locate(2) // { line: 2, column: 1 }
 */
export class LineIndex {
  readonly #starts: number[];
  readonly #end: number;

  constructor(text: string) {
    this.#end = text.length;
    this.#starts = [text.startsWith("\ufeff") ? 1 : 0];
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }

  /** Where a line starts, from 1; the end of the text for lines behind it. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.#end;
  }

  locate(offset: number): LineColumn {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: Math.max(0, offset - (this.#starts[low] ?? 0)) + 1 };
  }
}

/** The node at a path of keys and indices, or the deepest ancestor that the source has. */
export function locateSteps(root: SourceNode, steps: readonly (string | number)[]): SourceNode {
  let node = root;
  for (const step of steps) {
    const next = typeof step === "number" ? node.items?.[step] : node.fields?.get(step);
    if (next === undefined) return node;
    node = next;
  }
  return node;
}

/**
 * The node a printed path such as `spec.hosts[0].labels[a.b/c]` means. Keys may hold dots and brackets, so at each
 * object the longest key that the rest of the path starts with is taken.
 * @example locatePath(root, "spec.size").start // 13
 */
export function locatePath(root: SourceNode, path: string): SourceNode {
  let node = root;
  let rest = path;
  while (rest !== "") {
    const step = matchItem(node, rest) ?? matchField(node, rest);
    if (step === undefined) return node;
    node = step.node;
    rest = step.rest;
  }
  return node;
}

interface Step {
  readonly node: SourceNode;
  readonly rest: string;
}

function matchItem(node: SourceNode, path: string): Step | undefined {
  const match = /^\[([0-9]+)\]/.exec(path);
  const item = match === null ? undefined : node.items?.[Number(match[1])];
  return match === null || item === undefined ? undefined : { node: item, rest: path.slice(match[0].length) };
}

function matchField(node: SourceNode, path: string): Step | undefined {
  const fields = node.fields ?? new Map<string, SourceNode>();
  const keys = fields.size > MANY_FIELDS ? keysIn(path).filter((key) => fields.has(key)) : fields.keys();
  let best: Step | undefined;
  for (const key of keys) {
    const [rest, field] = [restAfterKey(path, key), fields.get(key)];
    if (rest === undefined || field === undefined) continue;
    if (best === undefined || rest.length < best.rest.length) best = { node: field, rest };
  }
  return best;
}

/** An object with more fields is not gone through for every path that leads into it. */
const MANY_FIELDS = 100;

/** For keys with many dots and brackets, only this many ends are tried. */
const MAX_ENDS = 1000;

/** All keys that the path may start with: a key ends where a dot or a bracket may be meant as one. */
function keysIn(path: string): readonly string[] {
  const bare = path.startsWith(".") ? path.slice(1) : path;
  return [...endsIn(bare, /[.[]|$/g), ...(path.startsWith("[") ? endsIn(path.slice(1), /\]/g) : [])];
}

function endsIn(text: string, end: RegExp): string[] {
  const found: string[] = [];
  for (const { index } of text.matchAll(end)) {
    found.push(text.slice(0, index));
    if (found.length === MAX_ENDS) break;
  }
  return found;
}

// A key is printed bare, after a dot, or in brackets.
function restAfterKey(path: string, key: string): string | undefined {
  if (path.startsWith(`[${key}]`)) return path.slice(key.length + 2);
  const bare = path.startsWith(".") ? path.slice(1) : path;
  if (!bare.startsWith(key)) return undefined;
  const rest = bare.slice(key.length);
  return rest === "" || rest.startsWith(".") || rest.startsWith("[") ? rest : undefined;
}
