/** What occurs more than once in a list, found in one walk: users send lists of any length. */

/** The places of items that have been there before. */
export function repeatedPlaces(items: readonly (string | number)[]): ReadonlySet<number> {
  const seen = new Set<string | number>();
  const places = new Set<number>();
  items.forEach((item, index) => {
    if (seen.has(item)) places.add(index);
    seen.add(item);
  });
  return places;
}
