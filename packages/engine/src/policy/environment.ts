/**
 * The variables of policy expressions and their types.
 *
 * `object`, `oldObject` and `params` are dynamic. `request` and `namespaceObject` have declared types that do not quite
 * fit the data: `namespaceObject.metadata.UID` compiles and finds nothing, `metadata.uid` does not compile, and
 * timestamps are text when the expression runs. All that is upstream's. Follows apiserver pkg/admission/plugin/cel.
 */
import {
  BOOL,
  Double,
  DYN,
  type Environment,
  INT,
  objectType,
  TIMESTAMP,
  type Type,
  type TypeProvider,
  type Value,
} from "@portcullis/cel";
import type { DeclType } from "../kubecel/decl-type.ts";
import { list, map, object, scalar, TEXT } from "../kubecel/declared.ts";
import { type ExpressionMode, kubernetesEnvironment } from "../kubecel/environment.ts";
import { isReservedWord } from "../kubecel/escaping.ts";
import { AUTHORIZER_TYPE, RESOURCE_CHECK_TYPE } from "../kubecel/library/authz.ts";
import { jsonPatchLibrary } from "../kubecel/library/json-patch.ts";
import { cannotConstruct } from "../kubecel/messages.ts";
import type { KubernetesVersion } from "../kubecel/versions.ts";
import { Float64 } from "../value/json.ts";
import { constructPatchType, patchTypes } from "./mutating/types.ts";

/** Which of the optional variables an expression may name. */
export interface Declarations {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** Whether it may make `Object`s and `JSONPatch`es. */
  readonly hasPatchTypes?: boolean;
}

export interface PolicyEnvironmentOptions extends Declarations {
  readonly version: KubernetesVersion;
  readonly mode: ExpressionMode;
  /** What stored expressions may use. */
  readonly serverVersion?: KubernetesVersion | undefined;
  /** Types of `variables.<name>`, read again by each compilation; undefined leaves `variables` undeclared. */
  readonly variables: ReadonlyMap<string, Type> | undefined;
}

export const VARIABLES_TYPE = objectType("kubernetes.variables");

export function policyEnvironment(options: PolicyEnvironmentOptions): Environment {
  const { version, mode, serverVersion, variables, hasPatchTypes } = options;
  const base = kubernetesEnvironment({
    version,
    mode,
    serverVersion,
    variables: declaredVariables(options),
    declared: [NAMESPACE_TYPE, REQUEST_TYPE],
    types: objectTypes(variables, hasPatchTypes === true),
  });
  if (hasPatchTypes !== true) return base.extend({ settings: { adapt: adaptNumbers } });
  return base.extend({ libraries: [jsonPatchLibrary], settings: { adapt: adaptNumbers, construct } });
}

function construct(typeName: string, fields: ReadonlyMap<string, Value>): Value {
  return constructPatchType(typeName, fields) ?? cannotConstruct(typeName);
}

function objectTypes(
  variables: ReadonlyMap<string, Type> | undefined,
  hasPatchTypes: boolean,
): TypeProvider | undefined {
  const own = variables && variablesProvider(variables);
  if (!hasPatchTypes || own === undefined) return hasPatchTypes ? patchTypes : own;
  return {
    findType: (name) => patchTypes.findType(name) ?? own.findType(name),
    findField: (typeName, field) => patchTypes.findField(typeName, field) ?? own.findField(typeName, field),
  };
}

function declaredVariables({ hasParams, hasAuthorizer, variables }: PolicyEnvironmentOptions): Record<string, Type> {
  return {
    object: DYN,
    oldObject: DYN,
    namespaceObject: NAMESPACE_TYPE.type,
    request: REQUEST_TYPE.type,
    ...(hasParams && { params: DYN }),
    ...(hasAuthorizer && { authorizer: AUTHORIZER_TYPE, "authorizer.requestResource": RESOURCE_CHECK_TYPE }),
    ...(variables !== undefined && { variables: VARIABLES_TYPE }),
  };
}

/** The type of `variables`, one field a variable. */
export function variablesProvider(variables: ReadonlyMap<string, Type>): TypeProvider {
  return {
    findType: (name) => (name === "kubernetes.variables" ? VARIABLES_TYPE : undefined),
    findField(typeName, field) {
      if (typeName !== "kubernetes.variables") return undefined;
      return variables.get(field) ?? (isReservedWord(field) ? variables.get(`__${field}__`) : undefined);
    },
  };
}

/** Boxed numbers are doubles; everything else in JSON the language reads by itself. */
function adaptNumbers(data: object): Double | undefined {
  return data instanceof Float64 ? new Double(data.value) : undefined;
}

const text = TEXT;
const time = scalar(TIMESTAMP);

const kindType = object("kubernetes.GroupVersionKind", { group: text, version: text, kind: text });
const resourceType = object("kubernetes.GroupVersionResource", { group: text, version: text, resource: text });

export const REQUEST_TYPE: DeclType = object("kubernetes.AdmissionRequest", {
  kind: kindType,
  resource: resourceType,
  subResource: text,
  requestKind: kindType,
  requestResource: resourceType,
  requestSubResource: text,
  name: text,
  namespace: text,
  operation: text,
  userInfo: object("kubernetes.UserInfo", { username: text, uid: text, groups: list(text), extra: map(list(text)) }),
  dryRun: scalar(BOOL),
  options: scalar(DYN),
});

export const NAMESPACE_TYPE: DeclType = object("kubernetes.Namespace", {
  metadata: object("kubernetes.NamespaceMetadata", {
    name: text,
    generateName: text,
    namespace: text,
    labels: map(text),
    annotations: map(text),
    UID: text,
    creationTimestamp: time,
    deletionGracePeriodSeconds: scalar(INT),
    deletionTimestamp: time,
    generation: scalar(INT),
    resourceVersion: text,
    finalizers: list(text),
  }),
  spec: object("kubernetes.NamespaceSpec", { finalizers: list(text) }),
  status: object("kubernetes.NamespaceStatus", {
    conditions: list(
      object("kubernetes.NamespaceCondition", {
        status: text,
        type: text,
        lastTransitionTime: time,
        message: text,
        reason: text,
      }),
    ),
    phase: text,
  }),
});
