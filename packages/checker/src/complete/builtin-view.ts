/**
 * What is known about the fields of built-in kinds beside their types: defaults, how lists are merged, the Kubernetes
 * version that introduced them, and where the API reference describes them.
 */
import {
  kindsOfStruct,
  pointee,
  type StructField,
  type StructType,
  structAt,
  structOnLine,
  type TypeExpr,
} from "@portcullis/engine/internal/builtin/types";
import { structName } from "@portcullis/engine/internal/openapi/builtin-schema";
import { KUBERNETES_VERSIONS, minorOf } from "@portcullis/engine/internal/value/server-version";
import type { Field, View } from "./view.ts";

/** The newest one that is certain to be published. */
const REFERENCE = "https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.36/";

/** The view of a kind, or of a struct in one, with these facts. `group` is that of the kind. */
export function builtinView(view: View, struct: StructType, group: string): View {
  const withFacts = (inner: View, type: TypeExpr, field?: StructField): View => {
    const target = pointee(type);
    const facts = { bounds: field === undefined ? [] : factsOf(struct, field), link: linkTo(struct, group) };
    if (target.kind === "struct") {
      const of = structAt(target.index);
      return { ...builtinView(inner, of, group), ...facts, link: linkTo(of, group) };
    }
    const of = target.kind === "list" || target.kind === "map" ? target.of : undefined;
    if (of === undefined) return { ...inner, ...facts };
    const place = (each: View | undefined): View | undefined => each && withFacts(each, of);
    return { ...inner, ...facts, member: (key) => place(inner.member(key)), item: () => place(inner.item()) };
  };
  const fields = (): readonly Field[] =>
    view.fields().map((field) => {
      const known = struct.members.get(field.name);
      return known === undefined ? field : { ...field, view: withFacts(field.view, known.type, known) };
    });
  return {
    ...view,
    link: linkTo(struct, group),
    fields,
    member: (key) => fields().find(({ name }) => name === key)?.view ?? view.member(key),
  };
}

function factsOf(struct: StructType, { name, type, default: preset, apply, strategies, mergeKey }: StructField) {
  const since = introducedIn(struct, name);
  const listType = apply?.kind === "keyedList" ? `map, keys: ${apply.keys.join(", ")}` : LIST_TYPES[apply?.kind ?? ""];
  return [
    ...(FORMATS[formatKey(pointee(type))] ?? []),
    ...(isTelling(preset) ? [`default: ${String(preset)}`] : []),
    ...(listType === undefined ? [] : [`x-kubernetes-list-type: ${listType}`]),
    ...(strategies.includes("merge") && mergeKey !== "" ? [`patches merge by: ${mergeKey}`] : []),
    ...(since === undefined ? [] : [`since Kubernetes 1.${since}`]),
  ];
}

/** Zero values only say that the field is always written. */
function isTelling(preset: unknown): boolean {
  return (typeof preset === "string" || typeof preset === "number" || preset === true) && preset !== "" && preset !== 0;
}

const LIST_TYPES: Readonly<Record<string, string>> = { atomicList: "atomic", set: "set" };

function formatKey(type: TypeExpr): string {
  return type.kind === "special" ? type.go : type.kind;
}

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  bytes: ["format: base64"],
  int32: ["format: int32"],
  int64: ["format: int64"],
  "resource.Quantity": ["format: quantity, such as 500m or 1Gi"],
  "intstr.IntOrString": ["format: a number or a text"],
  "v1.Time": ["format: RFC 3339"],
  "v1.MicroTime": ["format: RFC 3339"],
};

const MINORS = KUBERNETES_VERSIONS.map((version) => minorOf(version)).sort((left, right) => left - right);

/** Undefined if every supported version has the field, or if that is not known. */
function introducedIn({ line }: StructType, name: string): number | undefined {
  const first = MINORS.find((minor) => structOnLine(line, minor).members.has(name));
  return first === MINORS[0] ? undefined : first;
}

/** The page names types with their version and group: `podspec-v1-core`. */
function linkTo(struct: StructType, group: string): string {
  const [kind = "", version = "", name = ""] = structName(struct).split(".").reverse();
  const own = kindsOfStruct(struct)[0]?.group;
  const home = own ?? (name === "core" || name === "meta" ? name : group.split(".")[0] === name ? group : undefined);
  if (home === undefined) return REFERENCE;
  const anchor = [kind, version, home === "" ? "core" : home].join("-").replaceAll(".", "-").toLowerCase();
  return `${REFERENCE}#${anchor}`;
}
