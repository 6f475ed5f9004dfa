/** Parts of policies that tables of pairs write in short, see `proof-pair.ts`. */
import { CONFIG_MAP, rule } from "./proof-pair.ts";

export const on = (resource: string, ...operations: string[]) => ({ rules: [rule(resource, operations)] });

/** A rule for any resource. */
export const ruleFor = (
  group: string,
  version: string,
  operations: readonly string[],
  resources: readonly string[],
  more = {},
) => ({ apiGroups: [group], apiVersions: [version], operations, resources, ...more });

/** A condition on a field of the spec that may be absent; `@` is the field. */
export const having = (field: string, condition: string) =>
  `!has(object.spec.${field}) || ${condition.replaceAll("@", `object.spec.${field}`)}`;

/** A ConfigMap as the param. */
export const named = (name: string, action: string, namespace?: string) => ({
  paramKind: CONFIG_MAP,
  paramRef: { name, parameterNotFoundAction: action, ...(namespace === undefined ? {} : { namespace }) },
});
