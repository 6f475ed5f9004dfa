/** The words of validation, as pkg/apis/<group>/validation has them. */
import { quote } from "@portcullis/gostd/quote";

export const notNegative = (): string => "must be greater than or equal to 0";
export const positive = (): string => "must be greater than 0";
export const between = (low: number, high: number): string => `must be between ${low} and ${high}, inclusive`;
export const immutable = (): string => "field is immutable";
export const immutableWhenSet = (): string => "field is immutable when `immutable` is set";

export const badConfigKey = (): string =>
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
export const keyTooLong = (): string => "must be no more than 253 characters";
export const mustNotBe = (text: string): string => `must not be '${text}'`;
export const mustNotStartWith = (text: string): string => `must not start with '${text}'`;
export const keyInBinaryData = (): string => "duplicate of key present in binaryData";
export const redacted = (): string => "<secret contents redacted>";

export const portNameTooLong = (): string => "must be no more than 15 characters";
export const portNameChars = (): string => "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)";
export const portNameLetter = (): string => "must contain at least one letter (a-z)";
export const portNameHyphens = (): string => "must not contain consecutive hyphens";
export const portNameEnds = (): string => "must not begin or end with a hyphen";

export const badIp = (): string => "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
export const canonicalIp = (ip: string): string => `must be in canonical form (${quote(ip)})`;
export const badCidr = (): string => "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
export const bitsBeyondPrefix = (): string => "must not have bits set beyond the prefix length";
export const badIpShort = (): string => "must be a valid IP address";
export const loopback = (): string => "may not be in the loopback range (127.0.0.0/8, ::1/128)";
export const linkLocal = (): string => "may not be in the link-local range (169.254.0.0/16, fe80::/10)";
export const linkLocalMulticast = (): string =>
  "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)";
export const unspecified = (ip: string): string => `may not be unspecified (${quote(ip)})`;
export const mustBeIpv4 = (): string => "must be an IPv4 address";
export const mustBeIpv6 = (): string => "must be an IPv6 address";
export const needAddresses = (): string => "must specify `addresses` or `notReadyAddresses`";
export const needOneAddress = (): string => "must contain at least 1 address";

export const notFor = (type: string): string => `may not be set for ${type} services`;
export const noneNotFor = (type: string): string => `may not be set to 'None' for ${type} services`;
export const onlyForType = (type: string): string => `may only be used when \`type\` is '${type}'`;
export const notForClusterIp = (): string => "may not be used when `type` is 'ClusterIP'";
export const onlyExternal = (): string => "may only be set for externally-accessible services";
export const onlyHealthCheck = (): string =>
  "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
