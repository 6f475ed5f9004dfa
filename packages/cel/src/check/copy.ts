/** Mapping that shares the input where nothing changed, so that checking most trees copies nothing. */
export function mapUnchanged<T>(items: readonly T[], map: (item: T, index: number) => T): readonly T[] {
  let changed: T[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (item === undefined) continue;
    const mapped = map(item, index);
    if (mapped === item) continue;
    changed ??= items.slice();
    changed[index] = mapped;
  }
  return changed ?? items;
}
