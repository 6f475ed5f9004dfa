/**
 * One webhook entry for each policy in force, so that the API server itself applies rules, selectors, conversion and the
 * failurePolicy, policy by policy.
 *
 * What webhooks cannot say stays with the engine: resourceNames, excludeResourceRules, matchConditions, bindings. Fields
 * with defaults are written out, so that an entry can be compared with the stored one.
 */
import { createHash } from "node:crypto";
import type { AdmissionPolicy } from "@portcullis/engine/internal/policy/policy";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isArray, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { objectOf, objectsOf, textOf, textsOf } from "@portcullis/engine/internal/value/read";

/** How the API server reaches us. */
export type Target =
  | { readonly service: { readonly namespace: string; readonly name: string; readonly port: number } }
  | { readonly url: string };

/** What the entries of a webhook configuration say about us. */
export interface EntryOptions {
  readonly target: Target;
  /** Never asked about, so that we can be repaired while we are broken. */
  readonly ownNamespace: string;
  readonly timeoutSeconds: number;
  /** Nothing is denied, also while the webhook cannot be reached. */
  readonly auditOnly?: boolean | undefined;
  /** PEM; "" leaves it to another writer. */
  readonly caBundle: string;
}

function webhookEntry(policy: AdmissionPolicy, options: EntryOptions): JsonObject {
  const match = objectOf(objectOf(policy.json["spec"])["matchConstraints"]);
  const rules = objectsOf(match["resourceRules"]).map(entryRule);
  return objectOf(
    fromPlain({
      name: entryName(policy.name),
      clientConfig: clientConfig(policy.name, options),
      rules,
      failurePolicy: options.auditOnly || policy.failurePolicy === "Ignore" ? "Ignore" : "Fail",
      matchPolicy: match["matchPolicy"] === "Exact" ? "Exact" : "Equivalent",
      namespaceSelector: notIn(objectOf(match["namespaceSelector"]), options.ownNamespace),
      objectSelector: objectOf(match["objectSelector"]),
      sideEffects: "None",
      timeoutSeconds: options.timeoutSeconds,
      admissionReviewVersions: ["v1"],
      matchConditions: rules.some(coversReviews) ? [NO_REVIEWS] : undefined,
    }),
  );
}

const SUFFIX = ".policies.portcullis";
const MOST_CHARACTERS = 253;
const HASH_CHARACTERS = 40;

/**
 * Entries need names of three parts. A policy that has such a name lends it to its entry, whose audit annotations then
 * have the keys that the policy itself would give them. No two policies get the same name.
 */
export function entryName(policy: string): string {
  if (policy.split(".").length >= 3 && !policy.endsWith(SUFFIX)) return policy;
  const name = `${policy}${SUFFIX}`;
  if (name.length <= MOST_CHARACTERS) return name;
  return `${createHash("sha256").update(policy).digest("hex").slice(0, HASH_CHARACTERS)}${SUFFIX}`;
}

function clientConfig(policy: string, { target, caBundle }: EntryOptions): Record<string, unknown> {
  const path = policyPath(policy);
  const bundle = caBundle === "" ? {} : { caBundle: Buffer.from(caBundle).toString("base64") };
  if ("url" in target) return { ...bundle, url: `${target.url.replace(/\/+$/, "")}${path}` };
  return { ...bundle, service: { ...target.service, path } };
}

function policyPath(policy: string): string {
  return `/policies/${policy}`;
}

function entryRule(rule: JsonObject): JsonObject {
  const { operations, apiGroups, apiVersions, resources, scope } = rule;
  return objectOf(fromPlain({ operations, apiGroups, apiVersions, resources, scope: scope ?? "*" }));
}

function notIn(selector: JsonObject, namespace: string): Record<string, JsonValue> {
  const own = { key: "kubernetes.io/metadata.name", operator: "NotIn", values: [namespace] };
  const others = selector["matchExpressions"];
  return { ...selector, matchExpressions: [...(isArray(others) ? others : []), own] };
}

/** Policies never apply to these, and calling the webhook for them would cause another request each time. */
const REVIEW_GROUPS = ["authentication.k8s.io", "authorization.k8s.io"];

const NO_REVIEWS = {
  name: "no-access-reviews",
  expression: `!(request.resource.group in [${REVIEW_GROUPS.map((group) => `"${group}"`).join(", ")}])`,
};

function coversReviews(rule: JsonObject): boolean {
  return textsOf(rule["apiGroups"]).some((group) => group === "*" || REVIEW_GROUPS.includes(group));
}

/** In the order of names, which is how they are compared. */
export function webhookEntries(policies: readonly AdmissionPolicy[], options: EntryOptions): JsonObject[] {
  return policies
    .filter(({ matchConstraints }) => matchConstraints !== undefined && matchConstraints.resourceRules.length > 0)
    .map((policy) => webhookEntry(policy, options))
    .sort((left, right) => (textOf(left["name"]) < textOf(right["name"]) ? -1 : 1));
}
