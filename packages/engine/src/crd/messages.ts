/**
 * The messages of CRD validation, in the order of the reference: names, versions, conversion, schema, rules, the rest.
 */
import { quote } from "@portcullis/gostd/quote";
import { formatFloat } from "@portcullis/gostd/strconv";
import { reworded } from "../value/server-version.ts";

export const schemaOrBoolExpected = (): string => "boolean or JSON schema expected";

export const nameMustMatch = (): string => 'must be spec.names.plural+"."+spec.group';
export const needsDot = (): string => "should be a domain with at least one dot";
export const mixedCase = (problems: string): string => `may have mixed case, but should otherwise match: ${problems}`;
export const sameListKind = (): string => "kind and listKind may not be the same";

export const fieldsPruned = (): string => "because otherwise all fields are pruned";
export const defaultsNeedPruning = (): string => "must be false in order to use defaults in the schema";
export const cannotPreserve = (): string =>
  "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
export const uniqueVersions = (): string => "must contain unique version names";
export const oneStorageVersion = (): string => "must have exactly one version marked as storage version";

export const onlyDeprecated = (): string => "can only be set for deprecated versions";
export const warningTooLong = (): string => "must be <= 256 characters long";
export const warningEmpty = (): string => "must not be an empty string";
export const warningUnprintable = (kind: "non-printable" | "control", index: number): string =>
  `must only contain printable UTF-8 characters; ${kind} character found at index ${index}`;

export const noStoredVersion = (): string => "must have at least one stored version";
export const storageNotStored = (version: string): string => `must have the storage version ${version}`;
export const storedNotServed = (version: string): string =>
  reworded("1.33", keptUntilMigrated(version), "must appear in spec.versions");
const keptUntilMigrated = (version: string): string =>
  `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`;

export const APPROVAL_ANNOTATION = "api-approved.kubernetes.io";
const APPROVAL_POLICY = "see https://github.com/kubernetes/enhancements/pull/1111";
export const approvalMissing = (): string =>
  `protected groups must have approval annotation ${quote(APPROVAL_ANNOTATION)}, ${APPROVAL_POLICY}`;
export const approvalInvalid = (): string =>
  `protected groups must have approval annotation ${quote(APPROVAL_ANNOTATION)} with either a URL or a reason starting with "unapproved", ${APPROVAL_POLICY}`;

export const mustNotConvert = (): string => "must be None if spec.preserveUnknownFields is true";
export const webhookRequired = (): string => "required when strategy is set to Webhook";
export const urlOrService = (): string => "exactly one of url or service is required";
export const webhookNotUsed = (): string => "should not be set when strategy is not set to Webhook";
export const duplicateVersion = (): string => "duplicate version";
export const noReviewVersion = (accepted: readonly string[]): string =>
  `must include at least one of ${accepted.join(", ")}`;
export const badRoots = (reason: string): string => `unable to load root certificates: ${reason}`;
export const notPem = (): string => "unable to parse bytes as PEM block";
export const badCertificate = (): string => "failed to parse certificate: x509: malformed certificate";
export const noCertificate = (): string => "no valid certificate authority data seen";

export const objectAtStatusRoot = (): string =>
  'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
export const notAtStatusRoot = (allowed: readonly string[]): string =>
  `only [${allowed.join(" ")}] fields are allowed at the root of the schema if the status subresource is enabled`;
export const rootNotNullable = (): string => "nullable cannot be true at the root";
export const keywordNotSupported = (keyword: string): string => `OpenAPIV3Schema '${keyword}' is not supported`;
export const itemsNotAList = (): string => "OpenAPIV3Schema 'items' must be a schema, but is an array";
export const preserveMustBeTrue = (): string =>
  "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";

export const mustBeSpecified = (): string => "must be specified";
export const notAtRoot = (): string => "must not be used at the root";
export const typeEmptyAt = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
} as const;
export const objectAtRoot = (): string => "must be object at the root";
export const embeddedObject = (): string => "must be object if x-kubernetes-embedded-resource is true";
export const notInEmbedded = (): string => "must not be used if x-kubernetes-embedded-resource is set";
export const embeddedProperties = (): string =>
  "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
export const mustBeType = (type: string): string => `must be ${type}`;
export const onlyNameInMetadata = (): string =>
  "must not specify anything other than name and generateName, but metadata is implicitly specified";
export const notWithIntOrString = (): string => "must be false if x-kubernetes-int-or-string is true";
export const badPattern = (error: string): string => `must be a valid regular expression, but isn't: ${error}`;
export const toBeStructural = (what: "empty" | "undefined" | "false"): string => `must be ${what} to be structural`;
export const noNestedMetadata = (): string => "must not be specified in a nested context";
export const definedIn = (path: string): string => `because it is defined in ${path}`;

export const defaultForbidden = (reason: string): string =>
  reason === "" ? "must not be set" : `must not be set ${reason}`;
export const inTopLevel = (property: string): string => `in top-level ${property}`;
export const inMetadataMap = (): string => "inside additionalProperties applying to object metadata";
export const notSupported = (keyword: string): string => `${keyword} is not supported`;
export const nullType = (): string => "type cannot be set to null, use nullable as an alternative";
export const itemsList = (): string => "items must be a schema object and not an array";
export const noEmbeddedInMeta = (): string => "must not be used inside of resource meta";
export const noUniqueItems = (): string =>
  "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
