/** Messages about pods. */
import { quote } from "@portcullis/gostd/quote";
import { isEnabled } from "../../../value/gates.ts";
import { reworded } from "../../../value/server-version.ts";

export const unknownFieldPath = (path: string): string =>
  `error converting fieldPath: field label not supported: ${path}`;
export const noSubscript = (path: string): string =>
  `error converting fieldPath: field label does not support subscript: ${path}`;
export const badVersion = (version: string): string =>
  `error converting fieldPath: unsupported pod version: ${version}`;
export const cpuDivisor = (): string => "only divisor's values 1m and 1 are supported with the cpu resource";
export const sizeDivisor = (resource: string): string =>
  `only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the ${resource} resource`;

export const badEnvName = (): string =>
  isEnabled("RelaxedEnvironmentVariableValidation")
    ? "a valid environment variable name must consist only of printable ASCII characters other than '='"
    : "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')";
/** Names that lead out of a folder. */
export function upwardsName(name: string): string[] {
  if (name === "." || name === "..") return [`must not be '${name}'`];
  return name.startsWith("..") ? ["must not start with '..'"] : [];
}
export const valueAndSource = (): string => "may not be specified when `value` is not empty";
export const noEnvFrom = (): string => "must specify one of: `configMapRef` or `secretRef`";
export const noEnvSource = (): string =>
  isEnabled("EnvFiles")
    ? "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
    : "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`";
export const manyEnvSources = (): string => "may not have more than one field specified at a time";
export const emptyDirOnly = (): string => "referenced volume must be of type emptyDir";

export const noHandler = (): string => "must specify a handler type";
export const manyHandlers = (): string => "may not specify more than 1 handler type";
export const mustBeOne = (): string => "must be 1";
export const notForReadiness = (): string => "must not be set for readinessProbes";
export const sleepRange = (seconds: number): string =>
  isEnabled("PodLifecycleSleepActionAllowZero")
    ? `must be non-negative and less than terminationGracePeriodSeconds (${seconds})`
    : `must be greater than 0 and less than terminationGracePeriodSeconds (${seconds})${zeroSleepHint()}`;
const zeroSleepHint = (): string =>
  reworded("1.32", ". Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.", "");
export const badHeader = (): string =>
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

export const mustBeUnique = (): string => "must be unique";
export const alreadyIn = (list: string): string => `must not already exist in ${list}`;
export const alreadyPathIn = (list: string): string => `must not already exist as a path in ${list}`;
export const oneSubPath = (): string => "subPathExpr and subPath are mutually exclusive";
export const noDeviceBacksteps = (): string => "can not contain backsteps ('..')";
export const notABlockSource = (): string =>
  "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
export const privilegedPropagation = (): string =>
  "Bidirectional mount propagation is available only to privileged containers";
export const readOnlyNeeded = (): string => "may only be specified when readOnly is true";
export const propagationNone = (): string => "may only be specified when mountPropagation is None or not specified";

export const aboveLimit = (name: string, limit: string): string =>
  `must be less than or equal to ${name} limit of ${limit}`;
export const unlikeLimit = (name: string, limit: string): string => `must be equal to ${name} limit of ${limit}`;
export const limitNeeded = (): string => "Limit must be set for non overcommitable resources";
export const wholePages = (amount: string, name: string): string =>
  `${amount} is not positive integer multiple of ${name}`;
export const pagesAlone = (): string => "HugePages require cpu or memory";
export const unknownClaim = (claims: readonly string[]): string =>
  `must be one of the names in pod.spec.resourceClaims${claims.length === 0 ? " which is empty" : `: ${claims.join(", ")}`}`;
export const claimNeeded = (): string => "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`";
export const oneClaimOnly = (): string =>
  "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
export const noWindowsResources = (): string => "may not be set for a windows pod";
export const noPodClaims = (): string =>
  reworded(
    "1.34",
    "claims may not be set for Resources at pod-level",
    "claims cannot be set for Resources at pod-level",
  );
export const belowContainers = (what: string, sum: string): string =>
  `must be greater than or equal to aggregate container ${what} of ${sum}`;
export const abovePodLimit = (limit: string): string => `must be less than or equal to pod limits of ${limit}`;

export const spacedImage = (): string => "must not have leading or trailing whitespace";
export const onlyForSidecars = (): string => "may not be set for init containers without restartPolicy=Always";
export const noRestartContainer = (): string => "must not be set to 'RestartContainer' for non-sidecar initContainers";
export const notRequiredWhenNever = (): string =>
  `must be 'NotRequired' when ${reworded("1.36", "pod ", "")}\`restartPolicy\` is 'Never'`;
