/** The tools: each is a command of the command line with JSON as its output. */
import type { Command } from "../../frame/command.ts";

/** JSON Schema of an argument. */
type Property = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** Arguments that are sources: text or a path. */
  readonly sources: Readonly<Record<string, string>>;
  /** Other arguments: their schema. */
  readonly values?: Readonly<Record<string, Property>>;
  readonly required: readonly string[];
  readonly load: () => Promise<Command>;
  /** The command's arguments, where the sources have become paths. */
  readonly args: (given: ToolArguments) => readonly string[];
}

export interface ToolArguments {
  readonly paths: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
}

const VERSION = { type: "string", description: "the Kubernetes version to answer as, such as 1.36" };
const FIELD_VALIDATION = { type: "string", enum: ["strict", "warn", "ignore"] };

export const TOOLS: readonly Tool[] = [
  {
    name: "check",
    description:
      "What the Kubernetes API server would say to these manifests: refusals, warnings and unknown fields with line and column. CRDs may be among the manifests.",
    sources: {
      manifests: "objects to check, as YAML or JSON",
      crds: "CustomResourceDefinitions of their kinds",
      old: "the same objects as they are now: they are checked as updates, with ratcheting",
      policies: "admission policies with bindings and parameters",
    },
    values: { kubeVersion: VERSION, fieldValidation: FIELD_VALIDATION },
    required: ["manifests"],
    load: async () => (await import("../check.ts")).check,
    args: ({ paths, values }) => [
      ...[paths["manifests"], paths["crds"]].filter((each) => each !== undefined),
      ...option("--old", paths["old"]),
      ...option("--policies", paths["policies"]),
      ...option("--kube-version", values["kubeVersion"]),
      ...option("--field-validation", values["fieldValidation"]),
      "-o",
      "json",
    ],
  },
  {
    name: "explain",
    description: "Why a finding matters and what to do. Rules are the ids in findings, such as schema/maximum.",
    sources: {},
    values: { rule: { type: "string" } },
    required: ["rule"],
    load: async () => (await import("../explain.ts")).explain,
    args: ({ values }) => ["--", values["rule"] ?? ""],
  },
  {
    name: "crd_diff",
    description:
      "Whether a change of a CRD breaks stored objects or clients. Each finding is unsafe with an object that shows it, or proved safe, or unknown with the reason.",
    sources: { old: "the CRD as it is", new: "the CRD as it will be" },
    required: ["old", "new"],
    load: async () => (await import("../crd/crd-diff.ts")).crdDiff,
    args: ({ paths }) => [paths["old"] ?? "", paths["new"] ?? "", "-o", "json"],
  },
  {
    name: "crd_lint",
    description: "Whether the API server accepts a CRD, and what is wrong with its schema and rules.",
    sources: { crds: "CustomResourceDefinitions" },
    values: { kubeVersion: VERSION },
    required: ["crds"],
    load: async () => (await import("../crd/crd-lint.ts")).crdLint,
    args: ({ paths, values }) => [
      paths["crds"] ?? "",
      ...option("--kube-version", values["kubeVersion"]),
      "-o",
      "json",
    ],
  },
  {
    name: "crd_cost",
    description: "The estimated cost of each rule of a CRD, its cause, and the largest limit that fits the budget.",
    sources: { crds: "CustomResourceDefinitions" },
    required: ["crds"],
    load: async () => (await import("../crd/crd-cost.ts")).crdCost,
    args: ({ paths }) => [paths["crds"] ?? "", "-o", "json"],
  },
  {
    name: "crd_sample",
    description:
      "Objects that a CRD accepts, rules included: one with only the required fields, and one with every field that fits.",
    sources: { crds: "CustomResourceDefinitions" },
    values: { size: { type: "string", enum: ["minimal", "full", "both"] }, kubeVersion: VERSION },
    required: ["crds"],
    load: async () => (await import("../crd/crd-sample.ts")).crdSample,
    args: ({ paths, values }) => [
      paths["crds"] ?? "",
      ...option("--size", values["size"]),
      ...option("--kube-version", values["kubeVersion"]),
      "-o",
      "json",
    ],
  },
  {
    name: "policy_diff",
    description:
      "Which requests a change of admission policies denies or allows that it did not before, each with a request that shows it, or proved to be none.",
    sources: { old: "policies and bindings as they are", new: "policies and bindings as they will be" },
    required: ["old", "new"],
    load: async () => (await import("../policy/policy-diff.ts")).policyDiff,
    args: ({ paths }) => [paths["old"] ?? "", paths["new"] ?? "", "-o", "json"],
  },
  {
    name: "policy_prove",
    description:
      "What is true of admission policies for all requests: which validations never deny, always deny, can fail at runtime or follow from another.",
    sources: { policies: "policies with their bindings and CRDs" },
    required: ["policies"],
    load: async () => (await import("../policy/policy-prove.ts")).policyProve,
    args: ({ paths }) => [paths["policies"] ?? "", "-o", "json"],
  },
  {
    name: "policy_gaps",
    description: "What admission policies let through that their author probably forgot, each with a request.",
    sources: { policies: "policies with their bindings and CRDs" },
    required: ["policies"],
    load: async () => (await import("../policy/policy-gaps.ts")).policyGapsCommand,
    args: ({ paths }) => [paths["policies"] ?? "", "-o", "json"],
  },
];

function option(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [name, value];
}

const SOURCE = {
  type: "object",
  properties: {
    text: { type: "string", description: "YAML or JSON" },
    path: { type: "string", description: "a file or folder below the server's folder" },
  },
};

/** The JSON Schema of a tool's arguments. */
export function inputSchema({ sources, values = {}, required }: Tool): { type: "object" } & Record<string, unknown> {
  const properties: Record<string, Property> = { ...values };
  for (const [name, description] of Object.entries(sources)) properties[name] = { ...SOURCE, description };
  return { type: "object", properties, required: [...required], additionalProperties: false };
}
