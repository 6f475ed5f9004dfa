/**
 * Manifests as text in, findings with line and column out.
 *
 * `Checker` puts each document through the review of the engine, as the API server would. `readFile` gives it the
 * documents of a text. Everything under `internal/` may change in any release.
 */
export { Checker } from "./check/checker.ts";
export { readFile } from "./input/text.ts";
export type { Finding } from "./report/finding.ts";
