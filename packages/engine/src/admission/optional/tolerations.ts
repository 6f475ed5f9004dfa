/**
 * Namespaces have tolerations that their pods get, and limit those that they may have. Off unless it is enabled.
 * Follows plugin/pkg/admission/podtolerationrestriction.
 */
import { qosClass } from "../../builtin/strategies/pod.ts";
import { decodeJson } from "../../codec/json.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../../review/cluster-view.ts";
import { namespaceKind } from "../../review/kinds/namespace.ts";
import { bareError, notFound } from "../../status/error.ts";
import { deepEqual } from "../../value/equal.ts";
import type { JsonObject } from "../../value/json.ts";
import { metaOf, objectOf } from "../../value/metadata.ts";
import { objectOf as memberObject, objectsOf, textOf } from "../../value/read.ts";
import { withMember } from "../../value/rewrite.ts";

/** For namespaces without annotations. */
export interface ClusterTolerations {
  readonly default: readonly JsonObject[];
  readonly whitelist: readonly JsonObject[];
}

const DEFAULTS = "scheduler.alpha.kubernetes.io/defaultTolerations";
const WHITELIST = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";

export function podTolerationRestriction({ default: defaults, whitelist }: ClusterTolerations): AdmissionPlugin {
  const validate = async (request: AdmissionRequest): Promise<void> => {
    const own = tolerationsOf(podOf(request));
    if (own.length === 0) return;
    const ofNamespace = await namespaceTolerations(request, WHITELIST);
    const allowed = ofNamespace ?? whitelist;
    if (allowed.length === 0 || own.every((each) => allowed.some((other) => covers(other, each)))) return;
    const scope = ofNamespace === undefined ? "cluster" : "namespace";
    throw bareError(
      `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`,
    );
  };
  return {
    name: "PodTolerationRestriction",
    mutate: async (request) => {
      const pod = podOf(request);
      if (pod === undefined) return request.object;
      const added = request.operation === "CREATE" ? ((await namespaceTolerations(request, DEFAULTS)) ?? defaults) : [];
      const extra = qosClass(memberObject(pod["spec"])) === "BestEffort" ? added : [...added, MEMORY];
      const changed = extra.length === 0 ? pod : withTolerations(pod, merged([...tolerationsOf(pod), ...extra]));
      await validate({ ...request, object: changed });
      return changed;
    },
    validate,
  };
}

const MEMORY = objectOf({ key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" });

function podOf({ endpoint: { type, subresource }, operation, object }: AdmissionRequest): JsonObject | undefined {
  const isPod = type.group === "" && type.plural === "pods" && subresource === undefined;
  return isPod && (operation === "CREATE" || operation === "UPDATE") ? object : undefined;
}

function tolerationsOf(pod: JsonObject | undefined): JsonObject[] {
  return objectsOf(memberObject(pod?.["spec"])["tolerations"]);
}

function withTolerations(pod: JsonObject, tolerations: JsonObject[]): JsonObject {
  return withMember(pod, "spec", withMember(memberObject(pod["spec"]), "tolerations", tolerations));
}

/** Undefined if the namespace has no such annotation. */
async function namespaceTolerations(request: AdmissionRequest, key: string): Promise<JsonObject[] | undefined> {
  const { cluster, namespace } = request;
  const found = await cluster.get(namespaceKind, "", namespace);
  if (found === undefined) throw notFound({ group: "", resource: "namespaces" }, namespace);
  const text = memberObject(metaOf(found)["annotations"])[key];
  if (typeof text !== "string") return undefined;
  if (text === "") return [];
  const decoded = decodeJson(text);
  if (decoded.error !== undefined) throw bareError(decoded.error);
  return objectsOf(decoded.value);
}

/** Without those that another one includes; of equal ones the first stays. */
function merged(all: readonly JsonObject[]): JsonObject[] {
  const kept: JsonObject[] = [];
  all.forEach((each, at) => {
    if (kept.some((other) => covers(other, each))) return;
    if (all.slice(at + 1).some((other) => !deepEqual(other, each) && covers(other, each))) return;
    kept.push(each);
  });
  return kept;
}

/** Whether one tolerates all that another one does. */
function covers(wide: JsonObject, narrow: JsonObject): boolean {
  if (deepEqual(wide, narrow)) return true;
  const [of, other] = [reader(wide), reader(narrow)];
  const isAnyKey = of("key") === "" && of("operator") === "Exists";
  if (other("key") !== of("key") && !isAnyKey) return false;
  if (other("effect") !== of("effect") && of("effect") !== "") return false;
  const [limit, seconds] = [wide["tolerationSeconds"], narrow["tolerationSeconds"]];
  if (of("effect") === "NoExecute" && limit !== undefined) {
    if (seconds === undefined || Number(seconds) > Number(limit)) return false;
  }
  if (of("operator") === "Exists") return true;
  const isEqual = of("operator") === "Equal" || of("operator") === "";
  return isEqual && other("operator") === "Equal" && other("value") === of("value");
}

function reader(toleration: JsonObject): (member: string) => string {
  return (member) => textOf(toleration[member]);
}
