/** Kubernetes' CEL: environments by version, declared types, data under a schema, limits. */
export { assignTypeName, type DeclType, type DeclTypeOptions, schemaDeclType } from "./decl-type.ts";
export { type ExpressionMode, type KubernetesEnvironmentOptions, kubernetesEnvironment } from "./environment.ts";
export { escapeName, isReservedWord, unescapeName } from "./escaping.ts";
export {
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  AuthorizerValue,
  requestResourceCheck,
  type UserInfo,
} from "./library/authz.ts";
export * from "./limits.ts";
export { declTypeSizeHints, NO_SIZE_HINTS } from "./size-hints.ts";
export { declTypeProvider } from "./type-provider.ts";
export { schemaValue } from "./unstructured.ts";
export {
  compatibilityVersion,
  defaultCompatibilityVersion,
  KUBERNETES_VERSIONS,
  type KubernetesVersion,
  SERVER_VERSION,
} from "./versions.ts";
