/** Plugins about the namespaces of requests. Both are off unless they are enabled. */
import type { AdmissionPlugin, AdmissionRequest } from "../../review/cluster-view.ts";
import { namespaceKind } from "../../review/kinds/namespace.ts";
import { notFound } from "../../status/error.ts";
import { refusal } from "../refusal.ts";

/** Nothing is written into a namespace that does not exist. Follows plugin/pkg/admission/namespace/exists. */
export const namespaceExists: AdmissionPlugin = {
  name: "NamespaceExists",
  validate: async (request) => {
    const { namespace, operation, cluster } = request;
    if (!isInNamespace(request) || operation === "CONNECT") return;
    if ((await cluster.get(namespaceKind, "", namespace)) === undefined) {
      throw notFound({ group: "", resource: "namespaces" }, namespace);
    }
  },
};

/** A missing namespace is created first. Follows plugin/pkg/admission/namespace/autoprovision. */
export function namespaceAutoProvision(create: (name: string) => Promise<void>): AdmissionPlugin {
  return {
    name: "NamespaceAutoProvision",
    mutate: async (request) => {
      const { namespace, operation, isDryRun, object, cluster } = request;
      if (isDryRun || operation !== "CREATE" || !isInNamespace(request)) return object;
      if ((await cluster.get(namespaceKind, "", namespace)) !== undefined) return object;
      await create(namespace).catch((error: unknown) => {
        throw refusal(request, error instanceof Error ? error.message : String(error));
      });
      return object;
    },
  };
}

function isInNamespace({ namespace, endpoint: { type } }: AdmissionRequest): boolean {
  return namespace !== "" && !(type.group === "" && type.plural === "namespaces");
}
