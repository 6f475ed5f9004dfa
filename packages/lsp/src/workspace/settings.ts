/** What users configure, in the section `portcullis` of their editor. */
import {
  KUBERNETES_VERSIONS,
  type KubernetesVersion,
  SERVER_VERSION,
} from "@portcullis/engine/internal/kubecel/versions";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { engineGates } from "@portcullis/engine/internal/review/custom-resource/engine-gates";

/** How objects that the last commit has are checked. */
const COMPARE_MODES = ["both", "create", "update"] as const;
export type CompareMode = (typeof COMPARE_MODES)[number];

export interface Settings {
  readonly kubeVersion: KubernetesVersion;
  /** Whether policies of the workspace are evaluated. */
  readonly policies: boolean;
  readonly compare: CompareMode;
  /** CRDs outside of the workspace: paths, of which relative ones are below the workspace, and other sources. */
  readonly crds: readonly string[];
  /** Whether the cost of rules is shown above them. */
  readonly costLens: boolean;
}

export const DEFAULT_SETTINGS: Settings = {
  kubeVersion: SERVER_VERSION,
  policies: true,
  compare: "both",
  crds: [],
  costLens: true,
};

/** Values that make no sense are as if they were absent. */
export function readSettings(given: unknown): Settings {
  const section: Readonly<Record<string, unknown>> = typeof given === "object" && given !== null ? { ...given } : {};
  const { kubeVersion, policies, compare, crds, costLens } = section;
  return {
    kubeVersion: KUBERNETES_VERSIONS.find((each) => each === kubeVersion) ?? DEFAULT_SETTINGS.kubeVersion,
    policies: typeof policies === "boolean" ? policies : DEFAULT_SETTINGS.policies,
    compare: COMPARE_MODES.find((mode) => mode === compare) ?? DEFAULT_SETTINGS.compare,
    crds: Array.isArray(crds) ? crds.filter((each) => typeof each === "string") : DEFAULT_SETTINGS.crds,
    costLens: typeof costLens === "boolean" ? costLens : DEFAULT_SETTINGS.costLens,
  };
}

export function engineFor({ kubeVersion }: Pick<Settings, "kubeVersion">): EngineOptions {
  return { version: kubeVersion, gates: engineGates(new Map(), kubeVersion) };
}
