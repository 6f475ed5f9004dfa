/**
 * Who changes the owners of an object must be allowed to delete it, and who blocks the deletion of an owner must be
 * allowed to set its finalizers. Off unless it is enabled. Follows plugin/pkg/admission/gc.
 */
import type { Attributes } from "../../review/authorizer.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../../review/cluster-view.ts";
import { deepEqual } from "../../value/equal.ts";
import type { JsonObject } from "../../value/json.ts";
import { metaOf } from "../../value/metadata.ts";
import { objectsOf, textOf } from "../../value/read.ts";
import { refusal } from "../refusal.ts";

export const ownerReferencesPermissionEnforcement: AdmissionPlugin = {
  name: "OwnerReferencesPermissionEnforcement",
  validate: async (request) => {
    const { operation, endpoint } = request;
    const { type, subresource } = endpoint;
    if (operation !== "CREATE" && operation !== "UPDATE") return;
    if (type.group === "" && type.plural === "pods" && subresource?.name === "status") return;
    const [now, before] = [ownersOf(request.object), ownersOf(request.old)];
    if (now.length === before.length && now.every((owner, at) => deepEqual(owner, before[at] ?? null))) return;
    if (operation === "UPDATE") await checkDelete(request);
    await checkBlocking(request, newlyBlocking(now, before));
  },
};

async function checkDelete(request: AdmissionRequest): Promise<void> {
  const { endpoint, name } = request;
  const { group, version, plural } = endpoint.type;
  const subresource = endpoint.subresource?.name ?? "";
  const problem = await problemOf(request, { verb: "delete", group, version, resource: plural, subresource, name });
  if (problem !== undefined)
    throw refusal(request, `cannot set an ownerRef on a resource you can't delete: ${problem}`);
}

async function checkBlocking(request: AdmissionRequest, owners: readonly JsonObject[]): Promise<void> {
  const finalizers = { verb: "update", subresource: "finalizers" } as const;
  const anything = { ...finalizers, group: "*", version: "*", resource: "*", name: "*", namespace: "" };
  if (owners.length === 0 || (await problemOf(request, anything)) === undefined) return;
  for (const owner of owners) {
    const [apiVersion, kind] = [textOf(owner["apiVersion"]), textOf(owner["kind"])];
    const [version = "", group = ""] = apiVersion.split("/").reverse();
    const type = request.cluster.kinds
      .all()
      .find((each) => each.group === group && each.version === version && each.kind === kind);
    if (type === undefined) throw refusal(request, unknownOwner(apiVersion, kind, version));
    const about = { ...finalizers, group, version, resource: type.plural, name: textOf(owner["name"]) };
    const problem = await problemOf(request, type.namespaced ? about : { ...about, namespace: "" });
    if (problem !== undefined) throw refusal(request, `${CANNOT_BLOCK}: ${problem}`);
  }
}

const CANNOT_BLOCK =
  "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";

function unknownOwner(apiVersion: string, kind: string, version: string): string {
  const problem = `no matches for kind "${kind}" in version "${apiVersion === "" ? version : apiVersion}"`;
  return `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ${problem}`;
}

/** Undefined where the user may; otherwise the reason and the error, which there is none of. */
async function problemOf(
  { cluster, user, namespace }: AdmissionRequest,
  about: Pick<Attributes, "verb" | "group" | "version" | "resource" | "subresource" | "name"> & {
    readonly namespace?: string;
  },
): Promise<string | undefined> {
  const { verdict, reason } = await cluster.authorizer({ user, isResource: true, path: "", namespace, ...about });
  return verdict === "allow" ? undefined : `${reason}, <nil>`;
}

function ownersOf(object: JsonObject | undefined): JsonObject[] {
  return object === undefined ? [] : objectsOf(metaOf(object)["ownerReferences"]);
}

function newlyBlocking(now: readonly JsonObject[], before: readonly JsonObject[]): JsonObject[] {
  const blocked = new Set(before.filter(blocks).map((owner) => owner["uid"]));
  return now.filter((owner) => blocks(owner) && !blocked.has(owner["uid"]));
}

function blocks(owner: JsonObject): boolean {
  return owner["blockOwnerDeletion"] === true;
}
