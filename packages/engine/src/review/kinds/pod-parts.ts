/** Parts of a pod that have an address of their own: ephemeral containers, and resources. */
import type { BuiltinResource } from "../../builtin/builtin.ts";
import { prepareEphemeralContainers, prepareResize } from "../../builtin/strategies/pod-parts.ts";
import { validateEphemeralContainers, validateResize } from "../../builtin/validate/pod/parts.ts";
import type { BuiltInKindOptions } from "./built-in.ts";

/** Nothing for all other kinds. */
export function podRules({ group, plural }: BuiltinResource): BuiltInKindOptions {
  return group === "" && plural === "pods" ? { subresources: PARTS } : {};
}

const PARTS: NonNullable<BuiltInKindOptions["subresources"]> = {
  ephemeralcontainers: { prepareUpdate: prepareEphemeralContainers, validateUpdate: validateEphemeralContainers },
  resize: { prepareUpdate: prepareResize, validateUpdate: validateResize },
};
