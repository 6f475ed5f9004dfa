/** Removes what two servers, or two runs, may differ in before responses are compared. */

import { isDeepStrictEqual } from "node:util";

type Json = ReturnType<typeof JSON.parse>;

const VOLATILE = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "managedFields",
  "time",
  "lastTransitionTime",
  "selfLink",
  "deletionTimestamp",
  "storageVersionHash",
]);

/** Numbers that a double cannot carry unchanged are compared by their spelling. */
export function parseExactly(text: string): Json {
  const pattern = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  const isExact = (token: string): boolean => token.startsWith('"') || String(Number(token)) === token;
  return JSON.parse(text.replace(pattern, (token) => (isExact(token) ? token : `"number:${token}"`)));
}

export function withoutVolatile(value: Json, keepManaged: boolean): Json {
  if (Array.isArray(value)) return value.map((item) => withoutVolatile(item, keepManaged));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.keys(value)
    .sort()
    .filter((key) => !VOLATILE.has(key) || (keepManaged && key === "managedFields"))
    .map((key) => [
      key,
      key === "managedFields" ? sortedManagers(value[key]) : withoutVolatile(value[key], keepManaged),
    ]);
  return Object.fromEntries(entries);
}

const TIMES = new Set([
  "creationTimestamp",
  "deletionTimestamp",
  "lastTransitionTime",
  "lastUpdateTime",
  "lastProbeTime",
  "time",
]);

/** A review with placeholders for what differs between runs; `me` is the user who asks. */
export function withoutIdentity(value: Json, me: Json, keepManaged: boolean, key = ""): Json {
  if (key === "userInfo") return isDeepStrictEqual(value, me) ? "<me>" : value;
  const isSet = value !== null && value !== "";
  if (isSet && key === "uid") return "<uid>";
  if (isSet && key === "resourceVersion") return /^\d+$/.test(value) ? "<rv>" : value;
  if (isSet && TIMES.has(key)) return "<time>";
  if (isSet && key === "managedFields") return keepManaged ? sortedManagers(value) : "<managedFields>";
  if (Array.isArray(value)) return value.map((item) => withoutIdentity(item, me, keepManaged));
  if (value === null || typeof value !== "object") return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, withoutIdentity(value[name], me, keepManaged, name)]));
}

function sortedManagers(entries: Json): Json {
  const identity = (entry: Json): string =>
    [entry.manager, entry.operation, entry.subresource ?? "", entry.apiVersion].join("|");
  const plain = entries.map((entry: Json) => withoutVolatile(entry, true));
  return plain.sort((left: Json, right: Json) => (identity(left) < identity(right) ? -1 : 1));
}

/** Texts that quote a stored object contain its uid, version and times. */
export function steadyText(text: string, now: number): string {
  return (
    text
      .replace(/(?!0{8})[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uid>")
      .replace(/(\\*"resourceVersion\\*":\\*")\d+/g, "$1<rv>")
      .replace(/(ResourceVersion in record \()\d+/g, "$1<rv>")
      .replace(/(Too large resource version: \d+, current: )\d+/g, "$1<rv>")
      // Up to 1.33 messages print where pointers lead.
      .replace(/\(0x[0-9a-f]{6,}\)/g, "(0xc000000000)")
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (time) =>
        Math.abs(Date.parse(time) - now) < 864e5 ? "<time>" : time,
      )
  );
}

/** `/a/b`, `/list[key=value]/x`; `#keys` gives the sorted keys of an object. */
export function pointTo(value: Json, pointer: string): Json {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce(stepTo, value);
}

function stepTo(value: Json, part: string): Json {
  const [, list, key, wanted] = /^(.*)\[([^=\]]+)=([^\]]*)\]$/.exec(part) ?? [];
  if (key !== undefined) {
    const items = list ? value?.[list] : value;
    return Array.isArray(items)
      ? items.find((item: Json) => String(key.split(".").reduce((at: Json, name) => at?.[name], item)) === wanted)
      : undefined;
  }
  if (!part.endsWith("#keys")) return value?.[part];
  const object = part.length > 5 ? value?.[part.slice(0, -5)] : value;
  return object && Object.keys(object).sort();
}
