/** Memory for what requests leave behind. */

const FLAG = "--max-semi-space-size";
/** Twice the default: what a request makes dies with it, and is copied less often before. */
const MEGABYTES = 32;

/**
 * Variables for a process that does nothing but serve. V8 takes the size only at the start of a process, and an
 * executable with the program inside takes it only by a variable.
 */
export function servingEnvironment(given = process.env["NODE_OPTIONS"] ?? ""): Readonly<Record<string, string>> {
  if (given.includes(FLAG) || !process.allowedNodeEnvironmentFlags.has(FLAG)) return {};
  return { NODE_OPTIONS: `${given} ${FLAG}=${MEGABYTES}`.trim() };
}
