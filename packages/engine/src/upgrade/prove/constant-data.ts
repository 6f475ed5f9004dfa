/** Defaults as rules see them. */
import { unescapeName } from "../../kubecel/escaping.ts";
import type { Structural } from "../../schema/structural.ts";
import { TRUE } from "../../symbolic/formula.ts";
import type { Case, Data, Place } from "../../symbolic/term.ts";
import { isArray, isObject, type JsonValue } from "../../value/json.ts";
import { canonicalJson } from "../../value/text.ts";
import { sortOf } from "./reading.ts";

const MISSING: Data = { kind: "missing" };

/** A default as rules see it. */
export function constantData(value: JsonValue, schema: Structural): Data {
  const sort = sortOf(schema);
  const { items } = schema;
  return {
    kind: "constant",
    value,
    sort,
    place: isObject(value) && sort === "object" ? constantPlace(value, schema) : undefined,
    items: isArray(value) && sort === "list" && items ? value.map((item) => constantData(item, items)) : undefined,
  };
}

function constantPlace(value: JsonValue, schema: Structural): Place {
  const name = `constant ${canonicalJson(value)}`;
  const member = (escaped: string): readonly Case<Data>[] => {
    const key = unescapeName(escaped);
    const inner = key === undefined ? undefined : schema.properties.get(key);
    const own = key !== undefined && isObject(value) ? value[key] : undefined;
    const found = own ?? inner?.default;
    if (inner === undefined || found === undefined || found === null) return [{ when: TRUE, is: MISSING }];
    return [{ when: TRUE, is: constantData(found, inner) }];
  };
  const nothing = (): undefined => undefined;
  return {
    name,
    whole: name,
    presence: name,
    sort: "object",
    member,
    child: nothing,
    range: undefined,
    element: () => [],
    elementChild: nothing,
  };
}
