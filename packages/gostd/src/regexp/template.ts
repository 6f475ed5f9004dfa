/** Go's `Regexp.Expand`: a replacement text in which `$` names groups. */

export interface TemplateGroups {
  /** By number, the whole match first. */
  readonly groups: readonly (string | undefined)[];
  /** The numbers of the groups of each name; the first one that matched counts. */
  readonly names: ReadonlyMap<string, readonly number[]>;
}

/** A reference to a group; the longest run of word characters counts, so `$1x` is the group "1x". */
const REFERENCE = /\$(?:\$|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu;

/** References to unknown groups are empty; a dollar that is not part of a reference stays. */
export function expandTemplate(template: string, { groups, names }: TemplateGroups): string {
  return template.replace(REFERENCE, (_, bare: string | undefined, braced: string | undefined) => {
    const name = bare ?? braced;
    if (name === undefined) return "$";
    const numbers = NUMBER.test(name) ? [Number(name)] : (names.get(name) ?? []);
    return numbers.map((number) => groups[number]).find((group) => group !== undefined) ?? "";
  });
}

const NUMBER = /^(?:0|[1-9][0-9]{0,7})$/;
