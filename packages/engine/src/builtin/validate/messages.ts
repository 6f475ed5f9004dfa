/** Messages of validation, as pkg/apis/<group>/validation has them. */
import { quote } from "@portcullis/gostd/quote";
import type { FieldPath } from "../../field/path.ts";
import { reworded } from "../../value/server-version.ts";

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
export const unspecified = (ip: string): string => `may not be unspecified (${ip})`;
export const leadingZeros = (): string => "must not have leading 0s";
export const mappedIp = (): string => "must not be an IPv4-mapped IPv6 address";
export const leadingZerosInCidr = (): string => "must not have leading 0s in IP or prefix length";
export const mappedCidr = (): string => "must not have an IPv4-mapped IPv6 address";
const INVALID_LATER = "will be considered invalid in a future Kubernetes release";
export const acceptedIp = (path: FieldPath, what: "address" | "prefix", problem: string): string =>
  `${path}: IP ${what} was accepted, but will be invalid in a future Kubernetes release: ${problem}`;
export const uncanonicalIpv6 = (path: FieldPath, what: "address" | "prefix", ip: string, canonical: string): string =>
  `${path}: IPv6 ${what} ${quote(ip)} is not in RFC 5952 canonical format (${quote(canonical)}), which may cause controller apply-loops`;
export const oddIp = (path: FieldPath, ip: string, canonical: string): string =>
  `${path}: non-standard IP address ${quote(ip)} ${reworded("1.36", "is invalid", INVALID_LATER)}: use ${quote(canonical)}`;
export const longIpv6 = (path: FieldPath, ip: string, canonical: string): string =>
  `${path}: IPv6 address ${quote(ip)} should be in RFC 5952 canonical format (${quote(canonical)})`;
export const ambiguousCidr = (path: FieldPath, cidr: string, network: string, single: string): string =>
  `${path}: CIDR value ${quote(cidr)} is ambiguous in this context (should be ${quote(network)} or ${quote(single)}?)`;
export const oddCidr = (path: FieldPath, cidr: string, canonical: string): string =>
  `${path}: non-standard CIDR value ${quote(cidr)} ${reworded("1.36", "is invalid", INVALID_LATER)}: use ${quote(canonical)}`;
export const longIpv6Cidr = (path: FieldPath, cidr: string, canonical: string): string =>
  `${path}: IPv6 CIDR value ${quote(cidr)} should be in RFC 5952 canonical format (${quote(canonical)})`;
export const mustBeIpv4 = (): string => "must be an IPv4 address";
export const mustBeIpv6 = (): string => "must be an IPv6 address";
export const needAddresses = (): string => "must specify `addresses` or `notReadyAddresses`";
export const needOneAddress = (): string => "must contain at least 1 address";

export const badOperator = (): string => "not a valid selector operator";
export const valuesNeeded = (): string => "must be specified when `operator` is 'In' or 'NotIn'";
export const valuesForbidden = (): string => "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
export const badSelector = (): string => "invalid label selector";
export const emptySelector = (kind: string): string => `empty selector is invalid for ${kind}`;
export const selectorNotGenerated = (): string => "`selector` not auto-generated";

export const noHandler = (): string => "must specify a handler type";
export const manyHandlers = (): string => "may not specify more than 1 handler type";
export const mustBeOne = (): string => "must be 1";
export const notAStandardResource = (): string => "must be a standard resource type or fully qualified";
export const notAContainerResource = (): string => "must be a standard resource for containers";
export const notExtended = (): string => "doesn't follow extended resource name standard";
export const notAQuotaResource = (): string => "must be a standard resource for quota";
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
export const jobRestartPolicy = (): string => 'valid values: "OnFailure", "Never"';
export const indexedCompletions = (): string => "when completion mode is Indexed";

export const eventNamespace = (): string => "does not match event.namespace";
export const badEventType = (type: string): string => `has invalid value: ${type}`;
export const leastSeries = (): string => "should be at least 2";
export const mustBeUnset = (): string => "needs to be unset";

export const verbsNeeded = (): string => "verbs must contain at least one value";
export const groupsNeeded = (): string => "resource rules must supply at least one api group";
export const resourcesNeeded = (): string => "resource rules must supply at least one resource";
export const namespacedUrls = (): string => "namespaced rules cannot apply to non-resource URLs";
export const mixedRule = (): string => "rules cannot apply to both regular resources and non-resource URLs";
export const selectorsNeeded = (): string => "at least one clusterRoleSelector required if aggregationRule is non-nil";
export const unusableSelector = (): string => "invalid label selector.";
export const roleRefKept = (): string => "cannot change roleRef";
export const needsGroup = (): string => "apiVersion must specify API group";

