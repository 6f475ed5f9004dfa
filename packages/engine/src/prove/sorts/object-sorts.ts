/** The sorts of whole objects, including their metadata, and of the request around them. */
import type { GroupVersionKind } from "../../policy/attributes.ts";
import { apiVersionOf, isNamespaceKind, isNeverStored, type ProofKind, type Scenario } from "./kinds.ts";
import { ANNOTATION_KEYS, LABEL_KEYS, LABEL_VALUE } from "./premises.ts";
import {
  ANY,
  always,
  lazySort,
  type MapAlternative,
  NONEMPTY_TEXT,
  openMap,
  optional,
  type Property,
  type Sort,
  sortOf,
  structOf,
  TEXT,
  type TextAlternative,
} from "./sort.ts";
import { anySchemaSort } from "./sort-any-schema.ts";
import { structSort } from "./sort-go.ts";
import { schemaSort } from "./sort-schema.ts";

/**
 * Where an object of a request comes from. A custom resource with several versions may be stored under the schema of
 * another one, and an update may keep what its own version would refuse.
 */
export type Origin = "created" | "stored" | "updated";

/** The objects of a scenario. */
export function objectSort(scenario: Scenario, origin = originOf(scenario)): Sort {
  const known = objectSorts.get(scenario) ?? new Map<Origin, Sort>();
  objectSorts.set(scenario, known);
  const made = known.get(origin) ?? makeObjectSort(scenario, origin);
  known.set(origin, made);
  return made;
}

const objectSorts = new WeakMap<Scenario, Map<Origin, Sort>>();

/** The new object, or the one that is deleted. */
function originOf({ operation }: Scenario): Origin {
  if (operation === "DELETE") return "stored";
  return operation === "UPDATE" ? "updated" : "created";
}

function makeObjectSort({ kind, subresource, objectKind }: Scenario, origin: Origin): Sort {
  const own = subresource === "" || (objectKind.kind === kind.kind && objectKind.group === kind.group);
  if (own) return withHeader(bodySort(kind, origin), kind, metadataOf(kind), droppedFrom(kind, origin));
  const shape = kind.subresources.get(subresource)?.shape?.();
  if (shape === undefined) return ANY;
  const hasName = objectKind.kind === "Scale";
  return withHeader(structSort(shape), objectKind, hasName ? scaleMetadata(kind) : undefined);
}

/** The server makes a Scale from the object, with little of its metadata. */
export const SCALE_METADATA: readonly string[] = ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"];

function scaleMetadata(kind: ProofKind): Sort {
  const fields = metadataFields(nameSort(kind), kind.namespaced, false, 1);
  return sortOf([structOf(new Map([...fields].filter(([key]) => SCALE_METADATA.includes(key))))]);
}

/** The same objects as another kind sees them. Without a webhook, custom resources only change their apiVersion. */
export function convertedSort(
  scenario: Scenario,
  target: ProofKind | undefined,
  gvk: GroupVersionKind,
  origin: Origin,
): Sort {
  const { kind } = scenario;
  if (kind.shape === undefined) {
    const body = kind.isConvertedByWebhook ? ANY : bodySort(kind, origin);
    return withHeader(body, gvk, metadataSort(kind), droppedFrom(kind, origin));
  }
  return target === undefined ? ANY : objectSort({ ...scenario, kind: target, objectKind: gvk }, origin);
}

/** The stored object of a name, such as a param; the namespace is "" if it is not known. */
export function storedSort(kind: ProofKind, { name, namespace }: { name: string; namespace: string }): Sort {
  const fields = metadataFields(listed(name), kind.namespaced, isNamespaceKind(kind), 1);
  if (namespace !== "") fields.set("namespace", always(listed(namespace), "server-metadata"));
  return withHeader(bodySort(kind, "stored"), kind, sortOf([structOf(fields)]));
}

function listed(text: string): Sort {
  return sortOf([{ kind: "string", listed: [text] }]);
}

function bodySort({ shape, schema, schemas, isConvertedByWebhook }: ProofKind, origin: Origin): Sort {
  if (shape !== undefined) return structSort(shape());
  const structural = schema?.();
  if (structural === undefined || (isConvertedByWebhook && origin !== "created")) return ANY;
  if (schemas === undefined || origin === "created") return schemaSort(structural);
  return anySchemaSort(schemas(), origin === "updated" ? structural : undefined);
}

