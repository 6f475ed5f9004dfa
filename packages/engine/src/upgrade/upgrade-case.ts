/** What an upgrade is judged from: the two sides and how far to look. */
import { compatibilityVersion, minorOf } from "../kubecel/versions.ts";
import type { EngineOptions } from "../review/custom-resource/custom-resource.ts";
import type { UpgradeFinding } from "./finding.ts";
import type { Side } from "./side.ts";

export interface UpgradeOptions extends EngineOptions {
  /** How many objects may be tried for each open question. */
  readonly budget?: number | undefined;
  /** Whether the time for the comparison is up. */
  readonly isOver?: (() => boolean) | undefined;
  /** Leave out what only readers and other versions meet: the slower half of the work. */
  readonly writersOnly?: boolean | undefined;
}

export interface UpgradeCase {
  readonly old: Side;
  readonly next: Side;
  /** The name of the definition. */
  readonly name: string;
  /** The minor number of the Kubernetes version. */
  readonly minor: number;
  readonly options: UpgradeOptions;
}

/** What one step of the work has found; undefined where it is nothing to tell. */
export type Step = UpgradeFinding | undefined;

/** How many objects may be tried for what readers and other versions meet. */
export const READER_BUDGET = 600;

export function newUpgradeCase(old: Side, next: Side, options: UpgradeOptions): UpgradeCase {
  const name = next.definition.name || old.definition.name;
  return { old, next, name, minor: minorOf(compatibilityVersion(options.version)), options };
}
