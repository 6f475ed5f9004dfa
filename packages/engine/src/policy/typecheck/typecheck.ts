/**
 * Type checking of policies: warnings for `status.typeChecking`, which never change a decision.
 *
 * Validations and their message expressions are checked against every kind the rules name explicitly, up to ten per
 * rule; rules with wildcards and subresources are skipped. Variables are compiled but not reported: a broken one
 * becomes dynamic. `authorizer.requestResource` is not declared here, so using it gives a meaningless warning, as
 * upstream. Follows apiserver pkg/admission/plugin/policy/validating/typechecking.go.
 */
import { DYN, type Environment, type Type } from "@portcullis/cel";
import { compareStrings } from "@portcullis/gostd/utf8";
import { newPath } from "../../field/path.ts";
import { assignTypeName, type DeclType, schemaDeclType } from "../../kubecel/decl-type.ts";
import { kubernetesEnvironment } from "../../kubecel/environment.ts";
import { AUTHORIZER_TYPE } from "../../kubecel/library/authz.ts";
import { defaultCompatibilityVersion, type KubernetesVersion } from "../../kubecel/versions.ts";
import type { Structural } from "../../schema/structural.ts";
import { isInteger, type JsonObject, newObject } from "../../value/json.ts";
import { objectOf } from "../../value/read.ts";
import { formatKind, type GroupVersionKind, type GroupVersionResource, parseGroupVersion } from "../attributes.ts";
import { variableType } from "../compile.ts";
import { NAMESPACE_TYPE, REQUEST_TYPE, VARIABLES_TYPE, variablesProvider } from "../environment.ts";
import type { ResourceRule } from "../match-resources.ts";
import type { AdmissionPolicy, NamedExpression } from "../policy.ts";

/** Finds the kinds and schemas that a policy matches. */
export interface TypeResolver {
  /** The kinds served under a resource; none if it is not known. */
  kindsFor(resource: GroupVersionResource): readonly GroupVersionKind[];
  /** The published schema of a kind, references filled in; undefined if there is none. */
  schemaOf(kind: GroupVersionKind): Structural | undefined;
}

/** A type error in one expression of a policy. */
export interface ExpressionWarning {
  /** `spec.validations[0].expression` */
  readonly fieldRef: string;
  readonly warning: string;
}

const MAX_TYPES = 10;

/**
 * Type-checks the expressions of a policy against the kinds it matches, as the controller of the API server does for
 * `status.typeChecking`.
 */
export function checkPolicyTypes(
  policy: AdmissionPolicy,
  resolver: TypeResolver,
  serverVersion?: KubernetesVersion,
): ExpressionWarning[] {
  const environments = typedEnvironments(policy, resolver, serverVersion);
  const path = newPath("spec", "validations");
  return policy.validations.flatMap(({ expression, messageExpression }, index) => {
    const at = path.index(index);
    return [
      ...checkExpression(expression, at.child("expression").toString(), environments),
      ...(messageExpression === ""
        ? []
        : checkExpression(messageExpression, at.child("messageExpression").toString(), environments)),
    ];
  });
}

/** One kind with the environment its expressions are compiled in. */
interface TypedEnvironment {
  readonly kind: GroupVersionKind;
  readonly environment: Environment;
}

function typedEnvironments(
  policy: AdmissionPolicy,
  resolver: TypeResolver,
  serverVersion: KubernetesVersion | undefined,
): readonly TypedEnvironment[] {
  const params = paramsType(policy, resolver);
  return kindsToCheck(policy, resolver).flatMap((kind) => {
    const schema = resolver.schemaOf(kind);
    if (schema === undefined) return [];
    const object = declare(schema, `${kind.kind}1`);
    return [{ kind, environment: typedEnvironment(policy, object, params, serverVersion) }];
  });
}

/** Undefined if the data is beyond what types can say: it is dynamic then. */
function declare(schema: Structural, name: string): DeclType | undefined {
  const declared = schemaDeclType(schema, { resourceRoot: true });
  return declared && assignTypeName(declared, name);
}

/** Undefined without params, else their type or that there is none. */
function paramsType(
  { paramKind }: AdmissionPolicy,
  resolver: TypeResolver,
): { type: DeclType | undefined } | undefined {
  const groupVersion = paramKind && parseGroupVersion(paramKind.apiVersion);
  if (paramKind === undefined || groupVersion === undefined) return undefined;
  const schema = resolver.schemaOf({ ...groupVersion, kind: paramKind.kind });
  return { type: schema && declare(schema, `${paramKind.kind}2`) };
}

