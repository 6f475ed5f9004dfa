/** Which inputs there are, in which order, and which of them a mode needs. */
import { type Field, MODE_INFO, MODES, type Mode } from "../modes.ts";

/** Old before new, in reading order. */
export const ORDER: readonly Field[] = [
  "oldDefinition",
  "definition",
  "oldPolicy",
  "policy",
  "expression",
  "old",
  "object",
  "cluster",
  "request",
  "variables",
];
/** Inputs that may be empty. */
export const OPTIONAL: readonly Field[] = ["oldPolicy", "old", "cluster", "request", "variables", "definition"];

/** The current mode if it has all these texts, otherwise one that has. */
export function modeFor(fields: readonly string[], current: Mode): Mode {
  const modes = [current, ...MODES];
  return (
    modes.find((mode) => fields.every((field) => MODE_INFO[mode].fields.some((each) => each === field))) ?? current
  );
}
