/** Columns of workloads: apps, batch and the like. */
import type { JsonObject } from "../../value/json.ts";
import { has, metaOf, numberOf, objectOf, objectsOf, textOf } from "../object.ts";
import {
  AGE,
  type Cell,
  type Columns,
  containersOf,
  count,
  flag,
  mapText,
  memberTexts,
  NAME,
  selectorText,
  spec,
  specText,
  status,
  text,
} from "./column.ts";

const template = (object: JsonObject): JsonObject | undefined => objectOf(spec(object), "template");

const CONTAINERS = text("Containers", (object) => memberTexts(containersOf(template(object)), "name"), 1);
const IMAGES = text("Images", (object) => memberTexts(containersOf(template(object)), "image"), 1);
const SELECTOR = text("Selector", (object) => selectorText(spec(object)["selector"]), 1);
const WIDE = [CONTAINERS, IMAGES, SELECTOR];

const ofStatus =
  (key: string): Cell =>
  (object) =>
    numberOf(status(object), key);

const replicaColumns = [
  NAME,
  count("Desired", (set) => numberOf(spec(set), "replicas")),
  count("Current", ofStatus("replicas")),
  count("Ready", ofStatus("readyReplicas")),
  AGE,
  ...WIDE,
];

const readyOf: Cell = (set) => `${numberOf(status(set), "readyReplicas")}/${numberOf(spec(set), "replicas")}`;

/** The containers of a cron job stand one level deeper. */
const jobSpec = (cronJob: JsonObject): JsonObject => objectOf(objectOf(spec(cronJob), "jobTemplate"), "spec") ?? {};
const jobContainers = (cronJob: JsonObject): JsonObject[] => containersOf(objectOf(jobSpec(cronJob), "template"));

export const workloadColumns: Columns = {
  "/ReplicationController": replicaColumns,
  "apps/Deployment": [
    NAME,
    text("Ready", readyOf),
    text("Up-to-date", ofStatus("updatedReplicas")),
    text("Available", ofStatus("availableReplicas")),
    AGE,
    ...WIDE,
  ],
  "apps/ReplicaSet": replicaColumns,
  "apps/StatefulSet": [NAME, text("Ready", readyOf), AGE, CONTAINERS, IMAGES],
  "apps/DaemonSet": [
    NAME,
    count("Desired", ofStatus("desiredNumberScheduled")),
    count("Current", ofStatus("currentNumberScheduled")),
    count("Ready", ofStatus("numberReady")),
    count("Up-to-date", ofStatus("updatedNumberScheduled")),
    count("Available", ofStatus("numberAvailable")),
    text("Node Selector", (set) => mapText(objectOf(objectOf(template(set), "spec"), "nodeSelector"))),
    AGE,
    ...WIDE,
  ],
  "apps/ControllerRevision": [
    NAME,
    text("Controller", controllerText),
    text("Revision", (revision) => numberOf(revision, "revision")),
    AGE,
  ],
  "batch/Job": [
    NAME,
    text("Status", jobStatus),
    text("Completions", completionText),
    text("Duration", () => ""),
    AGE,
    ...WIDE,
  ],
  "batch/CronJob": [
    NAME,
    specText("Schedule", "schedule"),
    specText("Timezone", "timeZone", "<none>"),
    flag("Suspend", (job) => (spec(job)["suspend"] === true ? "True" : "False")),
    count("Active", (job) => objectsOf(status(job), "active").length),
    text("Last Schedule", (job, age) => {
      const time = textOf(status(job), "lastScheduleTime");
      return time === "" ? "<none>" : age(time);
    }),
    AGE,
    text("Containers", (job) => memberTexts(jobContainers(job), "name"), 1),
    text("Images", (job) => memberTexts(jobContainers(job), "image"), 1),
    text("Selector", (job) => selectorText(jobSpec(job)["selector"]), 1),
  ],
  "policy/PodDisruptionBudget": [
    NAME,
    text("Min Available", (budget) => numberOrText(budget, "minAvailable")),
    text("Max Unavailable", (budget) => numberOrText(budget, "maxUnavailable")),
    count("Allowed Disruptions", ofStatus("disruptionsAllowed")),
    AGE,
  ],
};

function numberOrText(budget: JsonObject, key: string): string {
  const value = spec(budget)[key];
  return typeof value === "string" || typeof value === "number" ? String(value) : "N/A";
}

function controllerText(revision: JsonObject): string {
  const owner = objectsOf(metaOf(revision), "ownerReferences").find((each) => each["controller"] === true);
  if (owner === undefined) return "<none>";
  const [group] = textOf(owner, "apiVersion").includes("/") ? textOf(owner, "apiVersion").split("/") : [""];
  return `${textOf(owner, "kind").toLowerCase()}${group === "" ? "" : `.${group}`}/${textOf(owner, "name")}`;
}

function jobStatus(job: JsonObject): string {
  const holds = (type: string): boolean =>
    objectsOf(status(job), "conditions").some((each) => each["type"] === type && each["status"] === "True");
  if (holds("Complete")) return "Complete";
  if (holds("Failed")) return "Failed";
  if (textOf(metaOf(job), "deletionTimestamp") !== "") return "Terminating";
  if (holds("Suspended")) return "Suspended";
  if (holds("FailureTarget")) return "FailureTarget";
  return holds("SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
}

function completionText(job: JsonObject): string {
  const succeeded = numberOf(status(job), "succeeded");
  if (has(spec(job), "completions")) return `${succeeded}/${numberOf(spec(job), "completions")}`;
  const parallelism = numberOf(spec(job), "parallelism");
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}
