/** Policies that no binding names: they have no effect. */
import { isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { metaText } from "@portcullis/engine/internal/value/metadata";
import { findingAt } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";

export const BIND_ACTIONS = ["Deny", "Warn", "Audit"] as const;
export type BindAction = (typeof BIND_ACTIONS)[number];

const KINDS: readonly string[] = ["ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"];

/** The policies among the documents without a binding among the objects. */
export function unboundPolicies(
  documents: readonly ManifestDocument[],
  objects: readonly JsonObject[],
): readonly ManifestDocument[] {
  const bound = new Set(objects.map(boundName));
  return documents.filter(({ id }) => KINDS.includes(id.kind) && !bound.has(`${id.kind}Binding ${id.name}`));
}

function boundName({ kind, spec }: JsonObject): string {
  return `${String(kind)} ${isObject(spec) ? String(spec["policyName"]) : ""}`;
}

export function unboundFinding(document: ManifestDocument): Finding {
  return findingAt(document, {
    rule: "policy/unbound",
    severity: "warning",
    path: "metadata.name",
    message: "no binding names this policy, so it has no effect",
    hint: `add a ${document.id.kind}Binding, or evaluate the policy as if it had one: --bind Deny`,
  });
}

/** The binding that puts a policy into force for everything that it matches, with all params of its kind. */
export function bindingFor({ object, id }: ManifestDocument, action: BindAction): JsonObject {
  const policy = isObject(object["spec"]) ? object["spec"] : newObject();
  const isValidating = id.kind === "ValidatingAdmissionPolicy";
  return plain({
    apiVersion: id.apiVersion,
    kind: `${id.kind}Binding`,
    metadata: plain({ name: metaText(object, "name") }),
    spec: plain({
      policyName: metaText(object, "name"),
      ...(isValidating && { validationActions: [action] }),
      ...(policy["paramKind"] !== undefined && {
        paramRef: plain({ selector: newObject(), parameterNotFoundAction: "Allow" }),
      }),
    }),
  });
}

function plain(fields: JsonObject): JsonObject {
  return Object.assign(newObject(), fields);
}

/** How often each policy denied, warned and only audited, by the findings of a check; one line for each. */
export function policyCounts(names: readonly string[], findings: readonly Finding[]): readonly string[] {
  return [...names].sort().map((name) => {
    const own = findings.filter(({ message }) => message.includes(`AdmissionPolicy '${name}' with binding '`));
    const count = (rule: string): number => own.filter((finding) => finding.rule === rule).length;
    const audited = count("policy/audit");
    const counts = `policy ${name}: ${count("policy/deny")} denied, ${count("policy/warn")} warned`;
    return audited === 0 ? counts : `${counts}, ${audited} audited`;
  });
}
