/**
 * Writes of the Pod Security labels of a namespace: the labels must be valid, and existing pods are checked if the
 * level becomes stricter.
 *
 * Follows ValidateNamespace and EvaluatePodsInNamespace of k8s.io/pod-security-admission admission/admission.go.
 */
import { compareStrings } from "@portcullis/gostd/utf8";
import type { FieldError } from "../field/error.ts";
import { formatFieldError } from "../field/format.ts";
import type { JsonObject } from "../value/json.ts";
import { objectLabels, objectOf, objectsOf, textOf } from "../value/read.ts";
import type { PodSecurityConfiguration } from "./configuration.ts";
import {
  compareLevels,
  formatLevelVersion,
  isEquivalent,
  isFullyPrivileged,
  type Labels,
  type LevelVersion,
  levelLabel,
  MODES,
  type PodSecurityPolicy,
  policyOf,
  sameLevelVersion,
  versionLabel,
} from "./level.ts";
import * as messages from "./messages.ts";
import { evaluatePod, shownReasons } from "./registry.ts";

export interface NamespaceVerdict {
  /** Errors of the labels, which refuse the write. */
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
  /** The level to check the pods of the namespace against, for warnings. */
  readonly podsAgainst: LevelVersion | undefined;
}

const ACCEPTED: NamespaceVerdict = { errors: [], warnings: [], podsAgainst: undefined };

/** `old` is undefined on create. */
export function validateNamespacePolicy(
  namespace: JsonObject,
  old: JsonObject | undefined,
  configuration: PodSecurityConfiguration,
): NamespaceVerdict {
  const labels = objectLabels(namespace);
  const { policy, errors } = policyOf(labels, configuration.defaults);
  const before = old && policyOf(objectLabels(old), configuration.defaults);
  const isKept = before !== undefined && before.errors.length > 0 && sameErrors(errors, before.errors);
  if (errors.length > 0 && !isKept) return { ...ACCEPTED, errors };
  if (before !== undefined && !isStricter(policy.enforce, before.policy.enforce)) return ACCEPTED;
  const name = textOf(objectOf(namespace["metadata"])["name"]);
  if (configuration.exemptions.namespaces.includes(name)) {
    return { ...ACCEPTED, warnings: exemptionWarnings(name, policy, labels, configuration) };
  }
  return before === undefined ? ACCEPTED : { ...ACCEPTED, podsAgainst: policy.enforce };
}

function sameErrors(left: readonly FieldError[], right: readonly FieldError[]): boolean {
  return left.map(formatFieldError).join("\n") === right.map(formatFieldError).join("\n");
}

/** Another version may be stricter too. */
function isStricter(policy: LevelVersion, before: LevelVersion): boolean {
  if (sameLevelVersion(policy, before) || policy.level === "privileged") return false;
  return policy.version !== before.version || compareLevels(policy.level, before.level) > 0;
}

/** Warns about a policy that has no effect. */
function exemptionWarnings(
  name: string,
  policy: PodSecurityPolicy,
  labels: Labels,
  { defaults }: PodSecurityConfiguration,
): string[] {
  if (isFullyPrivileged(policy) || isEquivalent(policy, defaults)) return [];
  const set = MODES.filter(
    (mode) =>
      policy[mode].level !== "privileged" &&
      (labels[levelLabel(mode)] !== undefined || labels[versionLabel(mode)] !== undefined),
  );
  const shown = set.map((mode) => `${mode}=${formatLevelVersion(policy[mode])}`).join(", ");
  return [messages.exemptNamespace(name, shown)];
}

const MAX_PODS = 3000;

export interface ExistingPodsOptions {
  readonly configuration: PodSecurityConfiguration;
  readonly serverMinor: number;
  /** Whether there is time for another pod. */
  readonly hasTime: () => boolean;
}

/** Warnings about pods that a new level would refuse. */
export function warnOfPods(
  pods: readonly JsonObject[],
  namespace: string,
  enforce: LevelVersion,
  { configuration, serverMinor, hasTime }: ExistingPodsOptions,
): string[] {
  const candidates = inOrderOfInterest(pods, configuration);
  const found = new Map<string, { name: string; count: number }>();
  let checked = 0;
  for (const pod of candidates.slice(0, MAX_PODS)) {
    checked++;
    note(found, pod, shownReasons(evaluatePod(enforce, podLike(pod), serverMinor)));
    if (!hasTime()) break;
  }
  const about = [...found].map(([reasons, { name, count }]) => messages.podViolations(name, count, reasons));
  return [
    ...(checked < candidates.length ? [messages.partlyChecked(checked, candidates.length)] : []),
    ...(about.length > 0 ? [messages.existingPods(namespace, formatLevelVersion(enforce))] : []),
    ...about.sort(compareStrings),
  ];
}

function note(found: Map<string, { name: string; count: number }>, pod: JsonObject, reasons: string): void {
  if (reasons === "") return;
  const name = textOf(objectOf(pod["metadata"])["name"]);
  const known = found.get(reasons);
  if (known === undefined) {
    found.set(reasons, { name, count: 1 });
    return;
  }
  known.count++;
  if (compareStrings(name, known.name) < 0) known.name = name;
}

function podLike(pod: JsonObject): { readonly metadata: JsonObject; readonly spec: JsonObject } {
  return { metadata: objectOf(pod["metadata"]), spec: objectOf(pod["spec"]) };
}

/** For each controller, only its first pod is checked early; its other pods come last. */
function inOrderOfInterest(pods: readonly JsonObject[], { exemptions }: PodSecurityConfiguration): JsonObject[] {
  const [first, later]: [JsonObject[], JsonObject[]] = [[], []];
  const controllers = new Set<string>();
  for (const pod of pods) {
    if (exemptions.runtimeClasses.includes(textOf(objectOf(pod["spec"])["runtimeClassName"]))) continue;
    const uid = controllerOf(pod);
    if (uid !== undefined && controllers.has(uid)) later.push(pod);
    else first.push(pod);
    if (uid !== undefined) controllers.add(uid);
  }
  return [...first, ...later];
}

function controllerOf(pod: JsonObject): string | undefined {
  const owners = objectsOf(objectOf(pod["metadata"])["ownerReferences"]);
  const controller = owners.find((owner) => owner["controller"] === true);
  return controller && textOf(controller["uid"]);
}
