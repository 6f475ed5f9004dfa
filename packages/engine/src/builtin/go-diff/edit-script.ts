/**
 * How one list becomes another: a greedy search from both ends that finds a good script, not always the shortest.
 * Follows internal/diff of github.com/google/go-cmp, which starts at a random end; here it always starts at the first.
 */

/** An item of both lists, of the first, of the second, or one that changed. */
export type Edit = "identical" | "removed" | "inserted" | "modified";

/** How many parts of two items are the same, and how many differ. */
export interface Likeness {
  readonly same: number;
  readonly different: number;
}

export type Compare = (x: number, y: number) => Likeness;

/** What two items are that have no parts. */
export function plainLikeness(isEqual: boolean): Likeness {
  return isEqual ? { same: 1, different: 0 } : { same: 0, different: 2 };
}

export function editScript(lengthX: number, lengthY: number, compare: Compare): readonly Edit[] {
  const search = new Search(lengthX, lengthY, compare);
  for (let isForward = true; search.canContinue(); isForward = !isForward) search.step(isForward);
  return search.finish();
}

interface Point {
  x: number;
  y: number;
}

class Search {
  readonly #compare: Compare;
  readonly #forward: Path;
  readonly #backward: Path;
  readonly #front: Point;
  readonly #rear: Point;
  #budget: number;

  constructor(lengthX: number, lengthY: number, compare: Compare) {
    this.#compare = compare;
    this.#forward = new Path({ x: 0, y: 0 }, 1, compare);
    this.#backward = new Path({ x: lengthX, y: lengthY }, -1, compare);
    this.#front = { x: 0, y: 0 };
    this.#rear = { x: lengthX, y: lengthY };
    this.#budget = 4 * (lengthX + lengthY);
  }

  canContinue(): boolean {
    return this.#front.x < this.#rear.x && this.#front.y < this.#rear.y && this.#budget > 0;
  }

  step(isForward: boolean): void {
    if (isForward) this.#searchForward();
    else this.#searchBackward();
  }

  finish(): readonly Edit[] {
    this.#forward.connect(this.#backward.at);
    return [...this.#forward.edits, ...this.#backward.edits.toReversed()];
  }

  #searchForward(): void {
    const [path, front] = [this.#forward, this.#front];
    this.#zigzag((offset) => {
      const [x, y] = [front.x + offset, front.y - offset];
      if (x >= this.#backward.at.x || y < path.at.y) return "first end";
      if (y >= this.#backward.at.y || x < path.at.x) return "second end";
      if (!this.#isEqual(x, y)) return "different";
      path.connect({ x, y });
      path.append("identical");
      while (this.#isOpen() && this.#isEqual(path.at.x, path.at.y)) path.append("identical");
      Object.assign(front, path.at);
      return "found";
    });
    if (this.#backward.at.x - front.x >= this.#backward.at.y - front.y) front.x++;
    else front.y++;
  }

  #searchBackward(): void {
    const [path, rear] = [this.#backward, this.#rear];
    this.#zigzag((offset) => {
      const [x, y] = [rear.x - offset, rear.y + offset];
      if (this.#forward.at.x >= x || path.at.y < y) return "first end";
      if (this.#forward.at.y >= y || path.at.x < x) return "second end";
      if (!this.#isEqual(x - 1, y - 1)) return "different";
      path.connect({ x, y });
      path.append("identical");
      while (this.#isOpen() && this.#isEqual(path.at.x - 1, path.at.y - 1)) path.append("identical");
      Object.assign(rear, path.at);
      return "found";
    });
    if (rear.x - this.#forward.at.x >= rear.y - this.#forward.at.y) rear.x--;
    else rear.y--;
  }

  /** Tries 0, -1, 1, -2, 2, … until something is found or both ends are reached. */
  #zigzag(look: (offset: number) => "first end" | "second end" | "different" | "found"): void {
    let [isFirstEnd, isSecondEnd] = [false, false];
    for (let i = 0; !(isFirstEnd && isSecondEnd) && this.#budget > 0; i++) {
      const seen = look(i % 2 === 1 ? -(i + 1) / 2 : i / 2);
      if (seen === "found") return;
      if (seen === "first end") isFirstEnd = true;
      else if (seen === "second end") isSecondEnd = true;
      else this.#budget--;
    }
  }

  #isOpen(): boolean {
    return this.#forward.at.x < this.#backward.at.x && this.#forward.at.y < this.#backward.at.y;
  }

  #isEqual(x: number, y: number): boolean {
    return this.#compare(x, y).different === 0;
  }
}

/** The edits from one end to a point between the lists. */
class Path {
  readonly at: Point;
  readonly edits: Edit[] = [];
  readonly #direction: 1 | -1;
  readonly #compare: Compare;

  constructor(at: Point, direction: 1 | -1, compare: Compare) {
    this.at = at;
    this.#direction = direction;
    this.#compare = compare;
  }

  append(edit: Edit): void {
    this.edits.push(edit);
    if (edit !== "inserted") this.at.x += this.#direction;
    if (edit !== "removed") this.at.y += this.#direction;
  }

  connect({ x, y }: Point): void {
    const leftX = (): number => (x - this.at.x) * this.#direction;
    const leftY = (): number => (y - this.at.y) * this.#direction;
    while (leftX() > 0 && leftY() > 0) this.append(this.#next(leftX(), leftY()));
    while (leftX() > 0) this.append("removed");
    while (leftY() > 0) this.append("inserted");
  }

  #next(leftX: number, leftY: number): Edit {
    const isForward = this.#direction === 1;
    const { same, different } = isForward
      ? this.#compare(this.at.x, this.at.y)
      : this.#compare(this.at.x - 1, this.at.y - 1);
    if (different === 0) return "identical";
    if (same + 1 >= different) return "modified";
    const isRemoved = isForward ? leftX >= leftY : leftY < leftX;
    return isRemoved ? "removed" : "inserted";
  }
}
