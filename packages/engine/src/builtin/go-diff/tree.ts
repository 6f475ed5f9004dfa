/** Two values side by side, with how much of each part differs. Follows compare and report_value of go-cmp. */
import { compareStrings } from "@portcullis/gostd/utf8";
import { editScript, type Likeness } from "./edit-script.ts";
import { type GoKind, type GoValue, isNil } from "./go-value.ts";

export interface Node {
  /** The value before and after; one of them is absent where an item was added or removed. */
  readonly x: GoValue | undefined;
  readonly y: GoValue | undefined;
  readonly parent: GoKind | undefined;
  readonly same: number;
  readonly different: number;
  /** How many parts were compared by a method of their type. */
  readonly compared: number;
  readonly descendants: number;
  readonly depth: number;
  /** Of structs, slices and maps. */
  readonly records: readonly Record[];
  /** What a pointer leads to. */
  readonly target: Node | undefined;
}

export interface Record {
  readonly key: string;
  readonly node: Node;
}

export function compareValues(x: GoValue | undefined, y: GoValue | undefined, parent?: GoKind): Node {
  if (x === undefined || y === undefined) return leaf(x, y, parent, false);
  if (x.kind === "struct" && y.kind === "struct") return compareStructs({ x, y, parent });
  if (x.kind === "pointer" && y.kind === "pointer" && x.to !== undefined && y.to !== undefined) {
    return branch({ x, y, parent }, [], compareValues(x.to, y.to, "pointer"));
  }
  if (x.kind === "slice" && y.kind === "slice" && x.items !== undefined && y.items !== undefined) {
    return branch({ x, y, parent }, compareItems(x.items, y.items));
  }
  if (x.kind === "map" && y.kind === "map" && x.entries !== undefined && y.entries !== undefined) {
    return branch({ x, y, parent }, compareEntries(x.entries, y.entries));
  }
  return leaf(x, y, parent, isSame(x, y));
}

type Sides = Pick<Node, "x" | "y" | "parent">;

function compareStructs({ x, y, parent }: Sides): Node {
  if (x?.kind !== "struct" || y?.kind !== "struct") return leaf(x, y, parent, false);
  if (x.identity !== undefined) return { ...leaf(x, y, parent, x.identity === y.identity), compared: 1 };
  const records = x.fields.map(({ name, value }, index) => ({
    key: name,
    node: compareValues(value, y.fields[index]?.value, "struct"),
  }));
  return branch({ x, y, parent }, records);
}

function compareItems(x: readonly GoValue[], y: readonly GoValue[]): Record[] {
  const likeness = (left: number, right: number): Likeness => compareValues(x[left], y[right], "slice");
  let [i, j] = [0, 0];
  return editScript(x.length, y.length, likeness).map((edit) => {
    const left = edit === "inserted" ? undefined : x[i++];
    const right = edit === "removed" ? undefined : y[j++];
    return { key: "", node: compareValues(left, right, "slice") };
  });
}

function compareEntries(x: ReadonlyMap<string, GoValue>, y: ReadonlyMap<string, GoValue>): Record[] {
  const keys = [...new Set([...x.keys(), ...y.keys()])].sort(compareStrings);
  return keys.map((key) => ({ key, node: compareValues(x.get(key), y.get(key), "map") }));
}

function isSame(x: GoValue, y: GoValue): boolean {
  if ("value" in x && "value" in y) return x.value === y.value;
  return isNil(x) && isNil(y);
}

function leaf(x: GoValue | undefined, y: GoValue | undefined, parent: GoKind | undefined, isEqual: boolean): Node {
  const counts = { same: isEqual ? 1 : 0, different: isEqual ? 0 : 1, compared: 0, descendants: 0, depth: 0 };
  return { x, y, parent, ...counts, records: [], target: undefined };
}

function branch(sides: Sides, records: readonly Record[], target?: Node): Node {
  const children = [...records.map(({ node }) => node), ...(target === undefined ? [] : [target])];
  const sum = (count: (node: Node) => number): number => children.reduce((total, node) => total + count(node), 0);
  return {
    ...sides,
    same: sum((node) => node.same),
    different: sum((node) => node.different),
    compared: sum((node) => node.compared),
    descendants: sum((node) => node.descendants + 1),
    depth: Math.max(0, ...children.map((node) => node.depth + 1)),
    records,
    target,
  };
}