function metadataOf(kind: ProofKind): Sort | undefined {
  return isNeverStored(kind) ? undefined : metadataSort(kind);
}

/** The status of a new custom resource is dropped if only a subresource writes it. */
function droppedFrom({ shape, subresources }: ProofKind, origin: Origin): readonly string[] {
  return origin === "created" && shape === undefined && subresources.has("status") ? ["status"] : [];
}

function withHeader(
  body: Sort,
  gvk: GroupVersionKind,
  metadata: Sort | undefined,
  dropped: readonly string[] = [],
): Sort {
  return lazySort(() => {
    const map = body.alternatives().find((each): each is MapAlternative => each.kind === "map");
    const own: Record<string, Property> = {
      apiVersion: always(sortOf([{ kind: "string", listed: [apiVersionOf(gvk)] }])),
      kind: always(sortOf([{ kind: "string", listed: [gvk.kind] }])),
      ...(metadata === undefined ? {} : { metadata: always(metadata) }),
    };
    return [
      {
        kind: "map",
        property: (key) => {
          if (Object.hasOwn(own, key)) return own[key];
          return dropped.includes(key) ? undefined : map?.property(key);
        },
        open: undefined,
        min: 0,
        keys: () => [...new Set([...Object.keys(own), ...(map?.keys() ?? [])])].filter((key) => !dropped.includes(key)),
      },
    ];
  }, body.relies);
}

const SUBDOMAIN: TextAlternative = {
  kind: "string",
  patterns: ["\\A[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\z"],
  minLength: 1,
  maxLength: 253,
};
/** As the server writes times in metadata. */
const TIME: Sort = sortOf(
  [
    {
      kind: "string",
      patterns: ["\\A[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z\\z"],
      samples: ["2026-01-01T00:00:00Z", "1970-01-01T00:00:00Z"],
    },
  ],
  ["server-metadata"],
);
const LABEL: TextAlternative = {
  kind: "string",
  patterns: ["\\A[a-z0-9]([-a-z0-9]*[a-z0-9])?\\z"],
  minLength: 1,
  maxLength: 63,
};
const PATH_SEGMENT: TextAlternative = { kind: "string", patterns: ["\\A[^/%]+\\z"], minLength: 1 };

/** Names of namespaces are stricter than most. */
export const NAMESPACE_NAME: Sort = sortOf([LABEL], ["native-validation"]);

const nameSorts = new WeakMap<ProofKind, Sort>();

/** The name of a request: that of an object, unless nothing has validated it yet. */
export function requestNameSort({ kind, operation, subresource }: Scenario): Sort {
  const isUnchecked = operation === "CONNECT" || (operation === "CREATE" && subresource !== "") || isNeverStored(kind);
  return isUnchecked ? NONEMPTY_TEXT : nameSort(kind);
}

function nameSort(kind: ProofKind): Sort {
  const made = nameSorts.get(kind) ?? makeNameSort(kind);
  nameSorts.set(kind, made);
  return made;
}

function makeNameSort(kind: ProofKind): Sort {
  if (isNamespaceKind(kind)) return NAMESPACE_NAME;
  return sortOf([kind.hasPlainNames ? SUBDOMAIN : PATH_SEGMENT], ["native-validation"]);
}

const LABEL_TEXT: Sort = sortOf(
  [{ kind: "string", patterns: LABEL_VALUE.patterns ?? [], maxLength: LABEL_VALUE.maxLength }],
  ["native-validation"],
);

function keysOf({ keyPattern, maxKeyLength }: typeof LABEL_KEYS): TextAlternative {
  return {
    kind: "string",
    patterns: keyPattern === undefined ? [] : [keyPattern],
    minLength: 1,
    maxLength: maxKeyLength,
  };
}

const NAME_LABEL = "kubernetes.io/metadata.name";

/** The server adds the name of a namespace to its labels. */
function labelsOf(isNamespace: boolean, min: number): Property {
  const plain = openMap(() => LABEL_TEXT, keysOf(LABEL_KEYS), min);
  if (!isNamespace) return optional(sortOf([plain], min > 0 ? ["omitempty"] : []));
  const named: MapAlternative = {
    ...plain,
    property: (key) => (key === NAME_LABEL ? always(LABEL_TEXT, "server-label") : plain.property(key)),
    keys: () => [NAME_LABEL],
  };
  return always(sortOf([named]), "server-label");
}

