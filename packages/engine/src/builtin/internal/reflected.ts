/** Values of kube-apiserver's internal types as Go's reflection sees them, for differences up to 1.33. */
import { goTime } from "../../field/format.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject, sortedKeys } from "../../value/json.ts";
import { canonicalJson } from "../../value/text.ts";
import { type GoStruct, type GoValue, intOf, stringOf, structOf } from "../go-diff/go-value.ts";
import { textOf, textsOf } from "../object.ts";
import { pointee } from "../types.ts";
import { quantityParts } from "../validate/go-values.ts";
import { lineOf } from "./fields.ts";
import { inside, type Place, structMembers, typeName } from "./go-syntax.ts";

/** A value of an internal struct, such as `core.PodSpec`. */
export function reflected(type: string, value: JsonObject): GoValue {
  return reflect(value, { type: `@${lineOf(type)}`, published: undefined, group: "" });
}

function reflect(value: JsonValue | undefined, place: Place): GoValue {
  const type = typeName(place);
  switch (place.type.charAt(0)) {
    case "*":
      return reflectPointer(value, place, type);
    case "[": {
      const items = isArray(value) ? value.map((item) => reflect(item, inside(place))) : undefined;
      return { kind: "slice", type, items };
    }
    case "<":
      return { kind: "map", type, entries: entriesOf(value, place), hasOwnKeys: type === "core.ResourceList" };
    case "@":
      return reflectStruct(isObject(value) ? value : newObject(), place, type);
    default:
      return reflectPlain(value, place.type, type);
  }
}

function reflectPointer(value: JsonValue | undefined, place: Place, type: string): GoValue {
  if (value === undefined || value === null) return { kind: "pointer", type, to: undefined };
  const { published, group } = place;
  const to = reflect(value, { type: place.type.slice(1), published: published && pointee(published), group });
  const ownText = pointerText(value, to);
  return { kind: "pointer", type, to, ...(ownText !== undefined && { ownText }) };
}

/** Pointers to some types have a method that prints what they lead to. */
function pointerText(value: JsonValue, to: GoValue): string | undefined {
  if (to.type === "resource.Quantity") return String(value);
  if (to.type === "v1.LabelSelector" && isObject(value)) return selectorText(value);
  return to.ownText;
}

function selectorText(selector: JsonObject): string {
  const labels = isObject(selector["matchLabels"]) ? selector["matchLabels"] : newObject();
  const pairs = sortedKeys(labels).map((key) => `${key}: ${String(labels[key])},`);
  const listed = isArray(selector["matchExpressions"]) ? selector["matchExpressions"] : [];
  const requirements = listed.filter(isObject).map((each) => {
    const values = textsOf(each, "values").join(" ");
    return `LabelSelectorRequirement{Key:${textOf(each, "key")},Operator:${textOf(each, "operator")},Values:[${values}],},`;
  });
  const expressions = `[]LabelSelectorRequirement{${requirements.join("")}}`;
  return `&LabelSelector{MatchLabels:map[string]string{${pairs.join("")}},MatchExpressions:${expressions},}`;
}

function entriesOf(value: JsonValue | undefined, place: Place): ReadonlyMap<string, GoValue> | undefined {
  if (!isObject(value)) return undefined;
  return new Map(sortedKeys(value).map((key) => [key, reflect(value[key], inside(place))]));
}

function reflectStruct(value: JsonObject, { type: line }: Place, type: string): GoStruct {
  const members = structMembers(value, Number(line.slice(1)));
  return {
    kind: "struct",
    type,
    fields: members.map(({ name, value: inner, place }) => ({ name, value: reflect(inner, place) })),
  };
}

function reflectPlain(value: JsonValue | undefined, code: string, type: string): GoValue {
  switch (code) {
    case "q":
      return quantity(typeof value === "string" ? value : undefined);
    case "o":
      return intOrString(value);
    case "t":
      return time(typeof value === "string" ? value : undefined);
    case "b":
      return { kind: "bool", type, value: value === true };
    case "i":
      return intOf(canonicalJson(value ?? 0), type);
    default:
      return stringOf(typeof value === "string" ? value : "", type);
  }
}

function quantity(text: string | undefined): GoStruct {
  const { value = "0", scale = 0, format = "" } = text === undefined ? {} : (quantityParts(text) ?? {});
  const amount = structOf("resource.int64Amount", { value: intOf(value, "int64"), scale: intOf(String(scale)) });
  const fields = {
    i: amount,
    d: structOf("resource.infDecAmount", {}),
    s: stringOf(text ?? ""),
    Format: stringOf(format),
  };
  return structOf("resource.Quantity", fields, { identity: text ?? "0" });
}

function intOrString(value: JsonValue | undefined): GoStruct {
  const isText = typeof value === "string";
  return structOf("intstr.IntOrString", {
    Type: intOf(isText ? "1" : "0", "intstr.Type"),
    IntVal: intOf(isText ? "0" : canonicalJson(value ?? 0)),
    StrVal: stringOf(isText ? value : ""),
  });
}

const ZERO_TIME = "0001-01-01T00:00:00Z";

function time(text: string | undefined): GoStruct {
  const ownText = goTime(text ?? ZERO_TIME);
  // Its fields are zero for the first moment only, and cannot be seen.
  const inner = structOf(
    "time.Time",
    { ext: intOf(text === undefined ? "0" : "1", "int64") },
    { identity: ownText, ownText },
  );
  return structOf("v1.Time", { Time: inner }, { ownText });
}
