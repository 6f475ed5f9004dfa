/**
 * ValidatingAdmissionPolicies in force: every write is put to them, and whoever writes one must be able to read the
 * params it names.
 *
 * Follows apiserver pkg/admission/plugin/policy/validating and the authorizers of
 * pkg/registry/admissionregistration.
 */
import type { FieldError } from "@portcullis/engine/field/error";
import type { KubernetesVersion } from "@portcullis/engine/kubecel";
import type { AdmissionAttributes } from "@portcullis/engine/policy/attributes";
import { authorizeBinding, authorizePolicy, type WriteContext } from "@portcullis/engine/policy/authorize";
import { readBinding } from "@portcullis/engine/policy/binding";
import { POLICY_GROUP } from "@portcullis/engine/policy/decode";
import { evaluatePolicies, type PolicyVerdict } from "@portcullis/engine/policy/dispatch";
import { readPolicy } from "@portcullis/engine/policy/policy";
import { invalid } from "@portcullis/engine/status/error";
import type { AdmissionPlugin, AdmissionRequest } from "../registry/context.ts";
import { metaText } from "../registry/meta.ts";
import { kindOf } from "../registry/resource-type.ts";
import type { PolicyCatalog } from "./catalog.ts";
import { equivalentResources } from "./equivalents.ts";
import { Lookups } from "./lookups.ts";
import { BINDINGS, POLICIES } from "./rules.ts";
import { seenOld, seenOptions } from "./seen.ts";

/** Hears of every verdict that policies had a part in. */
export type PolicyObserver = (verdict: PolicyVerdict, request: AdmissionRequest) => void;

export interface PolicyAdmissionOptions {
  /** Whose expressions policies may use. */
  readonly version: KubernetesVersion;
  readonly observe?: PolicyObserver | undefined;
}

export function policyAdmission(catalog: PolicyCatalog, options: PolicyAdmissionOptions): AdmissionPlugin {
  const plugin = {
    name: "ValidatingAdmissionPolicy",
    validate: async (request: AdmissionRequest): Promise<void> => {
      await checkWriter(request, catalog);
      await enforce(request, catalog, options);
    },
  };
  return plugin;
}

async function enforce(
  request: AdmissionRequest,
  catalog: PolicyCatalog,
  { version, observe }: PolicyAdmissionOptions,
): Promise<void> {
  const set = await catalog.current();
  if (set.hooks.length === 0) return;
  const { clock } = request.server.metrics;
  const attributes = attributesOf(request);
  const lookups = new Lookups(request.server);
  const equivalents = equivalentResources(request.server.registry, lookups.convert);
  const verdict = await lookups.run((context) =>
    evaluatePolicies(set, attributes, { ...context, equivalents, version, clock }),
  );
  verdict.warnings.forEach(request.warn);
  for (const [key, value] of verdict.auditAnnotations) request.annotate(key, value);
  request.server.metrics.policies.verdict(verdict, request.operation);
  observe?.(verdict, request);
  if (verdict.error !== undefined) throw verdict.error;
}

function attributesOf(request: AdmissionRequest): AdmissionAttributes {
  const { endpoint, operation, name, object, isDryRun, user } = request;
  const { group, version, plural } = endpoint.type;
  const isNamespace = group === "" && plural === "namespaces";
  return {
    operation,
    resource: { group, version, resource: plural },
    subresource: endpoint.subresource?.name ?? "",
    kind: kindOf(endpoint),
    name,
    namespace: isNamespace ? name : request.namespace,
    object,
    oldObject: seenOld(request),
    options: seenOptions(request),
    dryRun: isDryRun,
    userInfo: user,
  };
}

/** Asked once the object is valid; a refusal is an error about one of its fields. */
async function checkWriter(request: AdmissionRequest, catalog: PolicyCatalog): Promise<void> {
  const { endpoint, object, user, server } = request;
  const { type, subresource } = endpoint;
  if (type.group !== POLICY_GROUP || object === undefined || subresource !== undefined) return;
  if (type.plural !== POLICIES && type.plural !== BINDINGS) return;
  const errors = await new Lookups(server).run(({ authorizer }) => {
    const resourceOf: WriteContext["resourceOf"] = (kind) =>
      server.registry.all().find((each) => each.group === kind.group && each.kind === kind.kind)?.plural;
    return judgeWriter(request, catalog, { user, authorizer, resourceOf });
  });
  if (errors.length > 0) throw invalid({ group: type.group, kind: type.kind }, metaText(object, "name"), errors);
}

function judgeWriter(
  { endpoint, object, old }: AdmissionRequest,
  catalog: PolicyCatalog,
  context: WriteContext,
): FieldError[] {
  if (object === undefined) return [];
  if (endpoint.type.plural === POLICIES) return authorizePolicy(readPolicy(object), old && readPolicy(old), context);
  const binding = readBinding(object);
  return authorizeBinding(binding, old && readBinding(old), catalog.policy(binding.policyName), context);
}
