/** What a change of a CRD does to objects and clients, with an object that shows it or a proof that there is none. */
export type { UpgradeFinding } from "./upgrade/finding.ts";
export { compareDefinitions, type UpgradeReport } from "./upgrade/questions.ts";
export type { UpgradeOptions } from "./upgrade/upgrade-case.ts";
