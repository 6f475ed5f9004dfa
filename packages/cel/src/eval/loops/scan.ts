/**
 * Conditions of loops that are decided on the data of each element, without binding the variable and running the
 * condition. Results and costs are the same; where the data is of another kind than expected, the condition is run.
 */
import type { Frame } from "../frame.ts";
import type { Entries } from "./entries.ts";

export interface Scan {
  /**
   * The position of the first element, from one on, for which the condition is `wanted`; the number of elements if
   * there is none. Each element up to and including that one is charged `fixed` and the cost of its condition. The
   * complement of a position (below zero): the condition of that element must be run, and is not charged yet.
   */
  next(frame: Frame, from: number, wanted: boolean, fixed: number): number;
}

/** Decides the condition of one loop; undefined if that has to run it. */
export type StartScan = (frame: Frame, entries: Entries) => Scan | undefined;
