/** The subresources that connect to a pod, service or node instead of being read or written, as discovery lists them. */
import type { ResourceKind, Subresource } from "@portcullis/engine/internal/review/kind";

const STREAMING = ["create", "get"];
const ANY = ["create", "delete", "get", "patch", "update"];

interface Connection {
  readonly name: string;
  /** In version v1 of the core group. */
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** By the plural of the resource. */
const CONNECTIONS: Readonly<Record<string, readonly Connection[]>> = {
  pods: [
    { name: "attach", kind: "PodAttachOptions", verbs: STREAMING },
    { name: "exec", kind: "PodExecOptions", verbs: STREAMING },
    { name: "log", kind: "Pod", verbs: ["get"] },
    { name: "portforward", kind: "PodPortForwardOptions", verbs: STREAMING },
    { name: "proxy", kind: "PodProxyOptions", verbs: ANY },
  ],
  services: [{ name: "proxy", kind: "ServiceProxyOptions", verbs: ANY }],
  nodes: [{ name: "proxy", kind: "NodeProxyOptions", verbs: ANY }],
};

export type ListedSubresource = Pick<Subresource, "name" | "kind" | "verbs">;

/** All subresources that discovery lists: those of built-in kinds by name, others as their CRD has them. */
export function listedSubresources(type: ResourceKind): ListedSubresource[] {
  const own = [...type.subresources.values()];
  if (type.isCustom) return own;
  const connections = type.group === "" ? (CONNECTIONS[type.plural] ?? []) : [];
  const all = [
    ...own,
    ...connections.map(({ name, kind, verbs }) => ({ name, kind: { group: "", version: "v1", kind }, verbs })),
  ];
  return all.sort((left, right) => (left.name < right.name ? -1 : 1));
}
