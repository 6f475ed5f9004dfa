/** Messages about volumes, claims and storage classes. */
import { quote } from "@portcullis/gostd/quote";

export const manyVolumeTypes = (): string => "may not specify more than 1 volume type";
export const volumeTypeNeeded = (): string => "must specify a volume type";
export const absolutePath = (): string => "must be an absolute path";
export const badFileMode = (): string => "must be a number between 0 and 0777 (octal), both inclusive";
export const badSizeLimit = (): string => "SizeLimit field must be a valid resource quantity";
export const ephemeralClaim = (): string => "must not reference a PVC that gets created for an ephemeral volume";
export const claimName = (name: string, problem: string): string => `PVC name ${quote(name)}: ${problem}`;

export const iscsiPortalLength = (): string =>
  "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";
export const iscsiPrefix = (): string => "must be valid format starting with iqn, eui, or naa";
export const validFormat = (): string => "must be valid format";
export const wwnsOrWwids = (): string => "must specify either targetWWNs or wwids, but not both";
export const wwnsAndWwids = (): string => "targetWWNs and wwids can not be specified simultaneously";
export const lunForWwns = (): string => "lun is required if targetWWNs is specified";
export const hostPorts = (): string => "must be a host:port pair or multiple pairs separated by commas";
export const tenantLength = (): string => "must be a UUID and may not exceed a length of 64 characters";
export const endpointsNamespace = (): string => "if the endpointnamespace is set, it must be a valid namespace name";
export const datasetNeeded = (): string => "one of datasetName and datasetUUID is required";
export const oneDataset = (): string => "datasetName and datasetUUID can not be specified simultaneously";
export const noSlash = (): string => "must not contain '/'";
export const reservedOption = (): string => "kubernetes.io and k8s.io namespaces are reserved";

export const oneFileSource = (): string => "fieldRef and resourceFieldRef can not be specified simultaneously";
export const fileSourceNeeded = (): string => "one of fieldRef and resourceFieldRef is required";
export const conflictingPaths = (): string => "conflicting duplicate paths";
export const oneTypePerSource = (): string => "may not specify more than 1 volume type per source";
export const tokenTooShort = (): string => "may not specify a duration less than 10 minutes";
export const tokenTooLong = (): string => "may not specify a duration larger than 2^32 seconds";

export const accessModeNeeded = (): string => "at least 1 access mode is required";
export const oncePodAlone = (): string => "may not use ReadWriteOncePod with other access modes";
export const validQuantity = (): string => "must be a valid resource quantity";
export const notInline = (): string => "may not be specified in the context of inline volumes";
export const csiInline = (): string => "has to be specified in the context of inline volumes";
export const retainInline = (): string => "may only be Retain in the context of inline volumes";
export const filesystemInline = (): string =>
  "may not specify volumeMode other than Filesystem in the context of inline volumes";
export const nodeConstraints = (): string => "must specify required node constraints";
export const localAffinity = (): string => "Local volume requires node affinity";
export const recycleRoot = (): string => "may not be 'recycle' for a hostPath mount of '/'";
export const noEmptyClass = (): string => "an empty string is disallowed";
export const csiForClass = (): string => "has to be specified when using volumeAttributesClassName";
export const sourceKept = (diff: string): string => `spec.persistentvolumesource is immutable after creation\n${diff}`;
export const classToNil = (): string => "update from non-nil value to nil is forbidden";

export const defaultGroupClaim = (): string => "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
export const noDataSource = (): string => "may not be specified when dataSourceRef.namespace is specified";
export const sameDataSource = (): string => "must match dataSourceRef";
export const claimKept = (diff: string): string =>
  `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${diff}`;
export const belowCapacity = (): string => "field can not be less than status.capacity";
export const claimClassToNil = (): string =>
  "update to nil is forbidden when status.currentVolumeAttributesClassName is not nil";
export const claimClassToEmpty = (): string =>
  "update to empty string is forbidden when status.currentVolumeAttributesClassName is not nil";

export const emptyKey = (): string => "field can not be empty.";
export const parametersNeeded = (): string => "must contain at least one key/value pair";
export const noDriverUpdate = (): string => "updates to driverName are forbidden.";
export const noParameterUpdate = (): string => "updates to parameters are forbidden.";
export const attachmentSource = (): string => "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
export const volumeNameNeeded = (): string => "must specify non empty persistentVolumeName";
export const updatePeriod = (): string => "must be greater than or equal to 10 seconds";
export const tokensWithoutRequests = (): string =>
  "serviceAccountTokenInSecrets is set but no tokenRequests are specified";
export const nodeIdLength = (max: number): string => `must be ${max} characters or less`;

export const nameOrSigner = (): string => "only one of name and signerName may be used";
export const bundleNeeded = (): string => "either name or signerName must be specified";
export const bundleNameNeeded = (): string => "must be a valid object name";
export const signerNeeded = (): string => "must be a valid signer name";
export const badBundle = (problem: string): string => `not a valid clustertrustbundlename: ${problem}`;
export const selectorWithName = (): string => "labelSelector must be unset if name is specified";
export const certificatePathNeeded = (): string =>
  "specify at least one of credentialBundlePath, keyPath, and certificateChainPath";
export const leastExpiration = (seconds: number): string => `if provided, maxExpirationSeconds must be >= ${seconds}`;
export const mostExpiration = (seconds: number): string => `if provided, maxExpirationSeconds must be <= ${seconds}`;
export const mostCharacters = (max: number): string => `may not be more than ${max} characters`;
export const noUpdates = (key: string): string => `updates to ${key} are forbidden.`;
