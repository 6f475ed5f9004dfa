/** A value that shows whether all of it is there: its length and content follow from key and number. */
export function stormValue(key: string, number: number): string {
  return `${key} ${number} ${String(number).repeat(number % 1500)}`;
}
