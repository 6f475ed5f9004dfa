/** Values as the corpus writes them: every value under a tag for its type, numbers as text. */
import {
  Bytes,
  CelError,
  Double,
  Duration,
  ListValue,
  MapValue,
  type OpaqueValue,
  OptionalValue,
  runtimeTypeName,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from "@portcullis/cel/internal";
import { CidrValue } from "@portcullis/engine/internal/kubecel/library/cidr";
import { FormatValue } from "@portcullis/engine/internal/kubecel/library/format";
import { IpValue } from "@portcullis/engine/internal/kubecel/library/ip";
import { QuantityValue } from "@portcullis/engine/internal/kubecel/library/quantity-value";
import { SemverValue } from "@portcullis/engine/internal/kubecel/library/semver";
import { formatSemver } from "@portcullis/engine/internal/kubecel/library/semver-text";
import { UrlValue } from "@portcullis/engine/internal/kubecel/library/urls";
import { formatQuantity } from "@portcullis/engine/internal/value/quantity";
import { encodeBase64 } from "@portcullis/gostd/base64";
import { formatDuration } from "@portcullis/gostd/duration";
import { formatAddr, formatPrefix } from "@portcullis/gostd/netip";
import { formatFloat } from "@portcullis/gostd/strconv";
import { formatRfc3339Nano } from "@portcullis/gostd/time";
import { format as formatUrl } from "@portcullis/gostd/url";
import type { TypedJson } from "./case.ts";

export function encodeValue(value: Value): TypedJson {
  if (value === null) return { null: null };
  switch (typeof value) {
    case "boolean":
      return { bool: value };
    case "number":
    case "bigint":
      return { int: String(value) };
    case "string":
      return { string: value };
    default:
      return encodeObject(value);
  }
}

type ValueObject = Exclude<Value, null | boolean | number | bigint | string>;

function encodeObject(value: ValueObject): TypedJson {
  if (value instanceof Uint) return { uint: String(value.value) };
  if (value instanceof Double) return { double: formatFloat(value.value, "g", -1, 64) };
  if (value instanceof Bytes) return { bytes: encodeBase64(value.data) };
  if (value instanceof Duration) return { duration: formatDuration(value.nanos) };
  if (value instanceof Timestamp) return { timestamp: formatRfc3339Nano(BigInt(value.seconds), value.nanos) };
  if (value instanceof TypeValue) return { type: runtimeTypeName(value.type) };
  if (value instanceof CelError) return { error: value.message };
  if (value instanceof OptionalValue) return { optional: value.value === undefined ? null : encodeValue(value.value) };
  if (value instanceof ListValue)
    return { list: Array.from({ length: value.size }, (_, i) => encodeValue(value.at(i))) };
  if (value instanceof MapValue) return { map: encodeEntries(value) };
  return encodeOpaque(value);
}

/** Sorted by the text of the key; an object's null members count as absent. */
function encodeEntries(map: MapValue): readonly (readonly [TypedJson, TypedJson])[] {
  const entries = map.keys().flatMap((key) => {
    const value = map.get(key);
    return value === undefined ? [] : [[encodeValue(key), encodeValue(value)] as const];
  });
  return entries.sort(([left], [right]) => compareText(JSON.stringify(left), JSON.stringify(right)));
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

function encodeOpaque(value: OpaqueValue): TypedJson {
  if (value instanceof QuantityValue) return { "kubernetes.Quantity": formatQuantity(value.quantity) };
  if (value instanceof SemverValue) return { "kubernetes.Semver": formatSemver(value.version) };
  if (value instanceof UrlValue) return { "kubernetes.URL": formatUrl(value.url) };
  if (value instanceof IpValue) return { "net.IP": formatAddr(value.addr) };
  if (value instanceof CidrValue) return { "net.CIDR": formatPrefix(value.prefix) };
  if (value instanceof FormatValue) return { "kubernetes.NamedFormat": value.format.name };
  return { opaque: runtimeTypeName(value.type) };
}
