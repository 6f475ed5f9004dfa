/**
 * One served version of a custom resource, compiled: everything that a request for it needs and that does not depend on
 * the request.
 */
import type { CustomResourceDefinition, DefinitionVersion, ScaleSubresource } from "../../crd/definition.ts";
import type { KubernetesVersion } from "../../kubecel/versions.ts";
import { compatibilityVersion, minorOf } from "../../kubecel/versions.ts";
import type { CompiledRule } from "../../rules/compile.ts";
import type { RuleCache } from "../../rules/rule-cache.ts";
import type { RuleTimes } from "../../rules/times.ts";
import { compileRuleTree, type RuleNode } from "../../rules/tree.ts";
import { withoutPropertyNames } from "../../schema/property-names.ts";
import { pruneDefaults } from "../../schema/prune-defaults.ts";
import { EMPTY_SCHEMA, type Structural } from "../../schema/structural.ts";
import { compileValidator, type SchemaValidator } from "../../schema/validate.ts";

/** Version and feature gates that a definition is compiled for. */
export interface EngineOptions {
  /** The Kubernetes version whose behaviour is wanted. */
  readonly version: KubernetesVersion;
  readonly gates: EngineGates;
  /** Feature gates of kube-apiserver that are not at their defaults. */
  readonly featureGates?: ReadonlyMap<string, boolean> | undefined;
  /** For callers that compile nearly the same definition over and over. */
  readonly ruleCache?: RuleCache<CompiledRule> | undefined;
  /** Measures the compilation and evaluation of rules. */
  readonly times?: RuleTimes | undefined;
}

/** Feature gates, by upstream's names. */
export interface EngineGates {
  readonly CRDValidationRatcheting: boolean;
  readonly CRDPropertyNameSchemas: boolean;
  /** Names that end in `.static.k8s.io` are refused, and `staticManifestsDir` is accepted. Default false. */
  readonly ManifestBasedAdmissionControlConfig?: boolean;
  /** Whether CRDs may have selectable fields. Default true. */
  readonly CustomResourceFieldSelectors?: boolean;
}

export interface CustomResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Undefined if the version has none: nothing is validated then. */
  readonly schema: Structural | undefined;
  readonly preserveUnknownFields: boolean;
  readonly hasStatus: boolean;
  readonly scale: ScaleSubresource | undefined;
  readonly validator: SchemaValidator | undefined;
  readonly statusValidator: SchemaValidator | undefined;
  readonly rules: RuleNode | undefined;
  readonly times: RuleTimes | undefined;
  readonly gates: EngineGates;
  /** Sent with every answer where the version is deprecated. */
  readonly deprecationWarning: string | undefined;
}

export function compileResource(
  definition: CustomResourceDefinition,
  version: DefinitionVersion,
  options: EngineOptions,
): CustomResource {
  const schema = version.schema && servedSchema(version.schema, options.gates);
  const compileOptions = { minor: minorOf(compatibilityVersion(options.version)) };
  const status = schema?.properties.get("status");
  const { ruleCache } = options;
  const ruleOptions = {
    version: options.version,
    times: options.times,
    isStored: () => true,
    isResourceRoot: true,
    ruleCache,
  };
  return {
    group: definition.group,
    version: version.name,
    kind: definition.names.kind,
    plural: definition.names.plural,
    namespaced: definition.scope === "Namespaced",
    schema,
    preserveUnknownFields: definition.preserveUnknownFields,
    hasStatus: version.subresources?.status === true,
    scale: version.subresources?.scale,
    validator: schema === undefined ? undefined : compileValidator(schema, compileOptions),
    statusValidator: schema === undefined ? undefined : compileValidator(status ?? EMPTY_SCHEMA, compileOptions),
    rules: schema === undefined ? undefined : compileRuleTree(schema, ruleOptions),
    times: options.times,
    gates: options.gates,
    deprecationWarning: deprecationWarning(definition, version),
  };
}

function servedSchema(schema: Structural, gates: EngineGates): Structural {
  return pruneDefaults(gates.CRDPropertyNameSchemas ? schema : withoutPropertyNames(schema));
}

function deprecationWarning(definition: CustomResourceDefinition, version: DefinitionVersion): string | undefined {
  if (!version.deprecated) return undefined;
  const name = `${definition.group}/${version.name} ${definition.names.kind}`;
  return version.deprecationWarning ?? `${name} is deprecated`;
}
