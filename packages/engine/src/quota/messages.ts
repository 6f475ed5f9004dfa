/** What quota admission says. Follows apiserver pkg/admission/plugin/resourcequota/controller.go. */

export const failedQuota = (name: string, problem: string): string => `failed quota: ${name}: ${problem}`;
export const statusUnknown = (name: string, resources: readonly string[]): string =>
  `status unknown for quota: ${name}, resources: ${resources.join(",")}`;
export const negativeUsage = (resources: readonly string[]): string =>
  `quota usage is negative for resource(s): ${resources.join(",")}`;
export const noCoveringQuota = (resources: readonly string[]): string =>
  `insufficient quota to consume: ${resources.join(",")}`;
export const noCoveringScopes = (scopes: readonly string[]): string =>
  `insufficient quota to match these scopes: [${scopes.join(" ")}]`;

export interface Excess {
  readonly quota: string;
  readonly requested: string;
  readonly used: string;
  readonly limited: string;
}

export const exceeded = ({ quota, requested, used, limited }: Excess): string =>
  `exceeded quota: ${quota}, requested: ${requested}, used: ${used}, limited: ${limited}`;

/** `missing` has the resource and the names of the containers without it. */
export const mustSpecify = (missing: readonly (readonly [resource: string, containers: readonly string[]])[]): string =>
  `must specify ${missing.map(([resource, containers]) => `${resource} for: ${containers.join(",")}`).join("; ")}`;
