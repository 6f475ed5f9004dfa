/**
 * Writes of the controllers. They pass admission like those of any client, under the service account that the controller
 * has in a cluster; authorization is left out, because the built-in roles allow them.
 */
import { MASTERS, type User } from "@portcullis/engine/internal/rbac/user";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { DeleteOptions } from "@portcullis/engine/internal/review/write";
import { type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { metaText, objectOf } from "@portcullis/engine/internal/value/metadata";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import type { ServerContext, WriteCall } from "./context.ts";
import { type Deleted, deleteObject } from "./delete.ts";
import { updateObject } from "./update.ts";

/** The field manager of kube-controller-manager's requests. */
const MANAGER = "kube-controller-manager";
/** The time that webhooks have altogether. */
const REQUEST_MS = 60_000;

/** The API server itself. */
export const APISERVER: User = { name: "system:apiserver", uid: "", groups: [MASTERS], extra: new Map() };

/** A service account in kube-system. */
export function controllerUser(name: string): User {
  return {
    name: `system:serviceaccount:kube-system:${name}`,
    uid: "",
    groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"],
    extra: new Map(),
  };
}

export interface ControllerWrite {
  readonly server: ServerContext;
  readonly user: User;
  readonly type: ResourceKind;
  /** The object that is written: its name and namespace. */
  readonly object: JsonObject;
  /** Default that of kube-controller-manager. */
  readonly manager?: string;
}

/** Throws a StatusError where it is refused. */
export function deleteAs(write: ControllerWrite, deletion: DeleteOptions): Promise<Deleted> {
  const { gracePeriodSeconds, propagationPolicy, uid, resourceVersion } = deletion;
  const options = objectOf({
    kind: "DeleteOptions",
    apiVersion: "meta.k8s.io/v1",
    gracePeriodSeconds,
    preconditions: uid === undefined ? undefined : objectOf({ uid, resourceVersion }),
    propagationPolicy,
  });
  return deleteObject({ ...baseOf(write), verb: "delete", deletion, options }, callOf(write));
}

/** A merge patch, to the object itself or to a subresource. */
export async function patchAs(write: ControllerWrite, patch: JsonObject, subresource = ""): Promise<void> {
  const fieldManager = write.manager ?? MANAGER;
  const options = objectOf({ kind: "PatchOptions", apiVersion: "meta.k8s.io/v1", fieldManager });
  const endpoint = { type: write.type, subresource: write.type.subresources.get(subresource) };
  const patchType = "application/merge-patch+json";
  const content = { verb: "patch", patch: encodeUtf8(canonicalJson(patch)), patchType, force: false, options } as const;
  await updateObject({ ...baseOf(write), ...content, endpoint }, callOf(write));
}

function baseOf({ user, type, object, manager = MANAGER }: ControllerWrite) {
  return {
    endpoint: { type, subresource: undefined },
    namespace: type.namespaced ? metaText(object, "namespace") : "",
    name: metaText(object, "name"),
    user,
    manager,
    fieldValidation: "Ignore",
    isDryRun: false,
    deadline: Date.now() + REQUEST_MS,
    options: newObject(),
  } as const;
}

function callOf({ server }: ControllerWrite): WriteCall {
  return { server, warn: () => {}, annotate: () => {} };
}
