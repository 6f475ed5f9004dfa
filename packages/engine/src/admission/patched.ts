/**
 * Objects as mutating webhooks leave them: the text that their patch made, decoded again.
 *
 * A built-in object is decoded into its Go type, not strictly, and defaulted by the functions of its version. A custom
 * resource stays a map and gets the defaults of its version; it is pruned later. Follows callAttrMutatingHook of apiserver
 * pkg/admission/plugin/webhook/mutating/dispatcher.go and apimachinery runtime/serializer/json.
 */
import { builtinResources } from "../builtin/builtin.ts";
import { readClaimedKind } from "../builtin/claimed-kind.ts";
import { internalGroup, withHeader } from "../builtin/decode.ts";
import { TOKEN_REQUEST, withExpiration } from "../builtin/defaults/token-request.ts";
import { notRegistered, unknownConversion } from "../builtin/messages.ts";
import { SCALE_KIND } from "../builtin/scale.ts";
import { shapeOf } from "../builtin/shapes.ts";
import { withLiteral } from "../builtin/strict.ts";
import { structOfKind } from "../builtin/types.ts";
import { fromUnstructured } from "../builtin/unstructured.ts";
import { decodeJson } from "../codec/json.ts";
import { decodeGo } from "../field/go-decode.ts";
import { formatKind, type GroupVersionKind, sameKind } from "../policy/attributes.ts";
import { notUnstructured } from "../review/custom-resource/messages.ts";
import type { ResourceKind } from "../review/kind.ts";
import { kindMissing } from "../review/type-meta.ts";
import { applyDefaults } from "../schema/default.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { textOf } from "../value/read.ts";

export type Patched =
  | { readonly object: JsonObject; readonly undefaulted: JsonObject; readonly error?: undefined }
  /** A raw error reaches the client without words before it. */
  | { readonly error: string; readonly isRaw?: boolean };

export function decodePatchedBuiltin(text: string, kind: GroupVersionKind): Patched {
  const body = decodeJson(text);
  if (body.error !== undefined) return { error: body.error };
  const found = claimedKind(body.value, kind);
  if (typeof found === "string") return { error: found };
  const type = structOfKind(found.group, found.version, found.kind);
  if (type === undefined) return { error: notRegistered(found.kind, apiVersionOf(found)) };
  const { value, error } = decodeGo(body.value, shapeOf(type), { keepEmpty: true });
  if (error !== undefined) return { error: withLiteral(error, text) };
  if (!sameKind(found, kind)) {
    return { error: unknownConversion(type.go, `${internalGroup(kind.group)}.${kind.kind}`), isRaw: true };
  }
  const undefaulted = withHeader(isObject(value) ? value : newObject(), kind);
  return { object: defaulted(undefaulted, kind), undefaulted };
}

function defaulted(object: JsonObject, { group, version, kind }: GroupVersionKind): JsonObject {
  if (sameKind({ group, version, kind }, TOKEN_REQUEST)) return withExpiration(object);
  const resource = builtinResources().find(
    (each) => each.group === group && each.version === version && each.kind === kind,
  );
  return resource === undefined ? object : withHeader(resource.decodeFields(object).value, { group, version, kind });
}

/** What the text says it is; what it leaves out is taken from the object. A text says why that cannot be read. */
function claimedKind(json: JsonValue, expected: GroupVersionKind): GroupVersionKind | string {
  const claimed = readClaimedKind(json);
  if (typeof claimed === "string") return claimed;
  const { group, version } = claimed.group === "" && claimed.version === "" ? expected : claimed;
  return { group, version, kind: claimed.kind || expected.kind };
}

function apiVersionOf({ group, version }: GroupVersionKind): string {
  return group === "" ? version : `${group}/${version}`;
}

export function decodePatchedCustom(text: string, type: ResourceKind): Patched {
  const decoded = decodeMap(text);
  if (decoded.error !== undefined) return decoded;
  const { object: undefaulted } = decoded;
  const [{ group, kind }, version] = [type, versionOf(undefaulted, type)];
  const found = [type, ...(type.allVersions?.() ?? [])].find((each) => each.version === version);
  const isOurs = textOf(undefaulted["kind"]) === kind && textOf(undefaulted["apiVersion"]) === `${group}/${version}`;
  const object = isOurs ? applyDefaults(undefaulted, found?.customSchema?.schema) : undefaulted;
  return { object: isObject(object) ? object : undefaulted, undefaulted };
}

function versionOf(object: JsonObject, { group }: ResourceKind): string {
  return textOf(object["apiVersion"]).slice(group.length + 1);
}

/** The scale of a custom resource stays a map until the last webhook was called; then it becomes its Go type. */
export function decodePatchedScale(text: string): Patched {
  const decoded = decodeMap(text);
  return decoded.error === undefined ? { object: decoded.object, undefaulted: newObject() } : decoded;
}

/** A text says why the map is not a scale. */
export function scaleFromMap(map: JsonObject): JsonObject | string {
  const claimed = readClaimedKind(map);
  if (typeof claimed === "string") return claimed;
  if (!sameKind(claimed, SCALE_KIND)) return notRegistered(claimed.kind, apiVersionOf(claimed), CLIENT_SCHEME);
  const type = structOfKind(SCALE_KIND.group, SCALE_KIND.version, SCALE_KIND.kind);
  if (type === undefined) throw new Error("the type of scales is missing");
  const converted = fromUnstructured(map, type);
  if (converted.error !== undefined) return notUnstructured(formatKind(SCALE_KIND), converted.error);
  return withHeader(converted.object, SCALE_KIND);
}

const CLIENT_SCHEME = "k8s.io/client-go/kubernetes/scheme/register.go:82";

function decodeMap(
  text: string,
): { readonly object: JsonObject; readonly error?: undefined } | { readonly error: string } {
  const decoded = decodeJson(text);
  if (decoded.error !== undefined) return { error: decoded.error };
  const { value } = decoded;
  const claimed = readClaimedKind(value);
  if (typeof claimed === "string") return { error: claimed };
  if (!isObject(value) || textOf(value["kind"]) === "") return { error: kindMissing(text) };
  return { object: value };
}
