/** Plain checks of the kinds that make pods. */
import { isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { at, type Check, fields, integer, isFlag, itemsOf, list, oneOf, text } from "./check.ts";
import { isSelector, isTemplateMeta, namedMeta, selects } from "./metadata.ts";
import { isJobSpec, isServiceSpec, isTemplate } from "./pods.ts";
import { isAmountOfPods, isBytes, isLabel, isObjectName, isServiceName, isShortLabel } from "./texts.ts";

const isServiceTemplate: Check = (value) => isTemplate(value, isServiceSpec);

function selectsItsPods({ selector, template }: JsonObject): boolean {
  return selects(selector, at(template ?? null, "metadata", "labels"));
}

/** Nothing may be missing while none is added. */
const isRollingUpdate: Check = fields(
  { maxSurge: isShare, maxUnavailable: isShare },
  { and: ({ maxSurge = "25%", maxUnavailable = "25%" }) => !isNone(maxSurge) || !isNone(maxUnavailable) },
);

function isShare(value: JsonValue): boolean {
  return isNone(value) || isAmountOfPods(value);
}

function isNone(value: JsonValue): boolean {
  return value === 0 || value === "0%";
}

const WORKLOAD = { minReadySeconds: integer(0, 599), revisionHistoryLimit: integer(0), selector: isSelector };

const isDeploymentSpec = fields(
  {
    ...WORKLOAD,
    paused: isFlag,
    progressDeadlineSeconds: integer(600),
    replicas: integer(0),
    strategy: fields(
      { type: oneOf("RollingUpdate", "Recreate"), rollingUpdate: isRollingUpdate },
      { needs: ["type"], and: ({ type, rollingUpdate }) => type === "RollingUpdate" || rollingUpdate === undefined },
    ),
    template: isServiceTemplate,
  },
  { needs: ["selector", "template"], and: selectsItsPods },
);

const isDaemonSetSpec = fields(
  {
    ...WORKLOAD,
    updateStrategy: fields({ type: oneOf("RollingUpdate", "OnDelete") }, { needs: ["type"] }),
    template: isServiceTemplate,
  },
  { needs: ["selector", "template"], and: selectsItsPods },
);

/** What a claim for storage asks for. */
const isClaimSpec = fields(
  {
    accessModes: list(oneOf("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany"), { min: 1 }),
    resources: fields({ requests: fields({ storage: isBytes }, { needs: ["storage"] }) }, { needs: ["requests"] }),
    storageClassName: isObjectName,
    volumeMode: oneOf("Filesystem", "Block"),
  },
  { needs: ["accessModes", "resources"] },
);

const isClaimTemplate = fields(
  { metadata: fields({ name: isShortLabel }, { needs: ["name"] }), spec: isClaimSpec },
  { needs: ["metadata", "spec"] },
);

const isStatefulSetSpec = fields(
  {
    ...WORKLOAD,
    podManagementPolicy: oneOf("OrderedReady", "Parallel"),
    replicas: integer(0),
    serviceName: isServiceName,
    updateStrategy: fields({ type: oneOf("RollingUpdate", "OnDelete") }, { needs: ["type"] }),
    template: isObject,
    volumeClaimTemplates: list(isClaimTemplate),
  },
  {
    needs: ["selector", "serviceName", "template"],
    and: (spec) =>
      isTemplate(spec["template"] ?? null, isServiceSpec, itemsOf(spec["volumeClaimTemplates"])) &&
      selectsItsPods(spec),
  },
);

const JOB = {
  activeDeadlineSeconds: integer(1),
  backoffLimit: integer(0),
  completions: integer(1, 1000),
  parallelism: integer(0, 1000),
  template: (value: JsonValue) => isTemplate(value, isJobSpec),
  ttlSecondsAfterFinished: integer(0),
};

const isJobSpecification = fields(JOB, { needs: ["template"] });

/** The least and the greatest number of each part of a schedule. */
const PARTS: readonly (readonly [number, number])[] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
];

function isSchedule(schedule: string): boolean {
  if (["@hourly", "@daily", "@weekly", "@monthly", "@yearly"].includes(schedule)) return true;
  const parts = schedule.split(" ");
  return parts.length === PARTS.length && parts.every((part, index) => isPartOfSchedule(part, PARTS[index]));
}

function isPartOfSchedule(part: string, [least, greatest]: readonly [number, number] = [0, 0]): boolean {
  if (part === "*") return true;
  const match = /^(\*\/)?([1-9]?[0-9])$/.exec(part);
  if (match === null) return false;
  const value = Number(match[2]);
  return match[1] === undefined ? value >= least && value <= greatest : value >= 1 && value <= greatest;
}

const isCronJobSpec = fields(
  {
    concurrencyPolicy: oneOf("Allow", "Forbid", "Replace"),
    failedJobsHistoryLimit: integer(0),
    jobTemplate: fields({ metadata: isTemplateMeta, spec: isJobSpecification }, { needs: ["spec"] }),
    schedule: text(isSchedule),
    startingDeadlineSeconds: integer(10),
    successfulJobsHistoryLimit: integer(0),
    suspend: isFlag,
  },
  { needs: ["jobTemplate", "schedule"] },
);

const metadata = namedMeta(isShortLabel);

/** By `apiVersion kind`: the members besides those two. */
export const WORKLOADS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  // A name that is not a label earns a warning, because pods and hosts get it.
  "apps/v1 Deployment": { metadata: namedMeta(text(isLabel)), spec: isDeploymentSpec },
  "apps/v1 DaemonSet": { metadata, spec: isDaemonSetSpec },
  "apps/v1 StatefulSet": { metadata, spec: isStatefulSetSpec },
  "batch/v1 CronJob": { metadata, spec: isCronJobSpec },
  "batch/v1 Job": { metadata, spec: isJobSpecification },
  "v1 PersistentVolumeClaim": { metadata: namedMeta(isObjectName), spec: isClaimSpec },
};