export const onlyForInit = (): string => "may not be set for non-init containers";
export const policyForRules = (): string => "must specify restartPolicy when restart rules are used";
export const mustBeSpecified = (): string => "must be specified";
export const notForEphemeral = (): string => "cannot be set for an Ephemeral Container";
export const notOnCreate = (): string => "cannot be set on create";
export const notInTemplate = (): string => "ephemeral containers not allowed in pod template";
export const gatedNode = (): string => "cannot be set until all schedulingGates have been cleared";

export const dnsConfigNeeded = (): string => "must provide `dnsConfig` when `dnsPolicy` is None";
export const nameserverNeeded = (): string => "must provide at least one DNS nameserver when `dnsPolicy` is None";
export const manyNameservers = (max: number): string => `must not have more than ${max} nameservers`;
export const manySearches = (max: number): string => `must not have more than ${max} search paths`;
export const longSearches = (max: number): string =>
  `must not have more than ${max} characters (including spaces) in the search list`;
export const mustNotBeEmpty = (): string => "must not be empty";
export const badSearchPath = (): string =>
  isEnabled("RelaxedDNSSearchValidation") ? badRelaxedPath() : badStrictPath();
const badStrictPath = (): string =>
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const badRelaxedPath = (): string =>
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${searchPattern()}')`;
/** Up to 1.33 another pattern was shown than the one that is used. */
const searchPattern = (): string =>
  reworded(
    "1.34",
    "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*",
    "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*",
  );
export const longSearchPath = (): string => "must be no more than 253 characters";
export const sameHostPort = (): string => "must match `containerPort` when `hostNetwork` is true";
export const noServiceAccount = (): string => "must not be specified when serviceAccountName is not set";
export const withoutHostUsers = (): string =>
  reworded("1.34", "when `hostUsers` is false", "when `pod.Spec.HostUsers` is false");
export const notWithFqdn = (): string => "may not be specified when setHostnameAsFQDN is true";
export const notWithHostNetwork = (): string => "may not be specified when hostNetwork is true";

export const needNodeTerm = (): string => "must have at least one node selector term";
export const oneValue = (): string => "must be specified single value when `operator` is 'Lt' or 'Gt'";
export const oneFieldValue = (): string =>
  "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
export const badFieldKey = (): string => "not a valid field selector key";
export const weightRange = (): string => "must be in the range 1-100";
export const notEmpty = (): string => "can not be empty";
export const keysWithoutSelector = (): string => "must not be specified when labelSelector is not set";
export const keyInSelector = (): string => "exists in both matchLabelKeys and labelSelector";
export const keyInBoth = (): string => "exists in both matchLabelKeys and mismatchLabelKeys";
export const minDomainsOnly = (when: string): string =>
  `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${when}`;
export const keylessToleration = (): string =>
  'operator must be Exists when `key` is empty, which means "match all values and all keys"';
export const tolerationValue = (): string => "value must be empty when `operator` is 'Exists'";
export const tolerationEffect = (): string => "effect must be 'NoExecute' when `tolerationSeconds` is set";

export const badSysctl = (): string =>
  "must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
export const hostSysctl = (member: string): string => `may not be specified when '${member}' is true`;
export const profileTypeNeeded = (key: string): string => `type is required when ${key} is set`;
export const profileNeeded = (name: string): string => `must be set when ${name} type is Localhost`;
export const localProfileOnly = (name: string): string => `can only be set when ${name} type is Localhost`;
export const padded = (): string => "must not be padded with whitespace";
export const privilegedEscalation = (): string =>
  "cannot set `allowPrivilegeEscalation` to false and `privileged` to true";
export const adminEscalation = (): string =>
  "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN";
export const unmaskedNeedsUsers = (): string => "`hostUsers` must be false to use `Unmasked`";
export const sharedAndHostPid = (): string => "ShareProcessNamespace and HostPID cannot both be enabled";

export const emptyCredentials = (): string => "gmsaCredentialSpec cannot be an empty string";
export const longCredentials = (): string => "gmsaCredentialSpec size must be under 64 KiB";
export const emptyUserName = (): string => "runAsUserName cannot be an empty string";
export const controlInUserName = (): string => "runAsUserName cannot contain control characters";
export const backslashesInUserName = (): string => "runAsUserName cannot contain more than one backslash";
export const longDomain = (): string => "runAsUserName's Domain length must be under 256 characters";
export const badDomain = (): string => "runAsUserName's Domain doesn't match the NetBios nor the DNS format";
export const emptyUser = (): string => "runAsUserName's User cannot be empty";
export const longUser = (): string => "runAsUserName's User length must not be longer than 104 characters";
export const dotsInUser = (): string => "runAsUserName's User cannot contain only periods or spaces";
export const charsInUser = (): string =>
  "runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]";
