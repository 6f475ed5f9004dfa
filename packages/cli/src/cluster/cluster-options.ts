/** The options that select a cluster. Apart, because reaching a cluster takes modules that most runs do not need. */
import type { OptionSpecs } from "../frame/option-spec.ts";

export const CLUSTER_OPTIONS = {
  kubeconfig: {
    type: "string",
    value: "FILE",
    group: "inputs",
    text: "how to reach the cluster (default $KUBECONFIG, then ~/.kube/config)",
  },
  context: {
    type: "string",
    value: "NAME",
    group: "inputs",
    text: "a context of the kubeconfig other than its current one",
  },
} as const satisfies OptionSpecs;
