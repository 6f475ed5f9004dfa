/** Messages about devices, slices of them and claims to them. */
import { reworded } from "../../../value/server-version.ts";

export const oneRequestKind = (): string => "exactly one of `exactly` or `firstAvailable` is required";
export const manyRequestKinds = (): string =>
  "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set";
export const countWithAll = (): string => "must not be specified when allocationMode is 'All'";
export const noSuchRequest = (): string =>
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
export const attributeNeeded = (): string =>
  'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
export const omitted = (): string => "<value omitted>";
export const jsonObject = (): string => "must be a valid JSON object";
export const extendedName = (): string => "must be a valid extended resource name";
export const emptyForExists = (): string => "must be empty for operator `Exists`";

export const notCompiled = (issues: string): string => `compilation failed: ${issues}`;
export const otherResult = (type: string): string => `must evaluate to bool or the unknown type, not ${type}`;
export const noProgram = (problem: string): string => `program instantiation failed: ${problem}`;
export const tooCostly = (): string => "too complex, exceeds cost limit";
export const bindName = (): string => "cel.bind() variable names must be simple identifiers";

export const fullName = (): string =>
  reworded("1.35", "a fully qualified name must be a domain and a name separated by a slash", "must include a domain");
export const nameRequired = (): string => "name required";
export const emptyDomain = (): string => "the domain must not be empty";
export const emptyName = (): string => "the name must not be empty";
export const badIdentifier = (): string =>
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";
export const badUid = (problem: string): string => `error validating uid: ${problem}`;
export const uidForm = (): string =>
  "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters";
export const uuidFormat = (): string => "invalid UUID format";
export const uuidBrackets = (): string => "invalid bracketed UUID format";
export const uuidLength = (length: number): string => `invalid UUID length: ${length}`;
export const uuidPrefix = (prefix: string): string => `invalid urn prefix: ${prefix}`;

export const notAllocated = (): string => "may not be specified when `allocated` is not set";
export const noNewUsers = (): string =>
  "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set";
export const otherDevice = (): string => "must be an allocated device in the claim";
export const badInterfaceAddress = (): string =>
  "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)";

export const mustNotBeEmpty = (): string => "must not be empty";
export const unsetOrText = (): string => "must be either unset or set to a non-empty string";
export const unsetOrTrue = (): string => "must be either unset or set to true";
export const oneTerm = (): string => "must have exactly one node selector term";
export const oneSelection = (): string =>
  "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
export const manySelections = (): string => `${oneSelection()}, but multiple fields are set`;
export const countersOrDevices = (): string => "only one of `sharedCounters` or `devices` is allowed";
export const manyAttributes = (max: number): string =>
  `the total number of attributes and capacities must not exceed ${max}`;
export const manyValues = (max: number): string => `the total number of attribute values must not exceed ${max}`;
export const oneDeviceSelection = (): string =>
  "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
export const noDeviceSelection = (): string =>
  "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
export const badVersion = (): string => "must be a string compatible with semver.org spec 2.0.0";
export const oneValue = (): string => "exactly one value must be specified";

export const overlap = (): string => "bindingFailureConditions must not overlap with bindingConditions";
export const needConditions = (): string => "bindingConditions are required to use bindingFailureConditions";
export const needFailureConditions = (): string => "bindingFailureConditions are required to use bindingConditions";

export const allocatedOnce = (): string => "allowMultipleAllocations must be true";
export const onePolicy = (): string =>
  'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';
export const neededWith = (member: string): string => `required when ${member} is defined`;
export const notAscending = (): string => "values must be sorted in ascending order";
export const aboveCapacity = (what: string, capacity: string): string =>
  `${what} is larger than capacity value: ${capacity}`;
export const badDefault = (): string => "default value is not valid according to the requestPolicy";
export const belowMin = (min: string): string => `default is less than min: ${min}`;
export const minAboveMax = (max: string): string => `min is larger than max: ${max}`;
export const aboveMax = (max: string): string => `default is more than max: ${max}`;
export const notAMultiple = (step: string, min: string): string =>
  `value is not a multiple of a given step (${step}) from (${min})`;

export const badAttribute = (name: string): string => `attribute ${name}: unsupported attribute value`;
export const notBoolean = (): string => "CEL result could not be converted to bool";
export const lowerUuid = (): string => "must be a lowercase UUID in 8-4-4-4-12 format";
export const domainPath = (): string => "a name must be a domain-prefixed path, such as 'example.com/my-prop'";
export const noDomain = (domain: string): string => `must not have "${domain}" domain`;
export const noPrefix = (prefix: string): string => `must not have "${prefix}" prefix`;
const listed = (members: readonly string[]): string => members.map((name) => `\`${name}\``).join(", ");
export const oneMember = (members: readonly string[]): string => `must specify one of: ${listed(members)}`;
export const exactlyOneMember = (members: readonly string[]): string =>
  `must specify exactly one of: ${listed(members)}`;
export const inSegment = (index: number, problem: string): string => `segment ${index}: ${problem}`;
export const inPrefix = (problem: string): string => `prefix: ${problem}`;
export const emptySegment = (): string => "must not be empty";
export const emptyAttributePart = (part: "prefix" | "name"): string => `${part} must not be empty`;
