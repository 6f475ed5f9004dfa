/**
 * Nothing is written into a namespace that is not there, nothing new into one that is being terminated, and some
 * namespaces stay for ever.
 *
 * Follows the NamespaceLifecycle admission plugin.
 */
import { forbidden, notFound, StatusError } from "@portcullis/engine/status/error";
import type { AdmissionPlugin, AdmissionRequest } from "./context.ts";
import * as messages from "./messages.ts";
import { metaText } from "./meta.ts";
import { NAMESPACE_PREFIX, namespaceType, phaseOf } from "./namespace.ts";
import { decodeEntry } from "./object-codec.ts";
import { groupResourceOf } from "./resource-type.ts";

const IMMORTAL: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

export const namespaceLifecycle: AdmissionPlugin = {
  name: "NamespaceLifecycle",
  mutate: async (request) => {
    const { endpoint, operation, namespace, object, name } = request;
    const { type } = endpoint;
    if (type.group === "" && type.plural === "namespaces") {
      if (operation === "DELETE" && IMMORTAL.has(name)) {
        throw forbidden(groupResourceOf(type), name, messages.namespaceNotDeletable());
      }
      return object;
    }
    // Access may be asked about in any namespace.
    if (type.group === "authorization.k8s.io" && type.plural === "localsubjectaccessreviews") return object;
    const isWritten = operation === "CREATE" || operation === "UPDATE";
    if (type.namespaced && namespace !== "" && isWritten) await checkNamespace(request, namespace);
    return object;
  },
};

async function checkNamespace(request: AdmissionRequest, namespace: string): Promise<void> {
  const entry = await request.server.store.get(`${NAMESPACE_PREFIX}${namespace}`);
  if (entry === undefined) throw notFound({ group: "", resource: "namespaces" }, namespace);
  if (request.operation !== "CREATE") return;
  const found = decodeEntry(entry, namespaceType);
  if (phaseOf(found) !== "Terminating" && metaText(found, "deletionTimestamp") === "") return;
  throw terminating(request, namespace);
}

function terminating({ endpoint, name }: AdmissionRequest, namespace: string): StatusError {
  const { code, reason, message, details } = forbidden(
    groupResourceOf(endpoint.type),
    name,
    messages.namespaceTerminating(namespace),
  );
  const cause = {
    type: "NamespaceTerminating",
    message: messages.isBeingTerminated(namespace),
    field: "metadata.namespace",
  };
  return new StatusError({ code, reason, message, details: { ...details, causes: [cause] } });
}
