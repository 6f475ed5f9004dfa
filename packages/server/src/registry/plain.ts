/** Kinds that are stored as they come: metadata is checked, the rest is the client's business. */
import { defaultColumns } from "../endpoints/columns.ts";
import { builtInStrategy, type KindRules } from "./built-in.ts";
import { type GroupVersionKind, NO_FIELDS, type ResourceType } from "./resource-type.ts";

export interface PlainKind extends GroupVersionKind {
  readonly plural: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly storagePrefix?: string;
  readonly returnsDeletedObject?: boolean;
  readonly rules?: Partial<KindRules>;
}

export function plainType(kind: PlainKind): ResourceType {
  const { group, version, plural, namespaced } = kind;
  const gvk = { group, version, kind: kind.kind };
  const flags = { returnsDeletedObject: kind.returnsDeletedObject ?? false };
  return {
    ...gvk,
    listKind: `${kind.kind}List`,
    plural,
    singular: kind.kind.toLowerCase(),
    shortNames: kind.shortNames ?? [],
    categories: [],
    namespaced,
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    storagePrefix: kind.storagePrefix ?? `/registry/${plural}/`,
    isCustom: false,
    itemsNameKind: false,
    patchTypes: ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"],
    strategy: builtInStrategy(gvk, { namespaced, ...kind.rules }, flags),
    subresources: new Map(),
    columns: defaultColumns,
    fields: NO_FIELDS,
    warning: undefined,
  };
}

/** What a server needs to look like one to its clients, before the built-in kinds are complete. */
export const basicTypes: readonly ResourceType[] = [
  plainType({
    group: "",
    version: "v1",
    kind: "ConfigMap",
    plural: "configmaps",
    namespaced: true,
    shortNames: ["cm"],
  }),
  plainType({ group: "", version: "v1", kind: "Secret", plural: "secrets", namespaced: true }),
  plainType({
    group: "",
    version: "v1",
    kind: "ServiceAccount",
    plural: "serviceaccounts",
    namespaced: true,
    shortNames: ["sa"],
    returnsDeletedObject: true,
  }),
  plainType({
    group: "",
    version: "v1",
    kind: "Service",
    plural: "services",
    namespaced: true,
    shortNames: ["svc"],
    storagePrefix: "/registry/services/specs/",
    returnsDeletedObject: true,
  }),
];
