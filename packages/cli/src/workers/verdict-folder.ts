/** Where verdicts of earlier runs are kept. */
import path from "node:path";

/** `$XDG_CACHE_HOME/portcullis/verdicts`, or the same below ~/.cache; undefined if there is no such folder. */
export function verdictFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const home = env["XDG_CACHE_HOME"] || (env["HOME"] && path.join(env["HOME"], ".cache"));
  return home && path.isAbsolute(home) ? path.join(home, "portcullis", "verdicts") : undefined;
}
