/** Objects that grow in one place: for every list and map of every built-in kind, one of any length. */
import type { GoShape, GoStruct } from "../field/go-shape.ts";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import { type BuiltinResource, builtinResources } from "./builtin.ts";

export interface GrowingPlace {
  readonly resource: BuiltinResource;
  /** Such as `spec.template.spec.containers.0.ports`. */
  readonly path: readonly string[];
  readonly shape: GoShape & { readonly kind: "list" | "map" };
}

const MAX_DEPTH = 12;

/** A place of a struct that several kinds contain is given once. */
export function growingPlaces(): GrowingPlace[] {
  const known = new Set<string>();
  return builtinResources().flatMap((resource) => {
    const places: GrowingPlace[] = [];
    const visit = (struct: GoStruct, path: readonly string[]): void => {
      if (path.length > MAX_DEPTH) return;
      for (const [name, { shape }] of struct.fields()) {
        const id = `${struct.go}.${name}`;
        // The top of each kind has rules of its own.
        if (known.has(id)) continue;
        known.add(id);
        step(shape, [...path, name]);
      }
    };
    const step = (shape: GoShape, path: readonly string[]): void => {
      if (shape.kind === "struct") visit(shape, path);
      if (shape.kind !== "list" && shape.kind !== "map") return;
      places.push({ resource, path, shape });
      step(shape.of, [...path, shape.kind === "list" ? "0" : "key"]);
    };
    visit(resource.shape, []);
    return places;
  });
}

/** Whether the items differ, are equal, or are invalid. */
export type Variant = "distinct" | "equal" | "wrong";

export function grown({ resource, path, shape }: GrowingPlace, size: number, variant: Variant): JsonObject {
  const { group, version, kind } = resource;
  const top: Record<string, unknown> = {
    apiVersion: group === "" ? version : `${group}/${version}`,
    kind,
    metadata: { name: "a", namespace: "default", uid: "u", creationTimestamp: "2026-01-02T03:04:05Z" },
  };
  let at: unknown = top;
  path.forEach((step, index) => {
    const isLast = index === path.length - 1;
    const next = isLast ? listOf(shape, size, variant) : path[index + 1] === "0" ? [{}] : {};
    at = enter(at, step, next);
  });
  const object = fromPlain(top as never);
  return isObject(object) ? object : {};
}

function enter(at: unknown, step: string, next: unknown): unknown {
  const holder = at as Record<string, unknown>;
  const present = holder[step];
  const isKept = typeof present === "object" && present !== null && !Array.isArray(next);
  if (!isKept || Array.isArray(present)) holder[step] = Array.isArray(present) && !Array.isArray(next) ? [next] : next;
  return holder[step];
}

function listOf(shape: GrowingPlace["shape"], size: number, variant: Variant): unknown {
  if (shape.kind === "list") return Array.from({ length: size }, (_, index) => itemOf(shape.of, index, variant));
  return Object.fromEntries(
    Array.from({ length: size }, (_, index) => [`k${index}`, itemOf(shape.of, index, variant)]),
  );
}

function itemOf(shape: GoShape, index: number, variant: Variant, depth = 0): unknown {
  const serial = variant === "equal" ? 1 : index + 1;
  switch (shape.kind) {
    case "string":
      return variant === "wrong" ? `_!${serial}` : `n${serial}`;
    case "int":
      return variant === "wrong" ? -serial : serial;
    case "bool":
      return true;
    case "struct":
      if (depth > 1) return undefined;
      return Object.fromEntries(
        [...shape.fields()].map(([name, field]) => [name, itemOf(field.shape, index, variant, depth + 1)]),
      );
    case "list":
      return depth > 1 ? undefined : [itemOf(shape.of, index, variant, depth + 1)];
    case "map":
      return depth > 1 ? undefined : { [`k${serial}`]: itemOf(shape.of, index, variant, depth + 1) };
    default:
      return undefined;
  }
}
