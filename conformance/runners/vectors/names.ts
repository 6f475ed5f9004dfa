/** Names that are unique to one run of a vector: they replace placeholders in requests and become placeholders in answers. */
import type { Outcome } from "./vector.ts";

export interface Names {
  readonly group: string;
  readonly short: string;
  readonly captured: Record<string, string>;
}

export function withNames<T>(value: T, { group, short, captured }: Names): T {
  const reversed = group.split(".").reverse().join(".");
  let text = JSON.stringify(value).replaceAll("{{g}}", group).replaceAll("{{n}}", short).replaceAll("{{rg}}", reversed);
  for (const [name, found] of Object.entries(captured))
    text = text.replaceAll(`{{c.${name}}}`, JSON.stringify(found).slice(1, -1));
  return JSON.parse(text);
}

/** Unique names, also those that a message cuts off, and the name CEL gives the type of self must not show. */
export function anonymous(outcome: Outcome, { group, short, captured }: Names): Outcome {
  const reversed = group.split(".").reverse().join(".");
  let text = JSON.stringify(outcome)
    .replaceAll(group, "{{g}}")
    .replaceAll(short, "{{n}}")
    .replaceAll(reversed, "{{rg}}");
  for (const [name, found] of Object.entries(captured)) {
    if (found.length >= 20) text = text.replaceAll(JSON.stringify(found).slice(1, -1), `{{c.${name}}}`);
  }
  return JSON.parse(
    text.replace(/selfType\d+/g, "selfType<N>").replace(/\b([gn])0{4}[0-9a-z.]*(?= \.\.\.)/g, "{{$1}}"),
  );
}
