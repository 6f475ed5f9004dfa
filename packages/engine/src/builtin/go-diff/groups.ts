/** Neighbouring parts that are equal, or that differ, and how they are counted. Follows diffStats of go-cmp. */

export interface Group {
  identical: number;
  removed: number;
  inserted: number;
  modified: number;
}

export function newGroup(counts: Partial<Group> = {}): Group {
  return { identical: 0, removed: 0, inserted: 0, modified: 0, ...counts };
}

export function differencesIn({ removed, inserted, modified }: Group): number {
  return removed + inserted + modified;
}

export function isNoGroup(group: Group): boolean {
  return group.identical + differencesIn(group) === 0;
}

export function addGroups(left: Group, right: Group): Group {
  return {
    identical: left.identical + right.identical,
    removed: left.removed + right.removed,
    inserted: left.inserted + right.inserted,
    modified: left.modified + right.modified,
  };
}

export function groupsOf(kinds: readonly (keyof Group)[]): Group[] {
  const groups: Group[] = [];
  let wasIdentical: boolean | undefined;
  for (const kind of kinds) {
    const isIdentical = kind === "identical";
    if (isIdentical !== wasIdentical) groups.push(newGroup());
    wasIdentical = isIdentical;
    const last = groups.at(-1);
    if (last !== undefined) last[kind]++;
  }
  return groups;
}

/** `3 identical fields`, `1 removed, 2 inserted, and 1 modified entries`. */
export function describeGroup(group: Group, name: string): string {
  const counts = (["identical", "removed", "inserted", "modified"] as const).filter((kind) => group[kind] > 0);
  const parts = counts.map((kind) => `${group[kind]} ${kind}`);
  const total = counts.reduce((sum, kind) => sum + group[kind], 0);
  const noun = total > 1 ? `${name}s`.replace(/ys$/, "ies") : name;
  const last = parts.at(-1) ?? "";
  const listed = parts.length < 3 ? parts.join(" and ") : `${parts.slice(0, -1).join(", ")}, and ${last}`;
  return `${listed} ${noun}`;
}
