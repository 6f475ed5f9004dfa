/**
 * Pod Security admission for one request: which requests it checks, and the result.
 *
 * Follows Validate of k8s.io/pod-security-admission admission/admission.go.
 */
import { forbidden, internalError, invalid, notFound, type StatusError } from "../status/error.ts";
import type { JsonObject } from "../value/json.ts";
import { objectLabels, objectOf, objectsOf, textOf } from "../value/read.ts";
import type { PodSecurityConfiguration } from "./configuration.ts";
import { applyPodPolicy, exempt, type PodSecurityObservation, type PodVerdict } from "./evaluate.ts";
import { isFullyPrivileged, LABEL_PREFIX, type LevelVersion, type NamespacePolicy, policyOf } from "./level.ts";
import * as messages from "./messages.ts";
import { validateNamespacePolicy } from "./namespace.ts";
import { type GroupResource, hasPodSpec, podOf } from "./pod-spec.ts";

export interface PodSecurityRequest extends GroupResource {
  readonly operation: "CREATE" | "UPDATE";
  /** "" for the main resource. */
  readonly subresource: string;
  readonly name: string;
  /** For a namespace its own name. */
  readonly namespace: string;
  readonly username: string;
  readonly object: JsonObject;
  /** Undefined on create. */
  readonly old: JsonObject | undefined;
}

export interface PodSecurityVerdict {
  readonly error: StatusError | undefined;
  readonly warnings: readonly string[];
  /** By their full name. */
  readonly auditAnnotations: Readonly<Record<string, string>>;
  readonly observations: readonly PodSecurityObservation[];
  /** The level to check the pods of a changed namespace against, for warnings. */
  readonly podsAgainst: LevelVersion | undefined;
}

export interface PodSecurityContext {
  readonly configuration: PodSecurityConfiguration;
  /** The minor version of the server. */
  readonly serverMinor: number;
}

const ALLOWED: PodSecurityVerdict = {
  error: undefined,
  warnings: [],
  auditAnnotations: {},
  observations: [],
  podsAgainst: undefined,
};

/** Whether Pod Security checks a resource. */
export function isAboutPods(resource: GroupResource): boolean {
  return isNamespaces(resource) || hasPodSpec(resource);
}

function isNamespaces({ group, resource }: GroupResource): boolean {
  return group === "" && resource === "namespaces";
}

/** `namespace` contains the object; undefined if it does not exist. */
export function admitBySecurity(
  request: PodSecurityRequest,
  namespace: JsonObject | undefined,
  context: PodSecurityContext,
): PodSecurityVerdict {
  if (isNamespaces(request)) return admitNamespace(request, context);
  if (!hasPodSpec(request)) return ALLOWED;
  const isPod = request.group === "" && request.resource === "pods";
  if (isPod ? IGNORED_SUBRESOURCES.has(request.subresource) : request.subresource !== "") return ALLOWED;
  const { exemptions } = context.configuration;
  if (exemptions.namespaces.includes(request.namespace)) return verdictOf(exempt("namespace"), request);
  if (exemptions.usernames.includes(request.username)) return verdictOf(exempt("user"), request);
  if (namespace === undefined) return missingNamespace(request, isPod);
  const policy = policyOf(objectLabels(namespace), context.configuration.defaults);
  return isPod ? admitPod(request, policy, context) : admitTemplate(request, policy, context);
}

function admitNamespace(request: PodSecurityRequest, { configuration }: PodSecurityContext): PodSecurityVerdict {
  if (request.subresource !== "") return ALLOWED;
  const { errors, warnings, podsAgainst } = validateNamespacePolicy(request.object, request.old, configuration);
  const error = errors.length === 0 ? undefined : invalid({ group: "", kind: "Namespace" }, request.name, errors);
  return { ...ALLOWED, error, warnings, podsAgainst };
}

/** The objects of all other subresources are the pod itself. */
const IGNORED_SUBRESOURCES: ReadonlySet<string> = new Set([
  "exec",
  "attach",
  "binding",
  "eviction",
  "log",
  "portforward",
  "proxy",
  "status",
]);

function missingNamespace({ namespace }: PodSecurityRequest, isPod: boolean): PodSecurityVerdict {
  const error = internalError(messages.noNamespace(namespace));
  const cause = notFound({ group: "", resource: "namespaces" }, namespace).message;
  const reason = isPod ? error.message : messages.noNamespace(namespace);
  return {
    ...ALLOWED,
    error: isPod ? error : undefined,
    auditAnnotations: { [`${LABEL_PREFIX}error`]: `${reason}: ${cause}` },
    observations: [{ type: "error", isFatal: true }],
  };
}

function admitPod(
  request: PodSecurityRequest,
  policy: NamespacePolicy,
  context: PodSecurityContext,
): PodSecurityVerdict {
  if (policy.errors.length === 0 && isFullyPrivileged(policy.policy)) return PRIVILEGED_POD;
  const { object, old } = request;
  if (request.operation === "UPDATE" && old !== undefined && !changesImages(object, old)) return ALLOWED;
  return applyPolicy(request, policy, context, true);
}

const PRIVILEGED_POD: PodSecurityVerdict = {
  ...ALLOWED,
  auditAnnotations: { [`${LABEL_PREFIX}enforce-policy`]: "privileged:latest" },
  observations: [
    {
      type: "evaluation",
      isAllowed: true,
      policy: { level: "privileged", version: "latest" },
      mode: "enforce",
    },
  ],
};

function admitTemplate(
  request: PodSecurityRequest,
  policy: NamespacePolicy,
  context: PodSecurityContext,
): PodSecurityVerdict {
  const { audit, warn } = policy.policy;
  const isPrivileged = audit.level === "privileged" && warn.level === "privileged";
  return policy.errors.length === 0 && isPrivileged ? ALLOWED : applyPolicy(request, policy, context, false);
}

function applyPolicy(
  request: PodSecurityRequest,
  policy: NamespacePolicy,
  context: PodSecurityContext,
  isEnforced: boolean,
): PodSecurityVerdict {
  const pod = podOf(request.object, request);
  return pod === undefined ? ALLOWED : verdictOf(applyPodPolicy(pod, policy, { ...context, isEnforced }), request);
}

function verdictOf(verdict: PodVerdict, { group, resource, name }: PodSecurityRequest): PodSecurityVerdict {
  const { violation, warnings, auditAnnotations, observations } = verdict;
  const annotations = Object.entries(auditAnnotations).map(([key, value]) => [`${LABEL_PREFIX}${key}`, value]);
  return {
    error: violation === undefined ? undefined : forbidden({ group, resource }, name, violation),
    warnings,
    auditAnnotations: Object.fromEntries(annotations),
    observations,
    podsAgainst: undefined,
  };
}

/** Images and the number of containers: the only checked parts of a pod that can change. */
function changesImages(pod: JsonObject, old: JsonObject): boolean {
  const [spec, before] = [objectOf(pod["spec"]), objectOf(old["spec"])];
  const isChanged = (list: string): boolean => {
    const [now, then] = [objectsOf(spec[list]), objectsOf(before[list])];
    return now.length !== then.length || now.some(({ image }, index) => image !== then[index]?.["image"]);
  };
  const known = new Map(objectsOf(before["ephemeralContainers"]).map(({ name, image }) => [textOf(name), image]));
  const isNew = ({ name, image }: JsonObject): boolean => !known.has(textOf(name)) || known.get(textOf(name)) !== image;
  return isChanged("containers") || isChanged("initContainers") || objectsOf(spec["ephemeralContainers"]).some(isNew);
}
