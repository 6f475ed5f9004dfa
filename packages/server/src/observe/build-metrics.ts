/** What is served: the version and the feature gates. */
import type { GateState } from "@portcullis/engine/internal/value/gates";
import type { Labels, Metrics } from "./metrics.ts";

export interface Build {
  readonly labels: Labels;
  readonly compatibility: Labels;
  /** The feature gates of the version. */
  readonly gates: () => readonly Gate[];
}

export interface Gate extends Pick<GateState, "stage" | "isOn"> {
  readonly name: string;
}

const STAGES = { alpha: "ALPHA", beta: "BETA", stable: "", deprecated: "DEPRECATED" } as const;

export function addBuildMetrics(metrics: Metrics, { labels, compatibility, gates }: Build): void {
  const add = (name: string, help: string, values: () => [Labels, number][]): void =>
    metrics.computed({ name, help, type: "gauge" }, values);
  add("kubernetes_build_info", "The version of Kubernetes whose behaviour is served; always 1.", () => [[labels, 1]]);
  add("version_info", "The version of Kubernetes that is emulated; always 1.", () => [[compatibility, 1]]);
  add("kubernetes_feature_enabled", "Whether a feature gate is on, by name and stage.", () =>
    gates().map(({ name, stage, isOn }) => [{ name, stage: STAGES[stage] }, isOn ? 1 : 0]),
  );
}