function typedEnvironment(
  { variables }: AdmissionPolicy,
  object: DeclType | undefined,
  params: { readonly type: DeclType | undefined } | undefined,
  serverVersion: KubernetesVersion | undefined,
): Environment {
  const types = new Map<string, Type>();
  const objectType = object?.type ?? DYN;
  const environment = kubernetesEnvironment({
    version: defaultCompatibilityVersion(),
    mode: "stored",
    serverVersion,
    variables: {
      object: objectType,
      oldObject: objectType,
      namespaceObject: NAMESPACE_TYPE.type,
      request: REQUEST_TYPE.type,
      authorizer: AUTHORIZER_TYPE,
      variables: VARIABLES_TYPE,
      ...(params !== undefined && { params: params.type?.type ?? DYN }),
    },
    declared: [NAMESPACE_TYPE, REQUEST_TYPE, ...[object ?? []].flat(), ...[params?.type ?? []].flat()],
    types: variablesProvider(types),
  });
  addVariables(variables, environment, types);
  return environment;
}

function addVariables(variables: readonly NamedExpression[], environment: Environment, types: Map<string, Type>): void {
  for (const { name, expression } of variables) {
    const compiled = environment.compile(expression);
    types.set(name, compiled.ok ? variableType(compiled.ast.type) : DYN);
  }
}

function checkExpression(
  expression: string,
  fieldRef: string,
  environments: readonly TypedEnvironment[],
): ExpressionWarning[] {
  const problems = environments.flatMap(({ kind, environment }) => {
    const compiled = environment.compile(expression);
    return compiled.ok ? [] : [`${formatKind(kind)}: ${compiled.text}\n`];
  });
  return problems.length === 0 ? [] : [{ fieldRef, warning: problems.join("\n") }];
}

/** Sorted by group, version and kind. A rule that yields ten kinds ends the search. */
export function kindsToCheck(policy: AdmissionPolicy, resolver: TypeResolver): readonly GroupVersionKind[] {
  const kinds = new Map<string, GroupVersionKind>();
  for (const rule of policy.matchConstraints?.resourceRules ?? []) {
    const found = resourcesOf(rule).flatMap((resource) => resolver.kindsFor(resource));
    for (const kind of found.slice(0, MAX_TYPES)) kinds.set(formatKind(kind), kind);
    if (found.length >= MAX_TYPES) break;
  }
  return [...kinds.values()].sort(
    (left, right) =>
      compareStrings(left.group, right.group) ||
      compareStrings(left.version, right.version) ||
      compareStrings(left.kind, right.kind),
  );
}

function resourcesOf({ apiGroups, apiVersions, resources }: ResourceRule): GroupVersionResource[] {
  if ([...apiGroups, ...apiVersions].some((text) => text.includes("*"))) return [];
  const plain = resources.filter((resource) => !/[*/]/.test(resource));
  return sorted(apiGroups).flatMap((group) =>
    sorted(apiVersions).flatMap((version) => sorted(plain).map((resource) => ({ group, version, resource }))),
  );
}

function sorted(texts: readonly string[]): string[] {
  return [...texts].sort(compareStrings);
}

/** Whether a policy has changed since its status was written. Several servers may ask; only progress is written. */
export function needsTypeCheck(policy: JsonObject): boolean {
  const generation = objectOf(policy["metadata"])["generation"];
  const observed = objectOf(policy["status"])["observedGeneration"];
  return (isInteger(generation) ? generation : 0) > (isInteger(observed) ? observed : 0);
}

/** The status to write: `typeChecking` is there even when it is empty, which says that the check is done. */
export function typeCheckedStatus(policy: JsonObject, warnings: readonly ExpressionWarning[]): JsonObject {
  const status = newObject();
  const typeChecking = newObject();
  if (warnings.length > 0) {
    typeChecking["expressionWarnings"] = warnings.map((warning) => Object.assign(newObject(), warning));
  }
  const generation = objectOf(policy["metadata"])["generation"];
  if (isInteger(generation)) status["observedGeneration"] = generation;
  status["typeChecking"] = typeChecking;
  return status;
}