const metadataSorts = new WeakMap<ProofKind, Sort>();

function metadataSort(kind: ProofKind): Sort {
  const made = metadataSorts.get(kind) ?? makeMetadataSort(kind);
  metadataSorts.set(kind, made);
  return made;
}

function makeMetadataSort(kind: ProofKind): Sort {
  // The server decodes and encodes metadata, which drops empty lists and maps; of custom resources too.
  return sortOf([structOf(metadataFields(nameSort(kind), kind.namespaced, isNamespaceKind(kind), 1))]);
}

function metadataFields(name: Sort, namespaced: boolean, isNamespace: boolean, min: number): Map<string, Property> {
  const texts = sortOf([{ kind: "list", item: () => TEXT, min }]);
  const anything = sortOf([{ kind: "list", item: () => ANY, min }]);
  const positive = sortOf([{ kind: "int", min: 0n }]);
  return new Map<string, Property>([
    ["name", always(name, "server-metadata")],
    ...(namespaced ? [["namespace", always(NAMESPACE_NAME, "server-metadata")] as const] : []),
    ["uid", always(NONEMPTY_TEXT, "server-metadata")],
    ["creationTimestamp", always(TIME, "server-metadata")],
    ["generateName", optional(NONEMPTY_TEXT)],
    ["resourceVersion", optional(NONEMPTY_TEXT)],
    ["generation", optional(positive)],
    ["deletionTimestamp", optional(TIME)],
    ["deletionGracePeriodSeconds", optional(positive)],
    ["labels", labelsOf(isNamespace, min)],
    [
      "annotations",
      optional(sortOf([openMap(() => TEXT, keysOf(ANNOTATION_KEYS), min)], min > 0 ? ["omitempty"] : [])),
    ],
    ["finalizers", optional(texts)],
    ["ownerReferences", optional(anything)],
    ["managedFields", optional(anything)],
    ["selfLink", optional(NONEMPTY_TEXT)],
  ]);
}

/** `namespaceObject`: nothing is created in a namespace that is being deleted. */
export function namespaceSort({ operation, kind }: Pick<Scenario, "kind" | "operation">): Sort {
  const isReview = kind.group === "authorization.k8s.io";
  return operation === "CREATE" && !isReview ? ACTIVE_NAMESPACE : ANY_NAMESPACE;
}

const ANY_NAMESPACE = namespaceIn(["Active", "Terminating"]);
const ACTIVE_NAMESPACE = namespaceIn(["Active"]);
const DELETION_FIELDS = ["deletionTimestamp", "deletionGracePeriodSeconds"];

function namespaceIn(phases: readonly string[]): Sort {
  return lazySort(() => {
    const metadata = metadataFields(NAMESPACE_NAME, false, true, 1);
    metadata.set("resourceVersion", always(NONEMPTY_TEXT, "server-metadata"));
    if (!phases.includes("Terminating")) for (const key of DELETION_FIELDS) metadata.delete(key);
    metadata.delete("managedFields");
    metadata.delete("ownerReferences");
    metadata.delete("selfLink");
    const status = new Map([
      ["phase", always(sortOf([{ kind: "string", listed: phases }]), "server-metadata")],
      ["conditions", optional(sortOf([{ kind: "list", item: () => ANY, min: 1 }]))],
    ]);
    const spec = new Map([["finalizers", optional(sortOf([{ kind: "list", item: () => TEXT, min: 1 }]))]]);
    const fields = { metadata, spec, status };
    return [structOf(new Map(Object.entries(fields).map(([key, own]) => [key, always(sortOf([structOf(own)]))])))];
  });
}

/** Every request has a user with at least one group: the server ensures it. */
export const USER_SORT: Sort = lazySort(() => {
  const extra = sortOf([openMap(() => sortOf([{ kind: "list", item: () => TEXT, min: 0 }]), { kind: "string" }, 1)]);
  return [
    structOf(
      new Map([
        ["username", always(NONEMPTY_TEXT, "authentication")],
        ["groups", always(sortOf([{ kind: "list", item: () => TEXT, min: 1 }]), "authentication")],
        ["uid", optional(NONEMPTY_TEXT)],
        ["extra", optional(extra)],
      ]),
    ),
  ];
});
