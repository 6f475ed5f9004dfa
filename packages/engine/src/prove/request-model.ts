/** `request`, `namespaceObject` and `authorizer` of an unknown request, and its fixed parts. */
import type { GroupVersionKind, GroupVersionResource } from "../policy/attributes.ts";
import { memberOf } from "./evaluate/places.ts";
import { type Aliases, pathStep, type State } from "./evaluate/state.ts";
import type { Asked, KnownRights } from "./evaluate/symbolic.ts";
import { constant, ERROR, NULL_SYM, type Sym } from "./evaluate/symbolic.ts";
import { isNamespaceKind, isNeverStored, type Scenario } from "./sorts/kinds.ts";
import { NAMESPACE_NAME, namespaceSort, requestNameSort, USER_SORT } from "./sorts/object-sorts.ts";
import { optionsSort } from "./sorts/options-sort.ts";
import { immutablePaths } from "./sorts/premises.ts";
import { BOOL, type Sort } from "./sorts/sort.ts";

export interface RequestParts {
  readonly request: Sym;
  /** Undefined if the request has none. */
  readonly name: Sym | undefined;
  readonly namespace: Sym | undefined;
  readonly namespaceObject: Sym;
  readonly authorizer: (name: string) => Sym;
}

interface MatchedAs {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

const OPTIONS = { CREATE: "CreateOptions", UPDATE: "UpdateOptions", DELETE: "DeleteOptions", CONNECT: "" } as const;

const OPTION_SORTS = {
  CREATE: optionsSort(OPTIONS.CREATE),
  UPDATE: optionsSort(OPTIONS.UPDATE),
  DELETE: optionsSort(OPTIONS.DELETE),
} as const;

export function requestParts(state: State, scenario: Scenario, matched: MatchedAs, rights?: KnownRights): RequestParts {
  const { operation, kind, subresource, objectKind, isCollection, isGenerated } = scenario;
  const root = (id: string, sort: Sort): Sym => ({ k: "node", node: state.nodeAt(undefined, id, sort, undefined) });
  const isNamed = !isCollection && !(isNeverStored(kind) && state.fact("the request has no name", 2) === 1);
  const name = isNamed ? root("request.name", requestNameSort(scenario)) : undefined;
  // The namespace of a request for a namespace is its name.
  const hasNamespace = kind.namespaced || (isNamespaceKind(kind) && !isGenerated);
  const namespace = hasNamespace ? root("request.namespace", NAMESPACE_NAME) : undefined;
  const entries: [string, Sym | undefined][] = [
    ["kind", kindSym(matched.kind)],
    ["resource", resourceSym(matched.resource)],
    ["subResource", textSym(subresource)],
    ["requestKind", kindSym(objectKind)],
    ["requestResource", resourceSym(kind)],
    ["requestSubResource", textSym(subresource)],
    ["name", name],
    ["namespace", namespace],
    ["operation", constant(operation)],
    ["userInfo", root("request.userInfo", USER_SORT)],
    ["dryRun", root("request.dryRun", BOOL)],
    ["options", operation === "CONNECT" ? NULL_SYM : root("request.options", OPTION_SORTS[operation])],
  ];
  const present = entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return {
    request: { k: "entries", entries: new Map(present) },
    name,
    namespace,
    namespaceObject: kind.namespaced ? root("namespaceObject", namespaceSort(scenario)) : NULL_SYM,
    authorizer: (each) => ({
      k: "scalar",
      kind: "other",
      type: each,
      term: { key: each, variables: [], evaluate: () => undefined },
      asked:
        rights &&
        askedBy(each, { state, scenario, rights, name, namespace, user: root("request.userInfo", USER_SORT) }),
    }),
  };
}

/** A connection may be any verb. */
const VERBS = { CREATE: ["create"], UPDATE: ["update", "patch"], DELETE: ["delete"], CONNECT: [] } as const;

interface Asking {
  readonly state: State;
  readonly scenario: Scenario;
  readonly rights: KnownRights;
  readonly name: Sym | undefined;
  readonly namespace: Sym | undefined;
  readonly user: Sym;
}

/** Questions about the request itself begin with what it is about. */
function askedBy(variable: string, { state, scenario, rights, name, namespace, user }: Asking): Asked {
  const { kind, subresource, operation, isCollection } = scenario;
  const resolved = (sym: Sym | undefined): Sym | undefined => sym && state.resolve(sym);
  const own = {
    group: constant(kind.group),
    resource: constant(kind.resource),
    subresource: constant(subresource),
    namespace: resolved(namespace) ?? constant(""),
    name: resolved(name) ?? constant(""),
  };
  const member = (field: string): Sym => {
    const info = state.resolve(user);
    const found = info.k === "mapnode" ? memberOf(state, info, field) : undefined;
    return found === undefined ? ERROR : state.resolve(found);
  };
  return {
    parts: variable === "authorizer" ? {} : own,
    own,
    verbs: isCollection ? ["deletecollection"] : VERBS[operation],
    rights: { ...rights, user: () => ({ username: member("username"), groups: member("groups") }) },
  };
}

function textSym(text: string): Sym | undefined {
  return text === "" ? undefined : constant(text);
}

function record(texts: Readonly<Record<string, string>>): Sym {
  return { k: "entries", entries: new Map(Object.entries(texts).map(([key, text]) => [key, constant(text)])) };
}

function kindSym({ group, version, kind }: GroupVersionKind): Sym {
  return record({ group, version, kind });
}

function resourceSym({ group, version, resource }: GroupVersionResource): Sym {
  return record({ group, version, resource });
}

/** Fields that no request changes. */
const FIXED = [
  "kind",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "metadata.creationTimestamp",
  "metadata.deletionTimestamp",
  "metadata.deletionGracePeriodSeconds",
];
const NAME_LABEL = `metadata.labels.${pathStep("kubernetes.io/metadata.name")}`;

/** Places that always hold the same value have one id. */
export function aliasesOf(scenario: Scenario): Aliases {
  const { kind, operation, objectKind } = scenario;
  const own = operation === "DELETE" ? "oldObject" : "object";
  const isNamed = (objectKind.kind === kind.kind && !isNeverStored(kind)) || objectKind.kind === "Scale";
  const name = isNamed && operation !== "CONNECT" ? `${own}.metadata.name` : "request.name";
  // A write to the status keeps everything else unchanged.
  const isStatus = scenario.subresource === "status" && objectKind.kind === kind.kind;
  // Any other write to a custom resource keeps its status.
  const keepsStatus = scenario.subresource === "" && kind.shape === undefined && kind.subresources.has("status");
  const isNamespace = isNamespaceKind(kind);
  const namespace = isNamespace ? name : "request.namespace";
  const table = new Map<string, string>([
    ["request.name", name],
    ["request.namespace", namespace],
    ["namespaceObject.metadata.name", namespace],
    [`namespaceObject.${NAME_LABEL}`, namespace],
    ["object.metadata.namespace", namespace],
    ["oldObject.metadata.namespace", namespace],
    ...(isNamespace ? (["object", "oldObject"] as const).map((root) => [`${root}.${NAME_LABEL}`, name] as const) : []),
    ...(operation === "UPDATE"
      ? [
          ...FIXED,
          "apiVersion",
          ...(isStatus ? ["spec"] : []),
          ...(keepsStatus ? ["status"] : []),
          ...immutablePaths(kind.group, kind.kind),
        ]
          .filter((path) => path !== "metadata.namespace")
          .map((path) => [`oldObject.${path}`, `object.${path}`] as const)
      : []),
  ]);
  return (id) => {
    const plain = unconverted(id, scenario);
    return table.get(plain) ?? plain;
  };
}

const CONVERTED = /^(object|oldObject)@[^/]*\/[^.]+\.(.+)$/;

/** Fields that conversion between versions keeps. */
const SHARED: Readonly<Record<string, RegExp>> = {
  "autoscaling/HorizontalPodAutoscaler":
    /^(kind|metadata\.(?!annotations).*|spec\.(maxReplicas|minReplicas)|status\.(currentReplicas|desiredReplicas))$/,
};
/** A webhook may change labels and annotations too. */
const SHARED_WITH_WEBHOOK = /^(kind|metadata\.(?!labels|annotations).*)$/;
const SHARED_METADATA = /^(kind|metadata\..*)$/;

function unconverted(id: string, { kind }: Scenario): string {
  const [, root, path] = CONVERTED.exec(id) ?? [];
  if (root === undefined || path === undefined || path === "apiVersion") return id;
  const custom = kind.isConvertedByWebhook ? SHARED_WITH_WEBHOOK : /./;
  const shared = kind.shape === undefined ? custom : (SHARED[`${kind.group}/${kind.kind}`] ?? SHARED_METADATA);
  return shared.test(path) ? `${root}.${path}` : id;
}