export const clusterIpsWithoutIp = (): string => "must be empty when `clusterIP` is not specified";
export const firstClusterIp = (): string => "first value must match `clusterIP`";
export const noneAlone = (): string => "'None' must be the first and only value";
export const twoClusterIps = (): string => "may only hold up to 2 values";
export const oneIpPerFamily = (): string => "may specify no more than one IP for each IP family";
export const otherFamily = (family: string, index: number): string =>
  `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
export const clusterIpPrimary = (): string => "may not change once set";

export const badOperator = (): string => "not a valid selector operator";
export const valuesNeeded = (): string => "must be specified when `operator` is 'In' or 'NotIn'";
export const valuesForbidden = (): string => "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
export const badSelector = (): string => "invalid label selector";
export const emptySelector = (kind: string): string => `empty selector is invalid for ${kind}`;
export const selectorMismatch = (): string => "`selector` does not match template `labels`";
export const selectorNotGenerated = (): string => "`selector` not auto-generated";

export const manyVolumeTypes = (): string => "may not specify more than 1 volume type";
export const noServiceAccount = (): string => "must not be specified when serviceAccountName is not set";
export const noHandler = (): string => "must specify a handler type";
export const manyHandlers = (): string => "may not specify more than 1 handler type";
export const mustBeOne = (): string => "must be 1";
export const mustBeUnique = (): string => "must be unique";
export const badEnvName = (): string =>
  "a valid environment variable name must consist only of printable ASCII characters other than '='";
export const valueAndSource = (): string => "may not be specified when `value` is not empty";
export const noEnvFrom = (): string => "must specify one of: `configMapRef` or `secretRef`";
export const noEnvSource = (): string =>
  "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
export const manyEnvSources = (): string => "may not have more than one field specified at a time";
export const unknownFieldPath = (path: string): string =>
  `error converting fieldPath: field label not supported: ${path}`;
export const notForEnv = (): string => "not supported in environment variables";
export const notAStandardResource = (): string => "must be a standard resource type or fully qualified";
export const notAContainerResource = (): string => "must be a standard resource for containers";
export const aboveLimit = (name: string, limit: string): string =>
  `must be less than or equal to ${name} limit of ${limit}`;
export const spacedImage = (): string => "must not have leading or trailing whitespace";
export const keylessToleration = (): string =>
  'operator must be Exists when `key` is empty, which means "match all values and all keys"';
export const tolerationValue = (): string => "value must be empty when `operator` is 'Exists'";
export const tolerationEffect = (): string => "effect must be 'NoExecute' when `tolerationSeconds` is set";
export const podUpdate = (): string =>
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

export const noRollingUpdate = (): string => "may not be specified when strategy `type` is 'Recreate'";
export const rollingUpdateNeeded = (): string => "this should be defaulted and never be nil";
export const bothZero = (): string => "may not be 0 when `maxSurge` is 0";
export const badPercent = (): string =>
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
export const above100 = (): string => "must not be greater than 100%";
export const aboveMinReady = (): string => "must be greater than minReadySeconds";
export const noDeadline = (kind: string): string => `activeDeadlineSeconds in ${kind} is not Supported`;
export const badManagementPolicy = (): string => "must be 'OrderedReady' or 'Parallel'";
export const badStatefulStrategy = (): string => "must be 'RollingUpdate' or 'OnDelete'";
export const statefulUpdate = (): string =>
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
export const jobRestartPolicy = (): string => 'valid values: "OnFailure", "Never"';
export const indexedCompletions = (): string => "when completion mode is Indexed";
export const cronFields = (fields: readonly string[]): string =>
  `expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`;
export const zoneInSchedule = (): string => "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
export const cronNameTooLong = (): string => "must be no more than 52 characters";
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

export const eventNamespace = (): string => "does not match event.namespace";
export const badEventType = (type: string): string => `has invalid value: ${type}`;
export const mustBeUnset = (): string => "needs to be unset";

export const verbsNeeded = (): string => "verbs must contain at least one value";
export const groupsNeeded = (): string => "resource rules must supply at least one api group";
export const resourcesNeeded = (): string => "resource rules must supply at least one resource";
export const namespacedUrls = (): string => "namespaced rules cannot apply to non-resource URLs";
export const mixedRule = (): string => "rules cannot apply to both regular resources and non-resource URLs";
export const selectorsNeeded = (): string => "at least one clusterRoleSelector required if aggregationRule is non-nil";
export const roleRefKept = (): string => "cannot change roleRef";
export const needsGroup = (): string => "apiVersion must specify API group";

export const absolutePath = (): string => "must be an absolute path";
export const relativePath = (): string => "must be a relative path";
export const noBacksteps = (): string => "must not contain '..'";
export const badFileMode = (): string => "must be a number between 0 and 0777 (octal), both inclusive";
export const badSizeLimit = (): string => "SizeLimit field must be a valid resource quantity";
export const tokenTooShort = (): string => "may not specify a duration less than 10 minutes";
export const notABlockSource = (): string =>
  "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
export const alreadyIn = (list: string): string => `must not already exist in ${list}`;
export const mustBeInteger = (): string => "must be an integer";
export const unlikeLimit = (name: string, limit: string): string => `must be equal to ${name} limit of ${limit}`;
export const fewerContainers = (): string => "pod updates may not add or remove containers";
export const changedToleration = (): string => "existing toleration can not be modified except its tolerationSeconds";
export const limitNeeded = (): string => "Limit must be set for non overcommitable resources";
export const unknownClaim = (claims: readonly string[]): string =>
  `must be one of the names in pod.spec.resourceClaims${claims.length === 0 ? " which is empty" : `: ${claims.join(", ")}`}`;
export const claimNeeded = (): string => "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`";
export const oneClaimOnly = (): string =>
  "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
