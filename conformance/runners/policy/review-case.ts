/**
 * A recorded request as the AdmissionReview that an API server would send to our webhook, and the response in the
 * format of the record.
 */
import { loadBinding } from "@portcullis/engine/internal/policy/binding";
import { loadPolicy } from "@portcullis/engine/internal/policy/policy";
import { PolicySet } from "@portcullis/engine/internal/policy/policy-set";
import { rbacSource, serverAuthorizer } from "@portcullis/engine/internal/rbac/authorizer";
import { decodeReview, encodeVerdict, evaluateReview } from "@portcullis/webhook/internal";
import { RECORDED_VERSION } from "../recorded-version.ts";
import {
  BOOTSTRAP,
  type Expectation,
  json,
  namespaceOf,
  OPTIONS,
  paramsOf,
  type RequestCase,
  shownWarnings,
} from "./request-case.ts";

/** Audit annotations without the key prefix that the API server adds. */
export async function answerReview(recorded: RequestCase): Promise<Expectation> {
  const [policy] = recorded.policies.map(json).map(loadPolicy);
  const review = decodeReview(JSON.stringify(reviewOf(recorded)));
  if (policy === undefined || typeof review === "string") throw new Error(`no review: ${review}`);
  const set = new PolicySet([policy], recorded.bindings.map(json).map(loadBinding));
  const authorizer = serverAuthorizer(rbacSource([...BOOTSTRAP, ...(recorded.rbac ?? [])].map(json)));
  const verdict = await evaluateReview(review, set, {
    params: paramsOf(recorded),
    namespace: (name) => namespaceOf(recorded, name),
    authorizer: async (attributes) => authorizer.authorize(attributes),
    family: familyOf(recorded),
    version: RECORDED_VERSION,
  });
  const { response } = JSON.parse(encodeVerdict(review, policy.name, verdict));
  return {
    allowed: response.allowed,
    ...(response.status && pick(response.status)),
    warnings: shownWarnings(response.warnings ?? []),
    audit: response.auditAnnotations ?? {},
  };
}

export function wantedReview({ expect }: RequestCase): Expectation {
  const audit = Object.entries(expect.audit).map(([key, value]) => [key.slice(key.lastIndexOf("/") + 1), value]);
  return { ...expect, audit: Object.fromEntries(audit) };
}

function pick({ code, reason, message, details }: Required<Expectation>): Partial<Expectation> {
  return { code, reason, message, details };
}

function reviewOf(recorded: RequestCase): object {
  const { resource, kind, subresource, user, object, oldObject, operation, dryRun, name, namespace } = recorded.request;
  const version = sentVersion(recorded);
  const sent = (value: unknown): unknown => (version === kind.version ? value : inVersion(value, kind.group, version));
  const groups = [...user.groups, "system:authenticated"];
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "0df28fbd-5f5f-11e8-bc74-36e6bb280816",
      kind: { ...kind, version },
      resource: { ...resource, version },
      subResource: subresource,
      requestKind: kind,
      requestResource: resource,
      requestSubResource: subresource,
      name,
      namespace,
      operation,
      userInfo: { username: user.name, uid: user.uid, groups, extra: user.extra },
      object: sent(object) ?? null,
      oldObject: sent(oldObject) ?? null,
      dryRun,
      options: { kind: OPTIONS[operation], apiVersion: "meta.k8s.io/v1", ...(dryRun && { dryRun: ["All"] }) },
    },
  };
}

/** If no rule names the requested version, the API server converts to the first served version that a rule names. */
function sentVersion({ policies, request, definitions = [] }: RequestCase): string {
  const { version } = request.kind;
  if (definitions.length === 0) return version;
  const rules = policies.map(json).map(loadPolicy)[0]?.matchConstraints?.resourceRules ?? [];
  const named = rules.flatMap(({ apiVersions }) => apiVersions);
  if (named.includes(version) || named.includes("*")) return version;
  const served = definitions.flatMap(({ spec }) => spec.versions.map(({ name }) => name));
  return named.find((each) => served.includes(each)) ?? version;
}

function inVersion(value: unknown, group: string, version: string): unknown {
  return value === undefined ? undefined : { ...Object(value), apiVersion: `${group}/${version}` };
}

function familyOf({ definitions = [], request: { resource } }: RequestCase) {
  const versions = definitions.filter(({ spec }) => spec.group === resource.group).flatMap(({ spec }) => spec.versions);
  return versions.map(({ name }) => ({ ...resource, version: name }));
}
