/** Pods tolerate nodes that are gone for a moment. Follows the DefaultTolerationSeconds admission plugin. */
import { withDefaultTolerations } from "../builtin/strategies/pod.ts";
import type { AdmissionPlugin } from "../review/cluster-view.ts";

/** The seconds may be set for the whole cluster. */
export function defaultTolerations(seconds?: Parameters<typeof withDefaultTolerations>[1]): AdmissionPlugin {
  return {
    name: "DefaultTolerationSeconds",
    mutate: async ({ endpoint, operation, object }) => {
      const { group, plural } = endpoint.type;
      const isPod = group === "" && plural === "pods" && endpoint.subresource === undefined;
      return object === undefined || !isPod || operation === "DELETE"
        ? object
        : withDefaultTolerations(object, seconds);
    },
  };
}
