/** Defaults inside jobs, and inside the template of one in a CronJob. Follows pkg/apis/batch/v1/defaults.go. */
import { type Fillers, fillZero } from "./draft.ts";
import { podDefaults } from "./pod.ts";

export const jobTemplateDefaults: Fillers = {
  ...podDefaults,
  "v1.PodFailurePolicyOnPodConditionsPattern": (pattern) => fillZero(pattern, "status", "True"),
};
