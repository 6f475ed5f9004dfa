/** Why a policy or a binding was or was not applied: our own texts, for explanations. */

export const namespaceNotSelected = (): string => "the namespaceSelector does not select the namespace";
export const objectNotSelected = (): string => "the objectSelector selects neither the new nor the old object";
export const excludedByRule = (rule: string): string =>
  `excluded: ${rule.replace("resourceRules", "excludeResourceRules")}`;
export const noRules = (): string => "there are no resourceRules, so every resource matches";
export const rule = (index: number): string => `resourceRules[${index}] matches`;
export const equivalentRule = (index: number, resource: string): string =>
  `resourceRules[${index}] matches the equivalent resource ${resource}`;
export const noRuleMatches = (): string => "none of the resourceRules matches";
export const noBinding = (): string => "no binding names the policy";
export const exempt = (resource: string): string => `policies never apply to ${resource}`;
export const paramsAllowedMissing = (): string => "no params were found and parameterNotFoundAction is Allow";
export const noMatchResources = (): string => "the binding adds no constraints";
