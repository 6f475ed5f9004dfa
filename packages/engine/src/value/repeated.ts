/** Whether an item is in a list before the given index, too. Not by `indexOf`: a list can have 400,000 items. */
export function repeats(items: readonly string[]): (index: number) => boolean {
  const first = new Map<string, number>();
  for (const [index, item] of items.entries()) if (!first.has(item)) first.set(item, index);
  return (index) => (first.get(items[index] ?? "") ?? index) < index;
}
