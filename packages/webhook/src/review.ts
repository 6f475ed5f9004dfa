/**
 * An AdmissionReview: the request in it put to policies, the verdict as its response.
 *
 * The API server has converted the objects to the version that the webhook's rules name and sends both that version and
 * the requested one; expressions see one or the other as in the server itself. It also rewrites the refusal to
 * `admission webhook "<entry>" denied the request: <message>` and puts the entry's name before the keys of audit
 * annotations, so the keys omit the policy's name here.
 */
import { decodeJson, encodeJson } from "@portcullis/engine/internal/codec/json";
import {
  type AdmissionAttributes,
  type EquivalentResources,
  formatKind,
  type GroupVersionKind,
  type GroupVersionResource,
  type Operation,
  sameKind,
  sameResource,
} from "@portcullis/engine/internal/policy/attributes";
import { type AsyncAuthorizer, withAsyncAuthorizer } from "@portcullis/engine/internal/policy/authorizer";
import { evaluatePolicies, type PolicyVerdict } from "@portcullis/engine/internal/policy/dispatch";
import type { ParamSource } from "@portcullis/engine/internal/policy/params";
import type { PolicySet } from "@portcullis/engine/internal/policy/policy-set";
import { statusBody } from "@portcullis/engine/internal/status/error";
import { isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { objectOf, textOf, textsOf } from "@portcullis/engine/internal/value/read";
import type { KubernetesVersion } from "@portcullis/engine/internal/value/server-version";
import * as messages from "./messages.ts";

/** A decoded AdmissionReview. */
export interface Review {
  readonly apiVersion: string;
  readonly uid: string;
  /** The request as it was made; its objects are of the kind in `sent`. */
  readonly attributes: AdmissionAttributes;
  /** What the webhook's rules have matched. */
  readonly sent: { readonly resource: GroupVersionResource; readonly kind: GroupVersionKind };
}

/** Where answers to questions about the cluster come from. */
export interface ReviewContext {
  readonly params: ParamSource;
  readonly namespace: (name: string) => JsonObject | undefined;
  readonly authorizer: AsyncAuthorizer;
  /** All resources that serve the same objects. */
  readonly family: readonly GroupVersionResource[];
  /** Seconds; makes it known how long expressions take. */
  readonly clock?: (() => number) | undefined;
  /** The Kubernetes version whose behaviour is wanted; the newest if absent. */
  readonly version?: KubernetesVersion | undefined;
}

const VERSIONS: readonly string[] = ["admission.k8s.io/v1", "admission.k8s.io/v1beta1"];
const OPERATIONS: readonly Operation[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

/** A text says what is wrong with the body. */
export function decodeReview(body: string | Uint8Array): Review | string {
  const decoded = decodeJson(body);
  if (decoded.error !== undefined) return decoded.error;
  if (!isObject(decoded.value) || decoded.value["kind"] !== "AdmissionReview") return messages.notAReview();
  const apiVersion = textOf(decoded.value["apiVersion"]);
  if (!VERSIONS.includes(apiVersion)) return messages.notAReview();
  const request = decoded.value["request"];
  if (!isObject(request)) return messages.noRequest();
  const operation = OPERATIONS.find((each) => each === request["operation"]);
  if (operation === undefined) return messages.unknownOperation(textOf(request["operation"]));
  return readReview(apiVersion, request, operation);
}

function readReview(apiVersion: string, request: JsonObject, operation: Operation): Review {
  const sent = { resource: readResource(request["resource"]), kind: readKind(request["kind"]) };
  const hasRequested = isObject(request["requestResource"]) && isObject(request["requestKind"]);
  const attributes: AdmissionAttributes = {
    operation,
    resource: hasRequested ? readResource(request["requestResource"]) : sent.resource,
    kind: hasRequested ? readKind(request["requestKind"]) : sent.kind,
    subresource: textOf(request["requestSubResource"] ?? request["subResource"]),
    name: textOf(request["name"]),
    namespace: textOf(request["namespace"]),
    object: optionalObject(request["object"]),
    oldObject: optionalObject(request["oldObject"]),
    options: optionalObject(request["options"]),
    dryRun: request["dryRun"] === true,
    userInfo: readUser(objectOf(request["userInfo"])),
  };
  return { apiVersion, uid: textOf(request["uid"]), attributes, sent };
}

function readResource(json: JsonValue | undefined): GroupVersionResource {
  const { group, version, resource } = objectOf(json);
  return { group: textOf(group), version: textOf(version), resource: textOf(resource) };
}

function readKind(json: JsonValue | undefined): GroupVersionKind {
  const { group, version, kind } = objectOf(json);
  return { group: textOf(group), version: textOf(version), kind: textOf(kind) };
}

function optionalObject(json: JsonValue | undefined): JsonObject | undefined {
  return isObject(json) ? json : undefined;
}

function readUser(json: JsonObject): AdmissionAttributes["userInfo"] {
  const extra = Object.entries(objectOf(json["extra"])).map(([key, values]) => [key, textsOf(values)] as const);
  return {
    name: textOf(json["username"]),
    uid: textOf(json["uid"]),
    groups: textsOf(json["groups"]),
    extra: new Map(extra),
  };
}

/** Evaluates policies for the request in an AdmissionReview. */
export function evaluateReview(review: Review, set: PolicySet, context: ReviewContext): Promise<PolicyVerdict> {
  const { params, namespace, clock, version } = context;
  const equivalents = equivalentsOf(review, context.family);
  return withAsyncAuthorizer(context.authorizer, (authorizer) =>
    evaluatePolicies(set, review.attributes, { params, namespace, authorizer, equivalents, clock, version }),
  );
}

/** The API server has chosen among equivalent versions by the same rules; putting its choice first repeats it. */
function equivalentsOf({ attributes, sent }: Review, family: readonly GroupVersionResource[]): EquivalentResources {
  const others = [attributes.resource, ...family].filter((each) => !sameResource(each, sent.resource));
  const all = [sent.resource, ...others];
  return {
    equivalents: () => all,
    kindFor: (resource) => {
      if (sameResource(resource, sent.resource)) return sent.kind;
      return sameResource(resource, attributes.resource) ? attributes.kind : kindIn(resource, sent.kind);
    },
    convert: (object, kind) => (sameKind(kind, sent.kind) ? object : messages.notOfRequest(formatKind(kind))),
  };
}

function kindIn({ group, version }: GroupVersionResource, { kind }: GroupVersionKind): GroupVersionKind {
  return { group, version, kind };
}

/** Whether some binding of the policy must know in which other versions the objects are served. */
export function needsFamily({ hooks }: PolicySet): boolean {
  const matches = hooks.flatMap(({ bindings }) => bindings.map(({ binding }) => binding.matchResources));
  return matches.some((match) => match !== undefined && match.matchPolicy !== "Exact" && hasRules(match));
}

function hasRules(match: {
  readonly resourceRules: readonly unknown[];
  readonly excludeResourceRules: readonly unknown[];
}) {
  return match.resourceRules.length > 0 || match.excludeResourceRules.length > 0;
}

export function encodeAllowed(review: Review): string {
  return encodeResponse(review, responseOf(review, true));
}

/** The AdmissionReview that answers a review. */
export function encodeVerdict(review: Review, policy: string, verdict: PolicyVerdict): string {
  const response = responseOf(review, verdict.allowed);
  if (verdict.error !== undefined) response["status"] = statusBody(verdict.error);
  if (verdict.warnings.length > 0) response["warnings"] = [...verdict.warnings];
  if (verdict.auditAnnotations.size > 0) response["auditAnnotations"] = annotations(policy, verdict.auditAnnotations);
  return encodeResponse(review, response);
}

/** The key of the denial that was not enforced. */
const WOULD_DENY = "would_deny";

/** The same for a webhook that only reports: always allowed; a denial becomes an audit annotation. */
export function encodeAudited(review: Review, policy: string, verdict: PolicyVerdict): string {
  const response = responseOf(review, true);
  const shown = annotations(policy, verdict.auditAnnotations);
  if (verdict.error !== undefined) shown[WOULD_DENY] = verdict.error.message;
  if (verdict.warnings.length > 0) response["warnings"] = [...verdict.warnings];
  if (Object.keys(shown).length > 0) response["auditAnnotations"] = shown;
  return encodeResponse(review, response);
}

function responseOf({ uid }: Review, allowed: boolean): JsonObject {
  const response = newObject();
  response["uid"] = uid;
  response["allowed"] = allowed;
  return response;
}

/** Keys may not have a slash; what comes before it is the policy's name or the same for all. */
function annotations(policy: string, all: ReadonlyMap<string, string>): JsonObject {
  const shown = newObject();
  for (const [key, value] of all) {
    const own = `${policy}/`;
    shown[key.startsWith(own) ? key.slice(own.length) : key.slice(key.lastIndexOf("/") + 1)] = value;
  }
  return shown;
}

function encodeResponse({ apiVersion }: Review, response: JsonObject): string {
  const body = newObject();
  body["kind"] = "AdmissionReview";
  body["apiVersion"] = apiVersion;
  body["response"] = response;
  return encodeJson(body);
}
