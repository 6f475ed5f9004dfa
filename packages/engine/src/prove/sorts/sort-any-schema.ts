/**
 * Custom resources that were accepted under the schema of any version: each place holds what one of the schemas accepts
 * there. A part that another version lacks may be absent, because reading in that version drops it.
 */
import type { Structural } from "../../schema/structural.ts";
import {
  type Alternative,
  ANY,
  type ListAlternative,
  lazySort,
  type MapAlternative,
  type Premise,
  type Property,
  type Sort,
} from "./sort.ts";
import { schemaSort } from "./sort-schema.ts";

/** `defaulted` is the schema whose defaults fill in the object. */
export function anySchemaSort(schemas: readonly (Structural | undefined)[], defaulted: Structural | undefined): Sort {
  return anySort(
    schemas.map((schema) => (schema === undefined ? ANY : schemaSort(schema))),
    defaulted,
  );
}

function anySort(sorts: readonly Sort[], defaulted: Structural | undefined): Sort {
  const relies = [...new Set(sorts.flatMap((sort) => sort.relies))];
  return lazySort(() => {
    const all = sorts.flatMap((sort) => sort.alternatives());
    const maps = all.filter((each): each is MapAlternative => each.kind === "map");
    const lists = all.filter((each): each is ListAlternative => each.kind === "list");
    const isScalar = ({ kind }: Alternative): boolean => kind !== "map" && kind !== "list" && kind !== "null";
    const isNullable = all.some(({ kind }) => kind === "null");
    return [
      ...all.filter(isScalar),
      ...(lists.length === 0 ? [] : [anyList(lists, defaulted)]),
      ...(maps.length === 0 ? [] : [anyMap(maps, defaulted)]),
      ...(isNullable ? [{ kind: "null" } as const] : []),
    ];
  }, relies);
}

function anyList(lists: readonly ListAlternative[], defaulted: Structural | undefined): ListAlternative {
  return {
    kind: "list",
    item: () =>
      anySort(
        lists.map(({ item }) => item()),
        defaulted?.items,
      ),
    min: Math.min(...lists.map(({ min }) => min)),
    max: largest(lists.map(({ max }) => max)),
  };
}

function anyMap(maps: readonly MapAlternative[], defaulted: Structural | undefined): MapAlternative {
  const made = new Map<string, Property | undefined>();
  const open = maps.flatMap((map) => map.open ?? []);
  const additional = defaulted?.additionalProperties?.schema;
  return {
    kind: "map",
    property: (key) => {
      if (!made.has(key)) made.set(key, anyProperty(maps, key, defaulted?.properties.get(key) ?? additional));
      return made.get(key);
    },
    open:
      open.length === 0
        ? undefined
        : {
            key: { kind: "string" },
            value: () =>
              anySort(
                open.map(({ value }) => value()),
                additional,
              ),
          },
    min: 0,
    max: largest(maps.map(({ max }) => max)),
    keys: () => [...new Set(maps.flatMap(({ keys }) => keys()))],
  };
}

function anyProperty(
  maps: readonly MapAlternative[],
  key: string,
  defaulted: Structural | undefined,
): Property | undefined {
  const found = maps.flatMap((map) => map.property(key) ?? []);
  if (found.length === 0) return undefined;
  const isFilled = defaulted?.default !== undefined && defaulted.default !== null;
  const isAlways = found.length === maps.length && found.every(({ presence }) => presence === "always");
  const relies: Premise[] = isFilled ? ["schema", "default"] : ["schema"];
  return {
    sort: anySort(
      found.map(({ sort }) => sort),
      defaulted,
    ),
    presence: isFilled || isAlways ? "always" : "optional",
    relies: isFilled ? relies : [...new Set(found.flatMap((each) => each.relies))],
  };
}

function largest(limits: readonly (number | undefined)[]): number | undefined {
  const known = limits.flatMap((limit) => limit ?? []);
  return known.length < limits.length ? undefined : Math.max(...known);
}
