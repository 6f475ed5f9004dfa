/** Messages about what makes pods, and what counts and limits them. */
import { quote } from "@portcullis/gostd/quote";
import { reworded } from "../../../value/server-version.ts";

export const badSelector = (): string => "invalid label selector";
export const emptySelector = (kind: string): string => `empty selector is invalid for ${kind}`;
export const selectorMismatch = (): string => "`selector` does not match template `labels`";
export const noDeadline = (kind: string): string => `activeDeadlineSeconds in ${kind} is not Supported`;
export const noRollingUpdate = (): string => "may not be specified when strategy `type` is 'Recreate'";
export const rollingUpdateNeeded = (): string => "this should be defaulted and never be nil";
export const bothZero = (): string => "may not be 0 when `maxSurge` is 0";
export const bothZeroSurge = (): string => "cannot be 0 when maxSurge is 0";
export const surgeAlone = (): string => "may not be set when maxUnavailable is non-zero";
export const aboveMinReady = (): string => "must be greater than minReadySeconds";
export const badManagementPolicy = (): string => "must be 'OrderedReady' or 'Parallel'";
export const badStatefulStrategy = (): string => "must be 'RollingUpdate' or 'OnDelete'";
export const onlyRolling = (): string => "only allowed for updateStrategy 'RollingUpdate'";
export const statefulUpdate = (): string =>
  `updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', ${reworded("1.33", "'revisionHistoryLimit', ", "")}'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden`;
export const dataNeeded = (): string => "data is mandatory";
export const dataObject = (): string => "data must be a valid JSON object";
export const aboveReplicas = (): string => "cannot be greater than status.replicas";
export const aboveReady = (): string => "cannot be greater than readyReplicas";
export const aboveStatusReady = (): string => "cannot be greater than status.readyReplicas";
export const notDecremented = (): string => "cannot be decremented";

export const selectorNotGenerated = (): string => "`selector` not auto-generated";
export const selectorGenerated = (): string => "`selector` will be auto-generated";
export const labelMust = (value: string): string => `must be '${value}'`;
export const podHostname = (name: string): string => `will not able to create pod with invalid DNS label: ${name}`;
export const jobRestartPolicy = (): string => 'valid values: "OnFailure", "Never"';
export const neverWithPolicy = (): string => 'only "Never" is supported when podFailurePolicy is specified';
export const indexedCompletions = (): string => "when completion mode is Indexed";
export const indexedParallelism = (max: number): string =>
  `must be less than or equal to ${max} when completion mode is Indexed`;
export const withMaxFailed = (): string => "when maxFailedIndexes is specified";
export const atMostCompletions = (): string => "must be less than or equal to completions";
export const atMostNumber = (max: number): string => `must be less than or equal to ${max}`;
export const aboveSoftLimit = (limit: number): string => `must be specified when completions is above ${limit}`;
export const highCompletions = (max: number, limit: number): string =>
  `must be less than or equal to ${max} when completions are above ${limit} and used with backoff limit per index`;
export const onlyIndexed = (): string => "requires indexed completion mode";
export const changesWithParallelism = (): string => "can only be modified in tandem with spec.parallelism";

export const validValues = (values: readonly string[]): string => `valid values: [${values.map(quote).join(" ")}]`;
export const failIndexNeeds = (): string => "requires the backoffLimitPerIndex to be set";
export const oneFailureRule = (): string => "specifying both OnExitCodes and OnPodConditions is not supported";
export const failureRuleNeeded = (): string => "specifying one of OnExitCodes and OnPodConditions is required";
export const containerOfTemplate = (): string =>
  "must be one of the container or initContainer names in the pod template";
export const oneCode = (): string => "at least one value is required";
export const notZeroForIn = (): string => "must not be 0 for the In operator";
export const ordered = (): string => "must be ordered";
export const successRuleNeeded = (): string =>
  "at least one rules must be specified when the successPolicy is specified";
export const successChoice = (): string => "at least one of succeededCount or succeededIndexes must be specified";
export const badIndexes = (member: string, error: string): string => `error parsing ${member}: ${error}`;
export const countOfCompletions = (max: number): string =>
  `must be less than or equal to ${max} (the number of specified completions)`;
export const countOfIndexes = (max: number): string =>
  `must be less than or equal to ${max} (the number of indexes in the specified succeededIndexes field)`;
