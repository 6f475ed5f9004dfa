/** The int-or-string of Kubernetes, of whose strings percentages are the common case. Follows apimachinery util/intstr. */

/** The number before the percent sign, or undefined when the text is not a percentage. */
export function percentOf(text: string): number | undefined {
  const match = /^([+-]?[0-9]+)%$/.exec(text);
  return match === null ? undefined : Number(match[1]);
}
