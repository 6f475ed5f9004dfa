/**
 * Paths from a variable to a part of it, as the estimator tracks them.
 *
 * Upstream keeps them in Go slices and appends without copying: where a slice has room to spare, two
 * fields selected from one loop variable share storage and the later overwrites the earlier. Estimates
 * that read a path later see the overwritten one, so paths here share storage by the same rule.
 */

export interface CostPath {
  /** May be longer than the path, and shared. */
  readonly cells: string[];
  readonly length: number;
  /** Doubles when exceeded, as Go's does for slices this short. */
  readonly capacity: number;
}

export const NO_PATH: CostPath = { cells: [], length: 0, capacity: 0 };

export function pathOf(name: string): CostPath {
  return { cells: [name], length: 1, capacity: 1 };
}

export function appendPath(path: CostPath, name: string): CostPath {
  const length = path.length + 1;
  if (length <= path.capacity) {
    path.cells[path.length] = name;
    return { cells: path.cells, length, capacity: path.capacity };
  }
  const cells = path.cells.slice(0, path.length);
  cells.push(name);
  return { cells, length, capacity: Math.max(2 * path.capacity, 1) };
}

export function readPath(path: CostPath): readonly string[] {
  return path.cells.slice(0, path.length);
}
