/** Values that are no JSON as Go prints them: what the merge library says of one in a configuration. */
import {
  Bytes,
  Double,
  Duration,
  displayText,
  ListValue,
  MapValue,
  OpaqueValue,
  TextList,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from "@portcullis/cel/internal";
import { formatDuration } from "@portcullis/gostd/duration";
import { quote } from "@portcullis/gostd/quote";

/** `%T` of the value inside. */
export function goTypeOf(value: Value): string {
  if (value === null) return "structpb.NullValue";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number" || typeof value === "bigint") return "int64";
  if (value instanceof Uint) return "uint64";
  if (value instanceof Double) return "float64";
  if (value instanceof Bytes) return "[]uint8";
  if (value instanceof Duration) return "time.Duration";
  if (value instanceof Timestamp) return "time.Time";
  if (value instanceof TypeValue) return "string";
  if (value instanceof TextList) return "[]string";
  if (value instanceof ListValue) return "[]ref.Val";
  if (value instanceof MapValue) return "map[ref.Val]ref.Val";
  return value instanceof OpaqueValue ? value.goTypeName : "<nil>";
}

/** `%v`. */
export function goPlainOf(value: Value): string {
  if (value === null) return "NULL_VALUE";
  if (value instanceof Bytes) return `[${value.data.join(" ")}]`;
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Duration) return formatDuration(value.nanos);
  if (value instanceof Timestamp) return goTime(value);
  if (value instanceof ListValue) return `[${itemsOf(value).map(goPlainOf).join(" ")}]`;
  if (value instanceof MapValue) return `map[${entriesOf(value, goPlainOf).join(" ")}]`;
  return typeof value === "string" ? value : displayText(value);
}

/** `%#v`. */
export function goSyntaxOf(value: Value): string {
  if (value === null) return "0";
  if (typeof value === "string") return quote(value);
  if (value instanceof Bytes) return `[]uint8{${[...value.data].map(hex).join(", ")}}`;
  if (value instanceof Uint) return hex(value.value);
  if (value instanceof Duration) return String(value.nanos);
  if (value instanceof Timestamp) return goDate(value);
  if (value instanceof ListValue) return `${goTypeOf(value)}{${itemsOf(value).map(goSyntaxOf).join(", ")}}`;
  if (value instanceof MapValue) return `map[ref.Val]ref.Val{${entriesOf(value, goSyntaxOf).join(", ")}}`;
  return displayText(value);
}

function hex(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

function itemsOf(list: ListValue): Value[] {
  return Array.from({ length: list.size }, (_, index) => list.at(index));
}

function entriesOf(map: MapValue, show: (value: Value) => string): string[] {
  return map
    .keys()
    .map((key) => `${show(key)}:${show(map.get(key) ?? null)}`)
    .sort();
}

function goTime({ seconds, nanos }: Timestamp): string {
  const [date = "", time = ""] = new Date(seconds * 1000).toISOString().slice(0, 19).split("T");
  const fraction = nanos === 0 ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;
  return `${date} ${time}${fraction} +0000 UTC`;
}

const MONTHS = "January February March April May June July August September October November December".split(" ");

function goDate({ seconds, nanos }: Timestamp): string {
  const at = new Date(seconds * 1000);
  const clock = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds(), nanos].join(", ");
  return `time.Date(${at.getUTCFullYear()}, time.${MONTHS[at.getUTCMonth()]}, ${at.getUTCDate()}, ${clock}, time.UTC)`;
}