export const notForReadiness = (): string => "must not be set for readinessProbes";
export const sleepRange = (seconds: number): string =>
  `must be non-negative and less than terminationGracePeriodSeconds (${seconds})`;
export const onlyForSidecars = (): string => "may not be set for init containers without restartPolicy=Always";
export const notOnCreate = (): string => "cannot be set on create";

export const dnsConfigNeeded = (): string => "must provide `dnsConfig` when `dnsPolicy` is None";
export const nameserverNeeded = (): string => "must provide at least one DNS nameserver when `dnsPolicy` is None";
export const manyNameservers = (): string => "must not have more than 3 nameservers";
export const mustNotBeEmpty = (): string => "must not be empty";
export const badSearchPath = (): string =>
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";

export const needNodeTerm = (): string => "must have at least one node selector term";
export const oneValue = (): string => "must be specified single value when `operator` is 'Lt' or 'Gt'";
export const weightRange = (): string => "must be in the range 1-100";
export const notEmpty = (): string => "can not be empty";
export const aboveZero = (): string => "must be greater than zero";
export const minDomainsOnly = (when: string): string =>
  `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${when}`;

export const badSysctl = (): string =>
  "must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
export const seccompProfileNeeded = (): string => "must be set when seccomp type is Localhost";
export const appArmorProfileNeeded = (): string => "must be set when AppArmor type is Localhost";
export const localProfileOnly = (key: string): string =>
  key === "seccompProfile"
    ? "can only be set when seccomp type is Localhost"
    : "can only be set when AppArmor type is Localhost";
export const privilegedEscalation = (): string =>
  "cannot set `allowPrivilegeEscalation` to false and `privileged` to true";
export const adminEscalation = (): string =>
  "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN";
export const emptyUserName = (): string => "runAsUserName cannot be an empty string";

export const withMaxFailed = (): string => "when maxFailedIndexes is specified";
export const onlyIndexed = (): string => "requires indexed completion mode";
export const validActions = (actions: readonly string[]): string =>
  `valid values: [${actions.map((action) => quote(action)).join(" ")}]`;
export const failureRuleNeeded = (): string => "specifying one of OnExitCodes and OnPodConditions is required";
export const notZeroForIn = (): string => "must not be 0 for the In operator";
export const domainPath = (): string => 'must be a domain-prefixed path (such as "acme.io/foo")';
export const emptyZone = (): string => "timeZone must be nil or non-empty string";
export const explicitZone = (): string =>
  "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
export const bothZeroSurge = (): string => "cannot be 0 when maxSurge is 0";
export const surgeAlone = (): string => "may not be set when maxUnavailable is non-zero";
export const onlyRolling = (): string => "only allowed for updateStrategy 'RollingUpdate'";
export const atMost = (count: number): string => `can have at most ${count} characters`;

export const legacySigner = (): string => "the legacy signerName is not allowed via this API version";
export const signerForm = (): string =>
  "must be a fully qualified domain and path of the form 'example.com/signer-name'";
export const twoSegments = (): string => "should be a domain with at least two segments separated by dots";
export const badLabel = (label: string, problem: string): string => `validating label ${quote(label)}: ${problem}`;
export const tooShortALife = (): string => "may not specify a duration less than 600 seconds (10 minutes)";
export const approvedAndDenied = (): string => "Approved and Denied conditions are mutually exclusive";
export const otherPem = (type: string): string => `only CERTIFICATE PEM blocks are allowed, found ${quote(type)}`;
export const pemHeaders = (): string => "no PEM block headers are permitted";
export const malformedCertificate = (): string => "x509: malformed certificate";
export const noPem = (): string => "must contain at least one CERTIFICATE PEM block";
export const conditionRemoved = (type: string): string => `updates may not remove a condition of type ${quote(type)}`;
export const conditionAdded = (type: string): string => `updates may not add a condition of type ${quote(type)}`;
export const certificateSet = (): string => "updates may not set certificate content";
export const certificateChanged = (): string => "updates may not modify existing certificate content";
