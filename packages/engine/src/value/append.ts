/** Adds all items of a list to another, however many: `push(...items)` fails beyond what a call takes as arguments. */
export function append<T>(list: T[], items: readonly T[]): void {
  for (const item of items) list.push(item);
}
