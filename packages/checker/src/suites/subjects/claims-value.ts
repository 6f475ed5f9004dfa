/**
 * The claims of a token as expressions see them.
 *
 * All numbers are doubles, because upstream decodes them as Go's encoding/json does. In maps below the claims, and only
 * there, a key may be written in the escaped form of field names. Follows newClaimsValue of
 * apiserver plugin/pkg/authenticator/token/oidc.
 */
import { Double, type Value } from "@portcullis/cel";
import { ArrayList, EntryMap } from "@portcullis/cel/internal";
import { isArray, isNumber, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { asFloat } from "@portcullis/engine/internal/value/number";
import { unescapeName } from "@portcullis/engine/kubecel";

export function claimsValue(claims: JsonObject): Value {
  return EntryMap.of(Object.entries(claims).map(([name, value]) => [name, claimValue(value)]));
}

export function claimValue(json: JsonValue): Value {
  if (isNumber(json)) return new Double(asFloat(json));
  if (isArray(json)) return new ArrayList(json.map(claimValue));
  return isObject(json) ? UnescapedMap.from(json) : json;
}

class UnescapedMap extends EntryMap {
  static from(json: JsonObject): UnescapedMap {
    const made = new UnescapedMap();
    for (const [name, value] of Object.entries(json)) made.set(name, claimValue(value));
    return made;
  }

  override get(key: Value): Value | undefined {
    return super.get(typeof key === "string" ? (unescapeName(key) ?? key) : key);
  }
}
