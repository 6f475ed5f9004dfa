/** Random edits of valid objects: fields removed, replaced, added, of a wrong type, too long. */
import fc from "fast-check";

type Json = ReturnType<typeof JSON.parse>;

export interface Edit {
  /** Picks a place among all places of the object. */
  readonly place: number;
  readonly action: "remove" | "replace" | "add" | "repeat";
  readonly key: string;
  readonly value: Json;
}

const VALUES: readonly Json[] = [
  null,
  "",
  "a",
  "A_b",
  "x".repeat(70),
  "x".repeat(300),
  "1",
  "10Mi",
  "-1",
  "a.b.c",
  "a/b",
  "Always",
  "TCP",
  "true",
  "é",
  0,
  1,
  -1,
  65536,
  2147483648,
  1.5,
  true,
  false,
  [],
  {},
  [""],
  [{}],
  ["a", "a"],
  { a: "b" },
  { "": "" },
  { name: "a" },
  { matchLabels: { app: "y" } },
  { "bad key!": "v" },
  "2020-01-01T00:00:00Z",
  "10.0.0.1",
  "50%",
  "200%",
];
const KEYS: readonly string[] = [
  "labels",
  "annotations",
  "finalizers",
  "ownerReferences",
  "generateName",
  "spec",
  "status",
  "data",
  "name",
  "type",
  "selector",
  "template",
  "unknown",
  "metadata",
  "replicas",
  "namespace",
  "deletionTimestamp",
  "generation",
  "stringData",
  "immutable",
  "hostNetwork",
  "volumes",
  "env",
  "resources",
  "limits",
  "ports",
  "port",
  "nodePort",
  "externalIPs",
  "nodeSelector",
  "terminationGracePeriodSeconds",
  "rules",
  "verbs",
  "kind",
  "apiGroup",
  "minReadySeconds",
  "suspend",
];

export const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    place: fc.nat(10_000),
    action: fc.constantFrom("remove", "replace", "replace", "add", "repeat"),
    key: fc.constantFrom(...KEYS),
    value: fc.constantFrom(...VALUES),
  }),
  { minLength: 0, maxLength: 3 },
);

export function edited(object: Json, changes: readonly Edit[]): Json {
  const copy = structuredClone(object);
  for (const change of changes) applyEdit(copy, change);
  return copy;
}

interface Place {
  readonly parent: Json;
  readonly key: string | number;
}

function applyEdit(object: Json, { place, action, key, value }: Edit): void {
  const places = placesOf(object).filter(({ parent, key: at }) => parent !== object || !FIXED.has(String(at)));
  const found = places[place % Math.max(places.length, 1)];
  if (found === undefined) return;
  const { parent, key: at } = found;
  if (action === "add" && parent === object && FIXED.has(key)) return;
  if (action === "add" && Array.isArray(parent)) parent.push(structuredClone(value));
  else if (action === "add") parent[key] = structuredClone(value);
  else if (action === "replace") parent[at] = structuredClone(value);
  else if (action === "repeat" && Array.isArray(parent)) parent.push(structuredClone(parent[Number(at)]));
  else if (Array.isArray(parent)) parent.splice(Number(at), 1);
  else delete parent[at];
}

/** Manifests name what they are. */
const FIXED = new Set(["apiVersion", "kind", "metadata"]);

function placesOf(value: Json): readonly Place[] {
  if (value === null || typeof value !== "object") return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => [{ parent: value, key }, ...placesOf(value[key])]);
}
