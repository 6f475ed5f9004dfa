/** The sorts of whole objects, including their metadata, and of the request around them. */
import type { GroupVersionKind } from "../../policy/attributes.ts";
import { apiVersionOf, isNamespaceKind, type ProofKind, type Scenario } from "./kinds.ts";
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
import { structSort } from "./sort-go.ts";
import { schemaSort } from "./sort-schema.ts";

/** The objects of a scenario. */
export function objectSort(scenario: Scenario): Sort {
  const made = objectSorts.get(scenario) ?? makeObjectSort(scenario);
  objectSorts.set(scenario, made);
  return made;
}

const objectSorts = new WeakMap<Scenario, Sort>();

function makeObjectSort({ kind, subresource, objectKind }: Scenario): Sort {
  const own = subresource === "" || (objectKind.kind === kind.kind && objectKind.group === kind.group);
  if (own) return withHeader(bodySort(kind), kind, metadataSort(kind));
  const shape = kind.subresources.get(subresource)?.shape?.();
  if (shape === undefined) return ANY;
  const hasName = objectKind.kind === "Scale";
  return withHeader(structSort(shape), objectKind, hasName ? metadataSort(kind) : undefined);
}

/** The same objects as another kind sees them. Custom resources only change their apiVersion. */
export function convertedSort(scenario: Scenario, target: ProofKind | undefined, gvk: GroupVersionKind): Sort {
  const { kind } = scenario;
  if (kind.shape === undefined) return withHeader(bodySort(kind), gvk, metadataSort(kind));
  return target === undefined ? ANY : objectSort({ ...scenario, kind: target, objectKind: gvk });
}

/** Objects of a kind that are stored, such as params. */
export function storedSort(kind: ProofKind): Sort {
  return withHeader(bodySort(kind), kind, metadataSort(kind));
}

function bodySort({ shape, schema }: ProofKind): Sort {
  if (shape !== undefined) return structSort(shape());
  const structural = schema?.();
  return structural === undefined ? ANY : schemaSort(structural);
}

function withHeader(body: Sort, gvk: GroupVersionKind, metadata: Sort | undefined): Sort {
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
        property: (key) => (Object.hasOwn(own, key) ? own[key] : map?.property(key)),
        open: undefined,
        min: 0,
        keys: () => [...new Set([...Object.keys(own), ...(map?.keys() ?? [])])],
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

export function nameSort(kind: ProofKind): Sort {
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
    ["creationTimestamp", always(NONEMPTY_TEXT, "server-metadata")],
    ["generateName", optional(NONEMPTY_TEXT)],
    ["resourceVersion", optional(NONEMPTY_TEXT)],
    ["generation", optional(positive)],
    ["deletionTimestamp", optional(NONEMPTY_TEXT)],
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

/** CreateOptions and the like. */
export function optionsSort(kind: string): Sort {
  const header: Readonly<Record<string, string>> = { apiVersion: "meta.k8s.io/v1", kind };
  return sortOf([
    {
      kind: "map",
      property: (key) => {
        const text = header[key];
        return text === undefined ? optional(ANY) : always(sortOf([{ kind: "string", listed: [text] }]));
      },
      min: 0,
      keys: () => [],
    },
  ]);
}