export const twoLimits = (text: string): string =>
  `the fragment ${quote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
export const noInteger = (text: string): string => `cannot convert string to integer for index: ${quote(text)}`;
export const largeIndex = (text: string): string => `too large index: ${quote(text)}`;
export const notIncreasing = (last: number, next: number): string =>
  `non-increasing order, previous: ${last}, current: ${next}`;

export const zoneInSchedule = (): string => "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
export const zoneTwice = (): string => "cannot use both timeZone field and TZ or CRON_TZ in schedule";
export const cronNameTooLong = (): string => "must be no more than 52 characters";
export const emptyZone = (): string => "timeZone must be nil or non-empty string";
export const unknownZone = (zone: string): string => `unknown time zone ${zone}`;
export const explicitZone = (): string =>
  "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";

export const oneBudget = (): string => "minAvailable and maxUnavailable cannot be both set";

export const atLeast = (min: number): string => `must be greater than or equal to ${min}`;
export const maxReplicasNeeded = (): string => "must be set and greater than 0";
export const aboveMinReplicas = (): string => "must be greater than or equal to `minReplicas`";
export const zeroNeedsMetric = (): string =>
  "must specify at least one Object or External metric to support scaling to zero replicas";
export const needsGroup = (): string => "apiVersion must specify API group";
export const badGroupVersion = (text: string): string => `unexpected GroupVersion string: ${text}`;
export const atLeastZero = (): string => "must be greater than or equal to zero";
export const policyNeeded = (): string => "must specify at least one Policy";
export const metricTypeNeeded = (): string => "must specify a metric source type";
export const metricSourceNeeded = (): string => "must populate information for the given metric source";
export const onlyThisSource = (): string => "must populate the given metric source only";
export const metricNameNeeded = (): string => "must specify a metric name";
export const resourceNameNeeded = (): string => "must specify a resource name";
export const containerNeeded = (): string => "must specify a container";
export const targetTypeNeeded = (): string => "must specify a metric target type";
export const targetTypes = (): string => "must be either Utilization, Value, or AverageValue";
export const mustBePositive = (): string => "must be positive";
export const valueOrAverage = (): string => "must set either a target value or averageValue";
export const valueOrPerPod = (): string => "must set either a target value for metric or a per-pod target";
export const notBothPerPod = (): string => "may not set both a target value for metric and a per-pod target";
export const averageNeeded = (): string => "must specify a positive target averageValue";
export const rawOrUtilization = (): string => "must set either a target raw value or a target utilization";
export const notBothRaw = (): string => "may not set both a target raw value and a target utilization";

export const cronFields = (fields: readonly string[]): string =>
  `expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`;
export const badDescriptor = (text: string): string => `unrecognized descriptor: ${text}`;
export const badEvery = (text: string, error: string): string => `failed to parse duration ${text}: ${error}`;
export const tooManyHyphens = (text: string): string => `too many hyphens: ${text}`;
export const tooManySlashes = (text: string): string => `too many slashes: ${text}`;
export const badCronNumber = (text: string, error: string): string => `failed to parse int from ${text}: ${error}`;
export const negativeCronNumber = (value: bigint, text: string): string =>
  `negative number (${value}) not allowed: ${text}`;
export const belowRange = (value: number, low: number, text: string): string =>
  `beginning of range (${value}) below minimum (${low}): ${text}`;
export const aboveRange = (value: number, high: number, text: string): string =>
  `end of range (${value}) above maximum (${high}): ${text}`;
export const crossedRange = (start: number, end: number, text: string): string =>
  `beginning of range (${start}) beyond end of range (${end}): ${text}`;
export const zeroStep = (text: string): string => `step of range should be a positive number: ${text}`;

export const notBoth = (one: string, other: string): string => `cannot set ${one} and ${other} conditions`;
export const conditionNeeds = (one: string, other: string): string =>
  `cannot set ${one} condition without the ${other} condition`;
export const timeWithoutComplete = (): string => "cannot set completionTime when there is no Complete=True condition";
export const timeNeeded = (): string => "completionTime is required for Complete jobs";
export const timeBeforeStart = (): string =>
  reworded("1.34", "must be equal to or after `startTime`", "completionTime cannot be set before startTime");
export const timeKept = (): string => reworded("1.34", "field is immutable", "completionTime cannot be mutated");
export const notWhenFinished = (member: string): string => `${member}>0 is invalid for finished job`;
export const startNeeded = (): string => "startTime is required for finished job";
export const noneUncounted = (): string =>
  reworded("1.34", "must be empty for finished job", "uncountedTerminatedPods needs to be empty for finished job");
export const notIndexed = (): string => "cannot set non-empty completedIndexes when non-indexed completion mode";
export const notPerIndex = (): string => "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
export const moreReady = (): string => "cannot set more ready pods than active";
export const completeWithPolicy = (): string =>
  "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True";
export const notDecreased = (member: string): string => `cannot decrease the ${member} counter`;
export const notDisabled = (type: string): string => `cannot disable the terminal ${type}=True condition`;
export const startRemoved = (): string => "startTime cannot be removed for unsuspended job";
export const startKept = (): string => "field is immutable for unsuspended job once set";
export const notUnmet = (): string => "cannot disable the SuccessCriteriaMet=True condition";
export const notZero = (): string => "cannot be 0";
