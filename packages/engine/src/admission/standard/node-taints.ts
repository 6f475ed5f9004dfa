/** New nodes are not ready. Follows plugin/pkg/admission/nodetaint. */
import { taintNotReady } from "../../builtin/strategies/node.ts";
import type { AdmissionPlugin } from "../../review/cluster-view.ts";
import { objectOf } from "../../value/read.ts";
import { copyObject, withMember } from "../../value/rewrite.ts";

export const taintNodesByCondition: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  mutate: async ({ endpoint, operation, object }) => {
    const isNode = endpoint.type.group === "" && endpoint.type.plural === "nodes";
    if (object === undefined || !isNode || endpoint.subresource !== undefined || operation !== "CREATE") return object;
    const spec = copyObject(objectOf(object["spec"]));
    taintNotReady(spec);
    return withMember(object, "spec", spec);
  },
};