export const sameHostProcess = (value: boolean): string =>
  `pod hostProcess value must be identical if both are specified, was ${value}`;
export const allHostProcess = (): string =>
  "If pod contains any hostProcess containers then all containers must be HostProcess containers";
export const hostProcessNetwork = (): string => "hostNetwork must be true if pod contains any hostProcess containers";
export const noWindowsOptions = (): string => "windows options cannot be set for a linux pod";
export const notForWindows = (): string => "cannot be set for a windows pod";

export const mirrorNeedsNode = (): string => "must set spec.nodeName if mirror pod annotation is set";
export const badDeletionCost = (): string => "must be a 32bit integer";
export const badSeccomp = (): string => "must be a valid seccomp profile";
export const noSuchContainer = (): string => "container not found";
export const badAppArmor = (profile: string): string => `invalid AppArmor profile name: ${quote(profile)}`;
export const otherSeccompType = (): string => "seccomp type in annotation and field must match";
export const otherSeccompProfile = (): string => "seccomp profile in annotation and field must match";
export const otherAppArmorType = (): string => "apparmor type in annotation and field must match";
export const otherAppArmorProfile = (): string => "apparmor profile in annotation and field must match";
export const keptAnnotation = (verb: string, what: string): string => `may not ${verb} ${what}`;

export const fewerContainers = (): string => "pod updates may not add or remove containers";
export const changedToleration = (): string => "existing toleration can not be modified except its tolerationSeconds";
export const laterDeadline = (): string => "must be less than or equal to previous value";
export const lostDeadline = (): string => "must not update from a positive integer to nil value";
export const newGate = (name: string): string => `only deletion is allowed, but found new scheduling gate '${name}'`;
export const onlyNodeSelectorAdditions = (): string =>
  "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
export const sameNodeTerms = (): string => "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
export const onlyAdditions = (): string => "only additions are allowed (no mutations or deletions)";
export const podUpdate = (diff: string): string =>
  `pod updates may not change fields other than \`spec.containers[*].image\`,\`spec.initContainers[*].image\`,\`spec.activeDeadlineSeconds\`,\`spec.tolerations\` (only additions to existing tolerations),\`spec.terminationGracePeriodSeconds\` (allow it to be set to 1 if it was previously negative)\n${diff}`;
export const nonNegativeGeneration = (): string => "must be a non-negative integer";
export const sameHostIp = (): string => "must be equal to `hostIP`";
export const oneIpPerFamily = (): string => "may specify no more than one IP for each IP family";
export const stillTerminated = (): string => "may not be transitioned to non-terminated state";
export const unknownPodClaim = (): string => "must match the name of an entry in `spec.resourceClaims`";
export const requestMappingNeeded = (): string => "at least one request mapping is required";
export const unknownContainer = (): string =>
  "must match the name of an entry in spec.initContainers.name or spec.containers.name";
export const unknownExtendedResource = (): string =>
  "must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests";
export const noAllocatedResources = (): string => "must not be specified in container status";
export const unknownRequest = (): string => "must match one of the container's resource requests";
export const unknownContainerClaim = (): string =>
  reworded(
    "1.37",
    "must match one of the container's resource claims as 'claim:<claimName>/<requestName>' when container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty",
    "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty",
  );
export const emptyHealthMessage = (): string => "must be non-empty if specified";
export const boundAlready = (): string => "may not be set on pods that are already bound to a node";

export const staticEphemeral = (): string => "static pods do not support ephemeral containers";
export const ephemeralRemoved = (name: string): string =>
  `existing ephemeral containers ${quote(name)} may not be removed\n`;
export const ephemeralChanged = (name: string, diff: string): string =>
  `existing ephemeral containers ${quote(name)} may not be changed\n${diff}`;
export const staticResize = (): string => "static pods cannot be resized";
export const windowsResize = (): string => "windows pods cannot be resized";
export const qosChanged = (): string => "Pod QOS Class may not change as a result of resizing";
export const noResizeOnNode = (): string => "Pod running on node without support for resize";
export const resizeCount = (list: string): string => `${list} may not be added or removed on resize`;
export const resizeOrder = (list: string): string => `${list} may not be renamed or reordered on resize`;
export const resourcesRemoved = (kind: string): string => `resource ${kind} cannot be removed`;
export const onlyCompute = (): string => "only cpu and memory resources are mutable";
export const onlyComputeOfSidecars = (): string =>
  "only cpu and memory resources for init or sidecar containers are mutable";
export const noRestartingResize = (): string =>
  "non-sidecar init containers with a resize policy of RestartContainer cannot be resized";
export const osNameNeeded = (): string => reworded("1.34", "", "cannot be empty");
