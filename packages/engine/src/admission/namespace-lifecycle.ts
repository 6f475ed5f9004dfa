/**
 * Nothing is written into a namespace that is not there, nothing new into one that is being terminated, and some
 * namespaces stay for ever.
 *
 * Follows the NamespaceLifecycle admission plugin.
 */

import type { AdmissionPlugin, AdmissionRequest } from "../review/cluster-view.ts";
import { groupResourceOf } from "../review/kind.ts";
import { namespaceKind, phaseOf } from "../review/kinds/namespace.ts";
import * as messages from "../review/messages.ts";
import { forbidden, notFound, StatusError } from "../status/error.ts";
import { metaText } from "../value/metadata.ts";

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
  const found = await request.cluster.get(namespaceKind, "", namespace);
  if (found === undefined) throw notFound({ group: "", resource: "namespaces" }, namespace);
  if (request.operation !== "CREATE") return;
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