export const mutuallyExclusive = (): string => "additionalProperties and properties are mutual exclusive";
export const trueOrUndefined = (): string => "must be true or undefined";
export const objectForMapType = (): string => "must be object if x-kubernetes-map-type is specified";
export const arrayForListType = (): string => "must be array if x-kubernetes-list-type is specified";
export const atomicInSet = (): string => "must be atomic as item of a list with x-kubernetes-list-type=set";
export const mapForKeys = (): string => "must be map if x-kubernetes-list-map-keys is non-empty";
export const keysForMap = (): string => "must not be empty if x-kubernetes-list-type is map";
export const itemsForMap = (): string => "must have a schema if x-kubernetes-list-type is map";
export const oneSchemaForMap = (): string => "must only have a single schema if x-kubernetes-list-type is map";
export const objectItemsForMap = (): string => "must be object if parent array's x-kubernetes-list-type is map";
export const scalarKey = (): string => "must be a scalar type if parent array's x-kubernetes-list-type is map";
export const keysAreProperties = (): string => "entries must all be names of item properties";
export const keysTwice = (): string => "must not contain duplicate entries";
export const itemsNotNullable = (listType: string): string =>
  `cannot be nullable when x-kubernetes-list-type is ${listType}`;
const IS_KEY = "this property is in x-kubernetes-list-map-keys, so it";
export const keyNeedsDefault = (): string => `${IS_KEY} must have a default or be a required property`;
export const keyNotNullable = (): string => `${IS_KEY} cannot be nullable`;

export const unknownInDefault = (): string => "must not have unknown fields";
export const badMetadata = (errors: string): string => `must result in valid metadata: ${errors}`;

export const ruleMissing = (): string => "rule is not specified";
export const notEmptyIfSet = (field: string): string => withoutSubject(field, "must be non-empty if specified");
export const noLineBreaks = (field: string): string => withoutSubject(field, "must not contain line breaks");
export const messageForLines = (): string => "message must be specified if rule contains line breaks";
export const messageExpressionEmpty = (): string => "messageExpression must be non-empty if specified";
export const validPath = (field: string): string => withoutSubject(field, "must be a valid path");
/** Up to 1.33 these messages begin with the name of the field. */
const withoutSubject = (field: string, text: string): string => reworded("1.34", text, `${field} ${text}`);
export const noTypeInfo = (reason: string): string =>
  `internal error: failed to construct type information for x-kubernetes-validations rules: ${reason}`;
export const noDeclaration = (): string => "unable to convert structural schema to CEL declarations";
export const uncorrelatable = (path: string): string =>
  `oldSelf cannot be used on the uncorrelatable portion of the schema within ${path}`;
export const optionalWithoutOldSelf = (): string => "may not be set if oldSelf is not used in rule";
export const contributedToTotal = (): string =>
  "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
export const RULE_COST = "estimated rule cost";
export const MESSAGE_COST = "estimated messageExpression cost";
export const TOTAL_COST = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";

/** A factor just above one is shown with six decimals, so that it does not read "1.0x". */
export function costExceeded(subject: string, cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  const digits = factor < 1.5 ? 6 : 1;
  const shown = factor > 100 ? "more than 100x" : `${formatFloat(factor, "f", digits, 64)}x`;
  return `${subject} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

export const oneOf = (values: readonly string[]): string => `must be one of ${values.join(",")}`;
export const simplePath = (): string => "must be a simple json path starting with .";
export const pathUnder = (where: string): string => `should be a json path under ${where}`;
export const selectableWithoutVersionSchema = (): string =>
  reworded(
    "1.34",
    "may only be set when `version.schema.openAPIV3Schema` is not included",
    "selectableFields may only be set when version.schema.openAPIV3Schema is not included",
  );
export const selectableWithoutSchema = (): string =>
  withoutSubject("selectableFields", "may only be set when validations.schema is included");
export const schemaNeeded = (): string => reworded("1.34", "", "schemas are required");
export const badSelectablePath = (error: string): string => `is an invalid path: ${error}`;
export const notInMetadata = (): string => "must not point to fields in metadata";
export const selectableType = (): string =>
  "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";

export const setOfItems = (type: string): string =>
  `x-kubernetes-list-type: set for items of type ${quote(type)} is not supported by server-side apply or CEL validation rules`;
export const unrecognizedFormat = (format: string): string => `unrecognized format ${quote(format)}`;

export const objectForPropertyNames = (): string => "must be object if x-kubernetes-property-names is specified";
export const mapForPropertyNames = (): string => "must be specified if x-kubernetes-property-names is specified";
export const closedPropertyNames = (): string => "must be a schema or true if x-kubernetes-property-names is specified";
export const noPropertiesWithNames = (): string => "x-kubernetes-property-names and properties are mutual exclusive";
export const stringPropertyNames = (): string => "must be string for x-kubernetes-property-names";
export const notInPropertyNames = (): string =>
  "must not be set in x-kubernetes-property-names, only validations that apply to strings are allowed";

/** Ours: upstream allows 10,000 levels. */
export function tooDeep(limit: number): string {
  return `the CRD is nested more than ${limit} levels deep`;
}
