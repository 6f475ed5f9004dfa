/** Kubernetes' CEL: environments by version, the variable `authorizer`, names of fields, cost limits. */
export { type ExpressionMode, type KubernetesEnvironmentOptions, kubernetesEnvironment } from "./environment.ts";
export { escapeName, unescapeName } from "./escaping.ts";
export {
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  AuthorizerValue,
  type UserInfo,
} from "./library/authz.ts";
export {
  MATCH_CONDITIONS_COST_BUDGET,
  PER_CALL_LIMIT,
  RUNTIME_COST_BUDGET,
  STATIC_ESTIMATED_COST_LIMIT,
  STATIC_ESTIMATED_CRD_COST_LIMIT,
} from "./limits.ts";
export { compatibilityVersion, KUBERNETES_VERSIONS, type KubernetesVersion, SERVER_VERSION } from "./versions.ts";