export const absolutePath = (): string => "must be an absolute path";
export const relativePath = (): string => "must be a relative path";
export const noBacksteps = (): string => "must not contain '..'";
export const tokenTooShort = (): string => "may not specify a duration less than 10 minutes";
export const mustBeInteger = (): string => "must be an integer";
export const fewerContainers = (): string => "pod updates may not add or remove containers";
export const changedToleration = (): string => "existing toleration can not be modified except its tolerationSeconds";
export const claimNeeded = (): string => "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`";
export const oneClaimOnly = (): string =>
  "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
export const notForReadiness = (): string => "must not be set for readinessProbes";
export const sleepRange = (seconds: number): string =>
  `must be non-negative and less than terminationGracePeriodSeconds (${seconds})`;

export const dnsConfigNeeded = (): string => "must provide `dnsConfig` when `dnsPolicy` is None";
export const nameserverNeeded = (): string => "must provide at least one DNS nameserver when `dnsPolicy` is None";
export const manyNameservers = (): string => "must not have more than 3 nameservers";
export const mustNotBeEmpty = (): string => "must not be empty";
export const badSearchPath = (): string =>
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${reworded("1.34", "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*", "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")}')`;

export const needNodeTerm = (): string => "must have at least one node selector term";
export const oneValue = (): string => "must be specified single value when `operator` is 'Lt' or 'Gt'";
export const weightRange = (): string => "must be in the range 1-100";
export const notEmpty = (): string => "can not be empty";
export const aboveZero = (): string => "must be greater than zero";
export const minDomainsOnly = (when: string): string =>
  `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${when}`;

export const badSysctl = (): string =>
  "must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
export const localProfileOnly = (key: string): string =>
  key === "seccompProfile"
    ? "can only be set when seccomp type is Localhost"
    : "can only be set when AppArmor type is Localhost";
export const privilegedEscalation = (): string =>
  "cannot set `allowPrivilegeEscalation` to false and `privileged` to true";
export const adminEscalation = (): string =>
  "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN";

export const withMaxFailed = (): string => "when maxFailedIndexes is specified";
export const onlyIndexed = (): string => "requires indexed completion mode";
export const domainPath = (): string => 'must be a domain-prefixed path (such as "acme.io/foo")';
export const bothZeroSurge = (): string => "cannot be 0 when maxSurge is 0";
export const surgeAlone = (): string => "may not be set when maxUnavailable is non-zero";
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
export const atLeastZero = (): string => "must be greater than or equal to zero";
export const badReason = (): string =>
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";
export const mustNotBeEmptyText = (): string => "must not be empty";

export const cannotBeSet = (): string => "cannot be set";
export const apiServiceName = (wanted: string): string => `must be \`spec.version+"."+spec.group\`: ${quote(wanted)}`;
export const legacyGroup = (): string => "only v1 may have an empty group and it better be legacy kube";
export const priorityRange = (limit: number): string => `must be positive and less than ${limit}`;
export const localBundle = (): string => "local APIServices may not have a caBundle";
export const localInsecure = (): string => "local APIServices may not have insecureSkipTLSVerify";
export const insecureWithBundle = (): string => "may not be true if caBundle is present";
export const badPort = (problem: string): string => `port is not valid: ${problem}`;

export const signerlessName = (): string => 'ClusterTrustBundle without signer name must not have ":" in its name';
export const signerName = (prefix: string): string =>
  `ClusterTrustBundle for signerName ${prefix.slice(0, -1).replace(":", "/")} must be named with prefix ${prefix}`;
export const badBlock = (index: number, type: string): string => `entry ${index} has bad block type: ${type}`;
export const blockHeaders = (index: number): string => `entry ${index} has PEM block headers`;
export const noAnchor = (): string => "at least one trust anchor must be provided";
export const repeatedAnchor = (places: readonly number[]): string =>
  `duplicate trust anchor (indices [${places.join(" ")}])`;
export const mustBeSet = (): string => "must be set";
export const inRange = (min: number, max: number): string => `must be in the range [${min}, ${max}]`;
export const oneKey = (): string =>
  "exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set";
export const migratedResourceNeeded = (): string => "resource is required to be set";
export const badResourceVersion = (version: string): string => `resource version is not well formed: ${version}`;
export const bothOutcomes = (): string => "Both success and failed conditions cannot be true at the same time";
export const keptOutcome = (name: string): string => `${name} condition cannot be set to false once it is true`;
export const isRequired = (): string => "is required";
export const conditionNeeds = (): string => reworded("1.34", "", "must be set");
