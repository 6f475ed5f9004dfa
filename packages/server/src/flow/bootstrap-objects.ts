/**
 * The flow schemas and priority levels that a server starts with. Facts from apiserver pkg/apis/flowcontrol/bootstrap.
 *
 * The mandatory ones always have these values; a suggested one is left to the user if its annotation is removed.
 */
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";

export const FLOW_GROUP = "flowcontrol.apiserver.k8s.io";
export const AUTO_UPDATE = "apf.kubernetes.io/autoupdate-spec";

export interface BootstrapObject {
  readonly name: string;
  readonly isMandatory: boolean;
  readonly object: JsonObject;
}

interface SchemaData {
  readonly level: string;
  readonly precedence: number;
  readonly distinguisher?: "ByUser" | "ByNamespace";
  readonly subjects: readonly unknown[];
  readonly resources?: readonly unknown[];
  readonly paths?: readonly unknown[];
}

const groups = (...names: string[]): unknown[] => names.map((name) => ({ kind: "Group", group: { name } }));
const users = (...names: string[]): unknown[] => names.map((name) => ({ kind: "User", user: { name } }));
const KUBE_SYSTEM = { kind: "ServiceAccount", serviceAccount: { name: "*", namespace: "kube-system" } };
const EVERYBODY = groups("system:unauthenticated", "system:authenticated");

const leases = (verbs: readonly string[]): unknown => ({
  verbs,
  apiGroups: ["coordination.k8s.io"],
  resources: ["leases"],
  namespaces: ["*"],
});

const EVERYTHING = {
  resources: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
  paths: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
};

const MANDATORY: ReadonlySet<string> = new Set(["exempt", "catch-all"]);

const SCHEMAS: Readonly<Record<string, SchemaData>> = {
  "system-nodes": {
    level: "system",
    precedence: 500,
    distinguisher: "ByUser",
    subjects: groups("system:nodes"),
    ...EVERYTHING,
  },
  "system-node-high": {
    level: "node-high",
    precedence: 400,
    distinguisher: "ByUser",
    subjects: groups("system:nodes"),
    resources: [
      { verbs: ["*"], apiGroups: [""], resources: ["nodes", "nodes/status"], clusterScope: true, namespaces: ["*"] },
      leases(["*"]),
    ],
  },
  probes: {
    level: "exempt",
    precedence: 2,
    subjects: EVERYBODY,
    paths: [{ verbs: ["get"], nonResourceURLs: ["/healthz", "/readyz", "/livez"] }],
  },
  "system-leader-election": {
    level: "leader-election",
    precedence: 100,
    distinguisher: "ByUser",
    subjects: [...users("system:kube-controller-manager", "system:kube-scheduler"), KUBE_SYSTEM],
    resources: [leases(["get", "create", "update"])],
  },
  "kube-controller-manager": {
    level: "workload-high",
    precedence: 800,
    distinguisher: "ByNamespace",
    subjects: users("system:kube-controller-manager"),
    ...EVERYTHING,
  },
  "kube-scheduler": {
    level: "workload-high",
    precedence: 800,
    distinguisher: "ByNamespace",
    subjects: users("system:kube-scheduler"),
    ...EVERYTHING,
  },
  "kube-system-service-accounts": {
    level: "workload-high",
    precedence: 900,
    distinguisher: "ByNamespace",
    subjects: [KUBE_SYSTEM],
    ...EVERYTHING,
  },
  "service-accounts": {
    level: "workload-low",
    precedence: 9000,
    distinguisher: "ByUser",
    subjects: groups("system:serviceaccounts"),
    ...EVERYTHING,
  },
  "global-default": {
    level: "global-default",
    precedence: 9900,
    distinguisher: "ByUser",
    subjects: EVERYBODY,
    ...EVERYTHING,
  },
  exempt: { level: "exempt", precedence: 1, subjects: groups("system:masters"), ...EVERYTHING },
  "catch-all": {
    level: "catch-all",
    precedence: 10000,
    distinguisher: "ByUser",
    subjects: EVERYBODY,
    ...EVERYTHING,
  },
};

/** A level with queues: its shares, the lendable part, its queues and the hand size of a flow. */
function queuing(shares: number, lendable: number, queues: number, handSize: number): unknown {
  const limitResponse = { type: "Queue", queuing: { queues, handSize, queueLengthLimit: 50 } };
  return limited(shares, lendable, limitResponse);
}

function limited(shares: number, lendable: number, limitResponse: unknown): unknown {
  const limits = { nominalConcurrencyShares: shares, limitResponse, lendablePercent: lendable };
  return { type: "Limited", limited: limits };
}

const LEVELS: Readonly<Record<string, unknown>> = {
  system: queuing(30, 33, 64, 6),
  "node-high": queuing(40, 25, 64, 6),
  "leader-election": queuing(10, 0, 16, 4),
  "workload-high": queuing(40, 50, 128, 6),
  "workload-low": queuing(100, 90, 128, 6),
  "global-default": queuing(20, 50, 128, 6),
  "catch-all": limited(5, 0, { type: "Reject" }),
  exempt: { type: "Exempt", exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
};

export function bootstrapFlowSchemas(): readonly BootstrapObject[] {
  return Object.entries(SCHEMAS).map(([name, data]) => bootstrapObject("FlowSchema", name, schemaSpec(data)));
}

export function bootstrapPriorityLevels(): readonly BootstrapObject[] {
  return Object.entries(LEVELS).map(([name, spec]) => bootstrapObject("PriorityLevelConfiguration", name, spec));
}

function schemaSpec({ level, precedence, distinguisher, subjects, resources, paths }: SchemaData): unknown {
  return {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence: precedence,
    ...(distinguisher && { distinguisherMethod: { type: distinguisher } }),
    rules: [{ subjects, ...(resources && { resourceRules: resources }), ...(paths && { nonResourceRules: paths }) }],
  };
}

function bootstrapObject(kind: string, name: string, spec: unknown): BootstrapObject {
  const metadata = { name, generation: 1, annotations: { [AUTO_UPDATE]: "true" } };
  const object = fromPlain({ apiVersion: `${FLOW_GROUP}/v1`, kind, metadata, spec, status: {} });
  if (!isObject(object)) throw new Error("an object is an object");
  return { name, isMandatory: MANDATORY.has(name), object };
}
