/**
 * A CustomResourceDefinition as the API server has it after decoding: known fields only, of the right types, with the
 * defaults of apiextensions.k8s.io/v1.
 *
 * In memory Go distinguishes an empty list from nil, and validation sometimes depends on it; both are omitted in
 * responses and in storage. So `decodeDefinition` keeps empty lists and `encodeDefinition` drops them.
 */
import { decodeGo } from "../field/go-decode.ts";
import { isDeeperThan } from "../value/depth.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { withMember, withoutMember } from "../value/rewrite.ts";
import * as messages from "./messages.ts";
import { definitionShape, definitionShapeWithoutKeys } from "./shape.ts";

export interface DecodedDefinition {
  readonly value: JsonObject;
  /** Paths of unknown fields, in the order of the document. */
  readonly unknown: readonly string[];
  /** The error that ends the decoding, as encoding/json reports it. */
  readonly error: string | undefined;
}

export interface DefinitionDecodeOptions {
  /** Report unknown fields by sorted keys, as for a body that was YAML. */
  readonly sortKeys?: boolean;
  /** False where `x-kubernetes-property-names` is a field like any other unknown one. */
  readonly propertyNames?: boolean;
}

// Far beyond any definition people write, and safe for the call stack wherever this runs.
const MAX_DEPTH = 500;

export function decodeDefinition(json: JsonObject, options: DefinitionDecodeOptions = {}): DecodedDefinition {
  const { propertyNames = true, ...how } = options;
  if (isDeeperThan(json, MAX_DEPTH)) {
    return { value: newObject(), unknown: [], error: messages.tooDeep(MAX_DEPTH) };
  }
  const { value, unknown, error } = decodeGo(json, propertyNames ? definitionShape : definitionShapeWithoutKeys, {
    ...how,
    keepEmpty: true,
  });
  return { value: applyDefinitionDefaults(isObject(value) ? value : newObject()), unknown, error };
}

/** What is stored and what clients read. */
export function encodeDefinition(json: JsonObject): JsonObject {
  const { value } = decodeGo(json, definitionShape);
  return isObject(value) ? value : newObject();
}

/** Follows apiextensions pkg/apis/apiextensions/v1/defaults.go. */
function applyDefinitionDefaults(json: JsonObject): JsonObject {
  const spec = defaultSpec(object(json["spec"]));
  const status = defaultStatus(object(json["status"]), spec);
  return withMember(withMember(json, "spec", spec), "status", status);
}

function defaultSpec(spec: JsonObject): JsonObject {
  const names = defaultNames(object(spec["names"]));
  return withMember(withMember(spec, "names", names), "conversion", defaultConversion(spec["conversion"]));
}

function defaultNames(names: JsonObject): JsonObject {
  const kind = text(names["kind"]);
  const singular = text(names["singular"]) || kind.toLowerCase();
  const listKind = text(names["listKind"]) || (kind === "" ? "" : `${kind}List`);
  return withText(withText(names, "singular", singular), "listKind", listKind);
}

function withText(json: JsonObject, key: string, value: string): JsonObject {
  return value === "" ? json : withMember(json, key, value);
}

const HTTPS_PORT = 443;

function defaultConversion(conversion: JsonValue | undefined): JsonObject {
  if (!isObject(conversion)) {
    const none = newObject();
    none["strategy"] = "None";
    return none;
  }
  const webhook = conversion["webhook"];
  if (isObject(webhook) && isEmptyWebhook(webhook)) return withoutMember(conversion, "webhook");
  const client = isObject(webhook) ? webhook["clientConfig"] : undefined;
  const service = isObject(client) ? client["service"] : undefined;
  if (!isObject(webhook) || !isObject(client) || !isObject(service) || service["port"] !== undefined) return conversion;
  const withPort = withMember(client, "service", withMember(service, "port", HTTPS_PORT));
  return withMember(conversion, "webhook", withMember(webhook, "clientConfig", withPort));
}

/** Upstream's internal form has no place for a webhook that says nothing. */
function isEmptyWebhook(webhook: JsonObject): boolean {
  return webhook["clientConfig"] === undefined && webhook["conversionReviewVersions"] === null;
}

function defaultStatus(status: JsonObject, spec: JsonObject): JsonObject {
  const stored = status["storedVersions"];
  if (isArray(stored) && stored.length > 0) return status;
  const storage = storageVersion(spec);
  return storage === undefined ? status : withMember(status, "storedVersions", [storage]);
}

/** The first version marked for storage. */
export function storageVersion(spec: JsonObject): string | undefined {
  const versions = isArray(spec["versions"]) ? spec["versions"].filter(isObject) : [];
  const storage = versions.find((version) => version["storage"] === true);
  return storage && text(storage["name"]);
}

function object(json: JsonValue | undefined): JsonObject {
  return isObject(json) ? json : newObject();
}

function text(json: JsonValue | undefined): string {
  return typeof json === "string" ? json : "";
}
