/**
 * What a policy has to know of a request, by the names in its expressions. A name counts wherever it stands, so more may be
 * thought to be needed than is; never less.
 */
import type { AdmissionAttributes, EquivalentResources } from "@portcullis/engine/internal/policy/attributes";
import { type Criteria, matchRules } from "@portcullis/engine/internal/policy/match";
import type { PolicyFrame, Validation } from "@portcullis/engine/internal/policy/policy";
import type { BoundBinding, PolicyHook } from "@portcullis/engine/internal/policy/policy-set";
import type { StructuredSelector } from "@portcullis/engine/internal/selector/labels";
import { canonicalJson } from "@portcullis/engine/internal/value/text";

export type Input =
  | "object"
  | "oldObject"
  | "namespace"
  | "params"
  | "authorizer"
  | "user"
  | "options"
  | "name"
  /** The managed fields of both objects. */
  | "managers";

/** Objects that are compared as a whole, with whatever the server adds to them. */
const WHOLE_OBJECTS = new RegExp(
  String.raw`(?<![.\w])OBJECT(?!\s*(\.|\[|\w|==\s*null|!=\s*null))\s*(==|!=|\bin\b)|(==|!=|\bin\b)\s*OBJECT(?!\s*[.[\w])`.replaceAll(
    "OBJECT",
    String.raw`(object|oldObject)(\s*\.\s*\??\s*(metadata|spec))?`,
  ),
);

export interface PolicyNeeds {
  /** To decide. */
  readonly decision: ReadonlySet<Input>;
  /** To say why. */
  readonly message: ReadonlySet<Input>;
  /** Whether it reads fields that the server sets, and that only the server's answer shows. */
  readonly readsServerFields: boolean;
}

/** Fields that the API server, or its usual admission plugins, fill in. */
const SERVER_FIELDS =
  /\b(uid|selfLink|resourceVersion|creationTimestamp|managedFields|generation|clusterIPs?|nodePort|healthCheckNodePort|ipFamil(y|ies)\w*|tolerations|priority|preemptionPolicy|serviceAccount(Name)?|volumes|volumeMounts|imagePullSecrets)\b/;

const MENTIONS: readonly (readonly [Input, RegExp])[] = [
  ["object", /\bobject\b/],
  ["oldObject", /\boldObject\b/],
  ["namespace", /\bnamespaceObject\b/],
  ["params", /\bparams\b/],
  ["authorizer", /\bauthorizer\b/],
  ["managers", /\bmanagedFields\b/],
  ["user", /\buserInfo\b|\brequest\s*(?![\s.[])|\brequest\s*\[/],
  ["options", /\boptions\b|\brequest\s*(?![\s.[])|\brequest\s*\[/],
  ["name", /\bmetadata\s*\.\s*\??\s*name\b|\brequest\s*\.\s*\??\s*name\b|\[\s*["']name["']\s*\]/],
];

type Examined = PolicyFrame & {
  readonly validations?: readonly Validation[];
  readonly auditAnnotations?: readonly { readonly valueExpression: string }[];
};

const known = new WeakMap<PolicyHook<Examined>, PolicyNeeds>();

export function needsOf(hook: PolicyHook<Examined>): PolicyNeeds {
  const found = known.get(hook);
  if (found !== undefined) return found;
  const made = examine(hook);
  known.set(hook, made);
  return made;
}

function examine({ policy, bindings }: PolicyHook<Examined>): PolicyNeeds {
  const texts = [
    ...[...policy.matchConditions, ...policy.variables].map(({ expression }) => expression),
    ...(policy.validations ?? []).map(({ expression }) => expression),
    ...(policy.auditAnnotations ?? []).map(({ valueExpression }) => valueExpression),
    ...(policy.validations === undefined ? [canonicalJson(policy.json["spec"] ?? null)] : []),
  ];
  const decision = mentioned(texts);
  if (policy.paramKind !== undefined && bindings.some(({ binding }) => binding.paramRef !== undefined)) {
    decision.add("params");
  }
  const selectors = [policy, ...bindings.map(({ binding }) => ({ matchConstraints: binding.matchResources }))];
  if (selectors.some(({ matchConstraints }) => isSelective(matchConstraints?.objectSelector))) {
    decision.add("object").add("oldObject");
  }
  if (selectors.some(({ matchConstraints }) => readsLabels(matchConstraints?.namespaceSelector))) {
    decision.add("namespace");
  }
  if (texts.some((text) => WHOLE_OBJECTS.test(text))) decision.add("managers");
  const messages = (policy.validations ?? []).map(({ messageExpression }) => messageExpression);
  return { decision, message: mentioned(messages), readsServerFields: texts.some(readsServerFields) };
}

function readsServerFields(text: string): boolean {
  return SERVER_FIELDS.test(text) || WHOLE_OBJECTS.test(text);
}

function mentioned(texts: readonly string[]): Set<Input> {
  return new Set(MENTIONS.flatMap(([input, pattern]) => (texts.some((text) => pattern.test(text)) ? [input] : [])));
}

function isSelective(selector: StructuredSelector | undefined): boolean {
  return requirementKeys(selector).length > 0;
}

/** Every namespace is labelled with its name, so a selector by that alone needs no namespace. */
function readsLabels(selector: StructuredSelector | undefined): boolean {
  return requirementKeys(selector).some((key) => key !== "kubernetes.io/metadata.name");
}

function requirementKeys(selector: StructuredSelector | undefined): readonly string[] {
  if (selector === undefined) return [];
  return [...Object.keys(selector.matchLabels ?? {}), ...(selector.matchExpressions ?? []).map(({ key }) => key)];
}

export const OTHER_VERSION = "it is about another version, and the definition of the kind is not known";

/** Whether it depends on the other versions of the kind whether the rules of a policy match. */
export function needsVersions(
  { criteria, bindings }: PolicyHook<Examined>,
  attributes: AdmissionAttributes,
  cluster: { readonly equivalents: EquivalentResources },
): boolean {
  const all = [criteria, ...bindings.map((bound) => bound.criteria)];
  return all.some((each) => each !== undefined && dependsOnVersions(each, attributes, cluster.equivalents));
}

function dependsOnVersions({ match }: Criteria, attributes: AdmissionAttributes, known: EquivalentResources): boolean {
  return [match.resourceRules, match.excludeResourceRules].some((rules) => {
    const versions = [...new Set(rules.flatMap(({ apiVersions }) => apiVersions))];
    const allServed: EquivalentResources = {
      ...known,
      equivalents: (resource) => versions.map((version) => ({ ...resource, version })),
      kindFor: () => attributes.kind,
    };
    const outcome = (versionsOf: EquivalentResources) =>
      matchRules(rules, match.matchPolicy, attributes, versionsOf).outcome;
    return outcome(known) !== outcome(allServed);
  });
}

/** Whether a policy can refuse a request, by the actions of its bindings or because something fails. */
export function canDeny({ policy, bindings }: PolicyHook<Examined>): boolean {
  return bindings.some((bound) => bound.binding.validationActions.includes("Deny") || failsAnyway(policy, bound));
}

/** Failing audit annotations, and parameters that must exist, refuse whatever the actions are. */
function failsAnyway({ failurePolicy, auditAnnotations = [] }: Examined, { binding }: BoundBinding): boolean {
  if (failurePolicy === "Ignore") return false;
  return auditAnnotations.length > 0 || binding.paramRef?.parameterNotFoundAction === "Deny";
}
