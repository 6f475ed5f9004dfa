/** Verdicts and witnesses of proofs as data and as text. */
import type { UserInfo } from "@portcullis/engine/internal/kubecel/library/authz";
import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import type { PolicyVerdict } from "@portcullis/engine/internal/policy/dispatch";
import type { Verdict } from "@portcullis/engine/internal/prove/difference";
import type { Fact, ImpliedBy } from "@portcullis/engine/internal/prove/facts";
import type { Witness } from "@portcullis/engine/internal/prove/witness";
import { type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { exactJson } from "./exact-json.ts";

export function record(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const made = newObject();
  for (const [key, value] of Object.entries(members)) if (value !== undefined) made[key] = value;
  return made;
}

/** The AdmissionReview that a webhook would receive. */
export function reviewOf(attributes: AdmissionAttributes): JsonObject {
  const { operation, resource, subresource, kind, name, namespace, object, oldObject, options, dryRun, userInfo } =
    attributes;
  const text = (value: string): string | undefined => (value === "" ? undefined : value);
  const gvk = record({ group: kind.group, version: kind.version, kind: kind.kind });
  const gvr = record({ group: resource.group, version: resource.version, resource: resource.resource });
  const request = record({
    uid: "00000000-0000-0000-0000-000000000000",
    kind: gvk,
    resource: gvr,
    subResource: text(subresource),
    requestKind: gvk,
    requestResource: gvr,
    requestSubResource: text(subresource),
    name: text(name),
    namespace: text(namespace),
    operation,
    userInfo: userJson(userInfo),
    object: object ?? null,
    oldObject: oldObject ?? null,
    dryRun,
    options: options ?? null,
  });
  return record({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request });
}

/** As in an AdmissionReview; "" and no extras are left out. */
export function userJson({ name, uid, groups, extra }: UserInfo): JsonObject {
  const extras = [...extra].map(([key, values]): [string, JsonValue] => [key, [...values]]);
  return record({
    username: name === "" ? undefined : name,
    uid: uid === "" ? undefined : uid,
    groups: [...groups],
    extra: extras.length === 0 ? undefined : record(Object.fromEntries(extras)),
  });
}

/** Additional objects that must exist for this result. */
export function needsOf({ namespace, params }: Witness): JsonValue[] | undefined {
  const needs = [...(namespace === undefined ? [] : [namespace]), ...params];
  return needs.length === 0 ? undefined : needs;
}

export function witnessData(witness: Witness): Record<string, JsonValue | undefined> {
  return { witness: reviewOf(witness.attributes), needs: needsOf(witness) };
}

export function verdictJson(verdict: Verdict<Witness>): JsonObject {
  if (verdict.verdict === "some") return record({ verdict: "some", ...witnessData(verdict.witness) });
  if (verdict.verdict === "none") return record({ verdict: "none", relies: [...verdict.relies], upTo: verdict.upTo });
  return record({ verdict: "unknown", why: verdict.why });
}

/** What a proof relies on, in one line: `given cost, default, for objects of up to 12 KiB`. */
export function reliesText(relies: readonly string[], upTo: number | undefined): string {
  if (relies.length === 0) return "";
  const size = upTo === undefined ? "" : `, for objects of up to ${Math.floor(upTo / 1024)} KiB`;
  return `given ${relies.join(", ")}${size}`;
}

export function factJson({ verdict, witness, why, relies, upTo, by }: Fact & ImpliedBy): JsonObject {
  return record({
    verdict,
    by,
    ...(witness === undefined ? {} : witnessData(witness)),
    why,
    relies: relies === undefined ? undefined : [...relies],
    upTo,
  });
}

/** A request in one line: `CREATE configmaps default/example by alice`. */
export function requestLine({
  operation,
  resource,
  subresource,
  namespace,
  name,
  userInfo,
}: AdmissionAttributes): string {
  const group = resource.group === "" ? "" : `.${resource.group}`;
  const what = `${resource.resource}${group}${subresource === "" ? "" : `/${subresource}`}`;
  const place = [namespace, name].filter((part) => part !== "").join("/") || "of a collection";
  return `${operation} ${what} ${place} by ${userInfo.name}`;
}

/** The objects of a request, and those it needs. */
export function witnessLines(witness: Witness): string[] {
  const { object, oldObject } = witness.attributes;
  const shown = (title: string, value: JsonValue | undefined): string[] =>
    value === undefined ? [] : [`${title}: ${exactJson(value, "")}`.split("\n")].flat();
  return [
    ...shown("object", object && withoutServerFields(object)),
    ...shown("oldObject", oldObject && withoutServerFields(oldObject)),
    ...(needsOf(witness) ?? []).flatMap((need) => shown("needs", need)),
  ];
}

const SERVER_FIELDS = ["uid", "creationTimestamp", "generation", "resourceVersion", "managedFields"];

/** Fields that the server sets in every object are not informative. */
export function withoutServerFields(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) return object;
  const kept = Object.entries(metadata).filter(([key]) => !SERVER_FIELDS.includes(key));
  return record({ ...object, metadata: record(Object.fromEntries(kept)) });
}

/** The API server's message for the denial. */
export function denialLine({ denials, error }: PolicyVerdict): string {
  const [first] = denials;
  if (first === undefined) return error?.message ?? "denied";
  const binding = first.binding === undefined ? "" : ` with binding '${first.binding}'`;
  return `ValidatingAdmissionPolicy '${first.policy}'${binding} denied request: ${first.message}`;
}
