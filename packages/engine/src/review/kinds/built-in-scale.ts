/** The scale of deployments, replica sets, stateful sets and replication controllers, with the ownership of replicas. */
import type { ReplicasPaths } from "../../apply/scale.ts";
import type { BuiltinResource } from "../../builtin/builtin.ts";
import { SCALE_KIND, scaleOf, withScale } from "../../builtin/scale.ts";
import { makePath } from "../../fieldset/path.ts";
import { apiVersionOf, type Subresource, typedDecoder } from "../kind.ts";
import * as messages from "../messages.ts";
import { decodeBuiltIn, type KindRules, updateBuiltIn } from "./built-in-strategy.ts";
import { decodeScaleFields, scaleShape } from "./scale.ts";
import { withParentFields, withScaleFields } from "./scale-owners.ts";

const SCALE_RULES = { scheme: messages.BUILTIN_SCHEME, decode: decodeScaleFields, shape: scaleShape };

export function builtinScale(resource: BuiltinResource, rules: KindRules): Subresource {
  const { group, version, kind } = resource;
  const apiVersion = apiVersionOf(resource);
  const paths: ReplicasPaths = new Map([[apiVersion, makePath("spec", "replicas")]]);
  return {
    name: "scale",
    kind: SCALE_KIND,
    verbs: ["get", "patch", "update"],
    view: (parent, purpose) =>
      purpose === "patch" ? withScaleFields(scaleOf(parent), parent, paths) : scaleOf(parent),
    decode: (body, options) => decodeBuiltIn(body, SCALE_KIND, SCALE_RULES, options),
    decodeTyped: typedDecoder({ ...SCALE_KIND }),
    toParent: (draft, parent) =>
      withParentFields(withScale(parent, draft), { scale: draft, before: parent, paths, apiVersion }),
    update: (draft, parent, context) => updateBuiltIn(draft, parent, { group, version, kind }, rules, context),
  };
}
