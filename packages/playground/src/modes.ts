/** The modes of the page, and the texts that each of them needs. */

export const MODES = ["create", "update", "upgrade", "policy", "proof", "cel"] as const;
export type Mode = (typeof MODES)[number];

export const FIELDS = [
  "definition",
  "oldDefinition",
  "object",
  "old",
  "oldPolicy",
  "policy",
  "cluster",
  "request",
  "expression",
  "variables",
] as const;
/** One text; inactive modes keep their texts, and modes share texts of the same name. */
export type Field = (typeof FIELDS)[number];

export interface FieldInfo {
  readonly label: string;
  /** The placeholder of an empty text. */
  readonly hint: string;
  /** Its name in messages, and the file name when the texts are saved for the command line. */
  readonly file: string;
}

export interface ModeInfo {
  readonly label: string;
  readonly question: string;
  readonly fields: readonly Field[];
}

export const MODE_INFO: Readonly<Record<Mode, ModeInfo>> = {
  create: { label: "Create", question: "Does the API server accept this object?", fields: ["definition", "object"] },
  update: {
    label: "Update",
    question: "Does the API server accept this update, and which errors does ratcheting ignore?",
    fields: ["definition", "old", "object"],
  },
  upgrade: {
    label: "CRD upgrade",
    question: "What does the new CRD break? Show an object.",
    fields: ["oldDefinition", "definition"],
  },
  policy: {
    label: "Policy",
    question: "What do these policies decide for this request, and why?",
    fields: ["policy", "object", "old", "cluster", "request"],
  },
  proof: {
    label: "Policy change",
    question: "Which requests does a change of policies deny or allow? Show one, or prove that there is none.",
    fields: ["oldPolicy", "policy", "cluster"],
  },
  cel: {
    label: "CEL",
    question: "What is the value and the cost of this expression?",
    fields: ["expression", "object", "old", "variables"],
  },
};

/** The texts that expressions see as variables, in the CEL mode. */
export const CONTEXT_FIELDS = ["object", "old"] as const satisfies readonly Field[];

/** What rules of CRDs and what policies call them. */
export function contextNames(field: Field): readonly string[] {
  return field === "object" ? ["self", "object"] : field === "old" ? ["oldSelf", "oldObject"] : [];
}

/** The same text has another role in another mode. */
export function fieldInfo(field: Field, mode: Mode): FieldInfo {
  const info = FIELD_INFO[field];
  if (field === "definition" && mode === "upgrade") {
    return { ...info, label: "New CRD", hint: "the CustomResourceDefinition that replaces it" };
  }
  if (field === "policy" && mode === "proof") return { ...info, label: "New policies" };
  if (field === "object" && mode === "update") return { ...info, label: "New object" };
  if (mode === "cel" && contextNames(field).length > 0) {
    return {
      ...info,
      hint: `the variables ${contextNames(field)
        .map((name) => `\`${name}\``)
        .join(" and ")}; may be empty`,
    };
  }
  return info;
}

const FIELD_INFO: Readonly<Record<Field, FieldInfo>> = {
  definition: {
    label: "CRD",
    hint: "a CustomResourceDefinition; empty for built-in kinds",
    file: "definition.yaml",
  },
  oldDefinition: {
    label: "Old CRD",
    hint: "the CustomResourceDefinition in the cluster",
    file: "old-definition.yaml",
  },
  object: { label: "Object", hint: "the object to write", file: "object.yaml" },
  old: { label: "Old object", hint: "the object in the cluster; empty for a create", file: "old.yaml" },
  oldPolicy: {
    label: "Old policies",
    hint: "the validating policies and bindings before the change; empty to ask only about the new ones",
    file: "old-policy.yaml",
  },
  policy: {
    label: "Policies",
    hint: "admission policies, validating or mutating, and their bindings",
    file: "policy.yaml",
  },
  cluster: {
    label: "Cluster",
    hint: "objects that policies use: params, namespaces, roles, CRDs",
    file: "cluster.yaml",
  },
  request: {
    label: "Request",
    hint: "operation, user, groups, namespace, subresource, dryRun; all optional",
    file: "request.yaml",
  },
  expression: { label: "Expression", hint: "one CEL expression", file: "expression.cel" },
  variables: { label: "Variables", hint: "name: value, as YAML", file: "variables.yaml" },
};
