/** The input of an upgrade comparison: the two sides and the limits of the search. */
import { compatibilityVersion, minorOf } from "../kubecel/versions.ts";
import type { EngineOptions } from "../review/custom-resource/custom-resource.ts";
import type { UpgradeFinding } from "./finding.ts";
import type { Side } from "./side.ts";

/** How long and how deep a comparison may search. */
export interface UpgradeOptions extends EngineOptions {
  /** The maximum number of objects to try for each open question. */
  readonly budget?: number | undefined;
  /** Whether the time for the comparison is over. */
  readonly isOver?: (() => boolean) | undefined;
  /** Leave out readers and other versions, which are the slower half of the work. */
  readonly writersOnly?: boolean | undefined;
}

export interface UpgradeCase {
  readonly old: Side;
  readonly next: Side;
  /** The name of the CRD. */
  readonly name: string;
  /** The minor number of the Kubernetes version. */
  readonly minor: number;
  readonly options: UpgradeOptions;
}

/** The finding of one step; undefined if it found nothing. */
export type Step = UpgradeFinding | undefined;

/** The maximum number of objects to try for readers and other versions. */
export const READER_BUDGET = 600;

export function newUpgradeCase(old: Side, next: Side, options: UpgradeOptions): UpgradeCase {
  const name = next.definition.name || old.definition.name;
  return { old, next, name, minor: minorOf(compatibilityVersion(options.version)), options };
}
