/** The Go types of answers: objects of built-in kinds, lists of them, and what the server says itself. */
import {
  field,
  type GoShape,
  type GoStruct,
  goBool,
  goInt32,
  goInt64,
  goList,
  goRaw,
  goString,
  goStruct,
} from "../../field/go-shape.ts";
import { objectMeta } from "../../schema/meta-shape.ts";
import type { JsonObject } from "../../value/json.ts";
import { textOf } from "../object.ts";
import { shapeOf } from "../shapes.ts";
import { structOfKind } from "../types.ts";

const texts = goList(goString);

/** A struct from the names of its members; those without a shape are texts. */
function struct(go: string, members: Readonly<Record<string, GoShape | undefined>>): GoStruct {
  return goStruct(go, () =>
    Object.fromEntries(Object.entries(members).map(([name, shape]) => [name, field(shape ?? goString)])),
  );
}

const TYPE = { kind: goString, apiVersion: goString };

const listMeta = struct("v1.ListMeta", {
  selfLink: goString,
  resourceVersion: goString,
  continue: goString,
  remainingItemCount: goInt64,
});

const cause = struct("v1.StatusCause", { reason: goString, message: goString, field: goString });

const details = struct("v1.StatusDetails", {
  name: goString,
  group: goString,
  kind: goString,
  uid: goString,
  causes: goList(cause),
  retryAfterSeconds: goInt32,
});

const status = struct("v1.Status", {
  ...TYPE,
  metadata: listMeta,
  status: goString,
  message: goString,
  reason: goString,
  details,
  code: goInt32,
});

const column = struct("v1.TableColumnDefinition", {
  name: goString,
  type: goString,
  format: goString,
  description: goString,
  priority: goInt32,
});

/** Objects in the rows of a table name their kind themselves. */
export const ROW_OBJECT: GoShape = { kind: "raw", go: "runtime.RawExtension" };

const row = struct("v1.TableRow", { cells: goRaw, conditions: goRaw, object: ROW_OBJECT });

const table = struct("v1.Table", {
  ...TYPE,
  metadata: listMeta,
  columnDefinitions: goList(column),
  rows: goList(row),
});

const partial = struct("v1.PartialObjectMetadata", { ...TYPE, metadata: objectMeta });
const partialList = struct("v1.PartialObjectMetadataList", { ...TYPE, metadata: listMeta, items: goList(partial) });

const groupVersion = struct("v1.GroupVersionForDiscovery", { groupVersion: goString, version: goString });
const addresses = goList(struct("v1.ServerAddressByClientCIDR", { clientCIDR: goString, serverAddress: goString }));

const group = struct("v1.APIGroup", {
  ...TYPE,
  name: goString,
  versions: goList(groupVersion),
  preferredVersion: groupVersion,
  serverAddressByClientCIDRs: addresses,
});

const resource = struct("v1.APIResource", {
  name: goString,
  singularName: goString,
  namespaced: goBool,
  group: goString,
  version: goString,
  kind: goString,
  verbs: texts,
  shortNames: texts,
  categories: texts,
  storageVersionHash: goString,
});

const responseKind = struct("v1.GroupVersionKind", { group: goString, version: goString, kind: goString });

const subresource = struct("v2.APISubresourceDiscovery", {
  subresource: goString,
  responseKind,
  acceptedTypes: goList(responseKind),
  verbs: texts,
});

const resourceDiscovery = struct("v2.APIResourceDiscovery", {
  resource: goString,
  responseKind,
  scope: goString,
  singularResource: goString,
  verbs: texts,
  shortNames: texts,
  categories: texts,
  subresources: goList(subresource),
});

const versionDiscovery = struct("v2.APIVersionDiscovery", {
  version: goString,
  resources: goList(resourceDiscovery),
  freshness: goString,
});

const groupDiscovery = struct("v2.APIGroupDiscovery", {
  ...TYPE,
  metadata: objectMeta,
  versions: goList(versionDiscovery),
});

/** By kind, whatever their version. */
const OWN: Readonly<Record<string, GoStruct>> = {
  Status: status,
  Table: table,
  PartialObjectMetadata: partial,
  PartialObjectMetadataList: partialList,
  APIVersions: struct("v1.APIVersions", { ...TYPE, versions: texts, serverAddressByClientCIDRs: addresses }),
  APIGroup: group,
  APIGroupList: struct("v1.APIGroupList", { ...TYPE, groups: goList(group) }),
  APIResourceList: struct("v1.APIResourceList", { ...TYPE, groupVersion: goString, resources: goList(resource) }),
  APIGroupDiscoveryList: struct("v2.APIGroupDiscoveryList", {
    ...TYPE,
    metadata: listMeta,
    items: goList(groupDiscovery),
  }),
};

const OWN_VERSIONS = /^(v1|meta\.k8s\.io\/\w+|apidiscovery\.k8s\.io\/\w+)$/;

const known = new Map<string, GoStruct | undefined>();

/** Undefined for custom resources and everything else without a Go type. */
export function answerShape(value: JsonObject): GoStruct | undefined {
  const [kind, apiVersion] = [textOf(value, "kind"), textOf(value, "apiVersion")];
  const own = OWN[kind];
  // `APIVersions` has no version of its own.
  if (own !== undefined && (apiVersion === "" || OWN_VERSIONS.test(apiVersion))) return own;
  const key = `${apiVersion}/${kind}`;
  if (known.has(key)) return known.get(key);
  const shape = builtinShape(apiVersion, kind);
  // Only built-in kinds are remembered: clients cannot make more of them.
  if (shape !== undefined) known.set(key, shape);
  return shape;
}

function builtinShape(apiVersion: string, kind: string): GoStruct | undefined {
  const [version = "", groupName = ""] = apiVersion.split("/").reverse();
  const type = structOfKind(groupName, version, kind);
  if (type !== undefined) return shapeOf(type);
  const item = kind.endsWith("List") ? structOfKind(groupName, version, kind.slice(0, -"List".length)) : undefined;
  return item && struct(`${version}.${kind}`, { ...TYPE, metadata: listMeta, items: goList(shapeOf(item)) });
}
