/** Finds paths that contain one another, as a tree of their segments: no pair is compared. */

/** More could not be sent: the warnings of one answer have 4096 characters, and each of these has some forty. */
export const MAX_PAIRS = 128;

interface Placed<T> {
  readonly order: number;
  readonly item: T;
}

interface Node<T> {
  readonly children: Map<string, Node<T>>;
  /** What ends here. */
  readonly own: Placed<T>[];
  /** What ends here or below. */
  readonly all: Placed<T>[];
}

export class PathTree<T> {
  readonly #root: Node<T> = newNode();
  #count = 0;

  /** Adds a path, and gives the items of the first `limit` earlier paths that it contains or is contained in. */
  add(path: string, item: T, limit: number): T[] {
    const placed = { order: this.#count++, item };
    const found: Placed<T>[] = [];
    let node = this.#root;
    for (const segment of path.split("/")) {
      if (node !== this.#root) found.push(...node.own.slice(0, limit));
      node = childOf(node, segment);
      node.all.push(placed);
    }
    found.push(...node.all.slice(0, Math.min(limit, node.all.length - 1)));
    node.own.push(placed);
    return found
      .sort((a, b) => a.order - b.order)
      .slice(0, limit)
      .map((each) => each.item);
  }
}

function newNode<T>(): Node<T> {
  return { children: new Map(), own: [], all: [] };
}

function childOf<T>(node: Node<T>, segment: string): Node<T> {
  const present = node.children.get(segment);
  if (present !== undefined) return present;
  const child = newNode<T>();
  node.children.set(segment, child);
  return child;
}
