/**
 * What YAML can say and JSON cannot: keys that are null or past int64, numbers that are not finite.
 *
 * Upstream notices them after the whole document is decoded, outer mappings first.
 */
import { Float64, isArray, isObject, type JsonObject, type JsonValue, sortedKeys } from "../../value/json.ts";
import { nodeGoSyntax, scalarGoSyntax } from "./go-syntax.ts";
import type { YamlNode } from "./node.ts";
import type { YamlScalar } from "./resolve.ts";

export function unsupportedKey(key: YamlScalar, value: YamlNode): string {
  const type = key === null ? "%!s(<nil>)" : "uint64";
  return `unsupported map key of type: ${type}, key: ${scalarGoSyntax(key)}, value: ${nodeGoSyntax(value)}`;
}

export function findBadKey(
  roots: readonly JsonValue[],
  badKeys: ReadonlyMap<JsonObject, ReadonlyMap<string, string>>,
): string | undefined {
  for (const value of walk(roots)) {
    const found = isObject(value) ? badKeys.get(value)?.values().next().value : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

export function findBadNumber(root: JsonValue): string | undefined {
  for (const value of walk([root])) {
    if (value instanceof Float64 && !Number.isFinite(value.value)) {
      return `json: unsupported value: ${scalarGoSyntax(value)}`;
    }
  }
  return undefined;
}

/** Every value, parents before children, keys in order. */
function* walk(roots: readonly JsonValue[]): Generator<JsonValue> {
  const pending = roots.toReversed();
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    yield value;
    if (isArray(value)) for (let i = value.length - 1; i >= 0; i--) pending.push(value[i] ?? null);
    else if (isObject(value)) for (const key of sortedKeys(value).reverse()) pending.push(value[key] ?? null);
  }
}
