/**
 * The strategy that kinds with a Go type of their own have in common: system metadata, names, generation, the generic checks
 * of metadata. What is special about a kind is a handful of functions.
 *
 * Follows apiserver pkg/registry/rest/{create,update}.go.
 */

import { withEmptyEntries } from "../../apply/managers/managed-entries.ts";
import { internalGroup } from "../../builtin/decode.ts";
import { AGGREGATOR, unknownConversion } from "../../builtin/messages.ts";
import { capFindings, decodeTypedBody, withLiteral } from "../../builtin/strict.ts";
import { structOfKind } from "../../builtin/types.ts";
import { withDeclared } from "../../builtin/validate/declared.ts";
import { unknownField } from "../../codec/messages.ts";
import type { FieldError } from "../../field/error.ts";
import type { GoDecodeOptions } from "../../field/go-decode-state.ts";
import type { GoStruct } from "../../field/go-shape.ts";
import { checkDnsSubdomain, maskTrailingDash } from "../../field/names.ts";
import { newPath } from "../../field/path.ts";
import { decodeMeta, objectMeta } from "../../schema/meta-shape.ts";
import { type NameCheck, pathSegmentName, validateMeta, validateMetaUpdate } from "../../schema/object-meta.ts";
import { invalid } from "../../status/error.ts";
import { isObject, type JsonObject, newObject } from "../../value/json.ts";
import { metaOf, metaText, objectOf, withMeta } from "../../value/metadata.ts";
import { withMember } from "../../value/rewrite.ts";
import {
  apiVersionOf,
  type Body,
  type DecodeOptions,
  type Draft,
  type GroupVersionKind,
  type Strategy,
  type Subresource,
  type WriteContext,
} from "../kind.ts";
import * as messages from "../messages.ts";
import { readTypeMeta } from "../type-meta.ts";

export interface KindRules {
  readonly namespaced: boolean;
  /** The group that refusals name, where it is another one. */
  readonly statusGroup?: string;
  /** Where upstream registers the kind, for kinds whose versions are distinguished when they are decoded. */
  readonly scheme?: string;
  /** In place of that: why a body of this kind and version is refused; undefined if it can be read as one of ours. */
  readonly refuseOtherKind?: (kind: string, apiVersion: string, isPatched: boolean) => string | undefined;
  readonly checkName?: NameCheck;
  /** Known fields only, of the right types, with defaults; without it only metadata is looked at. */
  readonly decode?: (json: JsonObject, options?: GoDecodeOptions) => DecodedKind;
  /** The type that `decode` decodes into. */
  readonly shape?: GoStruct;
  readonly prepareCreate?: (object: JsonObject, context: WriteContext) => JsonObject;
  readonly prepareUpdate?: (object: JsonObject, old: JsonObject, context: WriteContext) => JsonObject;
  /** The metadata of a new object is checked here where this is given, and by the generic rules otherwise. */
  readonly validateCreate?: (
    object: JsonObject,
    warn: (text: string) => void,
    isDryRun?: boolean,
  ) => readonly FieldError[];
  /** Of an update, before everything else. */
  readonly validateFirst?: (object: JsonObject, old: JsonObject, isDryRun?: boolean) => readonly FieldError[];
  readonly validateUpdate?: (
    object: JsonObject,
    old: JsonObject,
    warn: (text: string) => void,
    isDryRun?: boolean,
  ) => readonly FieldError[];
  /** Drops what is in memory but not stored. */
  readonly encode?: (object: JsonObject) => JsonObject;
}

export interface DecodedKind {
  readonly value: JsonObject;
  /** Paths of unknown fields. */
  readonly unknown: readonly string[];
  readonly error: string | undefined;
}

export type StrategyFlags = Partial<
  Pick<
    Strategy,
    | "decodeTyped"
    | "allowsUnconditionalUpdate"
    | "allowsCreateOnUpdate"
    | "returnsDeletedObject"
    | "gracePeriod"
    | "dependentsPolicy"
    | "beginDelete"
    | "isFinished"
  >
>;

export function builtInStrategy(gvk: GroupVersionKind, rules: KindRules, flags: StrategyFlags = {}): Strategy {
  return {
    decode: (body, options) => decodeBuiltIn(body, gvk, rules, options),
    create: (draft, context) => createBuiltIn(draft, gvk, rules, context),
    update: (draft, old, context) => updateBuiltIn(draft, old, gvk, rules, context),
    assumeStored: (draft, context) => assumeStored(draft, rules, context),
    read: (stored) => rules.decode?.(stored).value ?? stored,
    write: (object) => rules.encode?.(object) ?? object,
    allowsUnconditionalUpdate: true,
    allowsCreateOnUpdate: false,
    returnsDeletedObject: false,
    ...flags,
  };
}

/** A subresource with the same kind as its parent, whose writes follow rules of their own. */
export function sameKindSubresource(
  name: string,
  gvk: GroupVersionKind,
  rules: KindRules,
  verbs: readonly string[] = ["get", "patch", "update"],
): Subresource {
  return {
    name,
    kind: gvk,
    verbs,
    view: (parent) => parent,
    decode: (body, options) => decodeBuiltIn(body, gvk, rules, options),
    toParent: (draft) => draft,
    update: (draft, parent, context) => updateBuiltIn(draft, parent, gvk, rules, context),
  };
}

type DecodingRules = Pick<KindRules, "scheme" | "refuseOtherKind" | "decode" | "shape">;

export function decodeBuiltIn(body: Body, gvk: GroupVersionKind, rules: DecodingRules, options: DecodeOptions): Draft {
  const meta = readTypeMeta(body);
  if (meta.error !== undefined) return meta;
  const kind = meta.kind || gvk.kind;
  const apiVersion = meta.apiVersion || apiVersionOf(gvk);
  const claim = { kind, version: meta.version || gvk.version };
  const refusal = (rules.refuseOtherKind ?? refuseOtherKind(gvk, rules))(kind, apiVersion, options.isPatched === true);
  if (refusal !== undefined) return { error: refusal, claim };
  if (options.isPatched === true && meta.apiVersion === "") return decodeInternal(body, gvk, rules, options);
  const decode = (json: JsonObject, each?: GoDecodeOptions): DecodedKind =>
    (rules.decode ?? decodeMetaOnly)(withMember(withMember(json, "kind", kind), "apiVersion", apiVersion), each);
  const { decoded, findings } = decodeTypedBody(body, rules.shape, decode);
  if (decoded.error !== undefined) return { error: asWritten(decoded.error, body), claim };
  const object = withEmptyEntries(decoded.value, body.value);
  return { object, findings: options.trackUnknown ? findings : [] };
}

function refuseOtherKind(gvk: GroupVersionKind, { scheme }: DecodingRules): NonNullable<KindRules["refuseOtherKind"]> {
  return (kind, apiVersion) => {
    const isOurs = kind === gvk.kind && (scheme === undefined || apiVersion === apiVersionOf(gvk));
    if (isOurs) return undefined;
    const [version = "", group = ""] = apiVersion.split("/").reverse();
    const isElsewhere = gvk.group === AGGREGATOR && group !== gvk.group;
    const other = kind === gvk.kind || isElsewhere ? undefined : structOfKind(group, version, kind);
    return other === undefined
      ? messages.unknownKind(kind, apiVersion, scheme)
      : unknownConversion(other.go, `${internalGroup(gvk.group)}.${gvk.kind}`);
  };
}

function asWritten(error: string, { isYaml, text }: Body): string {
  return isYaml === true ? error : withLiteral(error, text());
}

/**
 * Without an apiVersion upstream decodes into its internal type, whose fields have no JSON names: only the fields of
 * metadata are known there, at the root.
 */
function decodeInternal(
  { value }: Body,
  gvk: GroupVersionKind,
  rules: DecodingRules,
  { trackUnknown }: DecodeOptions,
): Draft {
  const entries = isObject(value)
    ? Object.entries(value).filter(([key]) => key !== "kind" && key !== "apiVersion")
    : [];
  const metadata = newObject();
  for (const [key, member] of entries) if (objectMeta.fields().has(key)) metadata[key] = member;
  const unknown = entries.map(([key]) => key).filter((key) => !objectMeta.fields().has(key));
  const json = objectOf({ kind: gvk.kind, apiVersion: apiVersionOf(gvk), metadata });
  const { value: object, error } = (rules.decode ?? decodeMetaOnly)(json);
  if (error !== undefined) return { error };
  return { object, findings: trackUnknown ? capFindings(unknown.map(unknownField)) : [] };
}

function decodeMetaOnly(json: JsonObject): DecodedKind {
  if (json["metadata"] === undefined) return { value: json, unknown: [], error: undefined };
  const { value, unknown, error } = decodeMeta(json["metadata"]);
  return {
    value: withMember(json, "metadata", isObject(value) ? value : newObject()),
    unknown: unknown.map((path) => `metadata.${path}`),
    error,
  };
}

function createBuiltIn(draft: JsonObject, gvk: GroupVersionKind, rules: KindRules, context: WriteContext): JsonObject {
  const filled = fillSystemFields(draft, rules, context);
  const object = rules.prepareCreate?.(filled, context) ?? filled;
  if (context.isAssumedValid === true) return object;
  const own = rules.validateCreate?.(object, context.warn, context.isDryRun) ?? validateOwnMeta(object, rules);
  const errors = [...(context.rightsErrors ?? []), ...own];
  const refuse = refuserOf(gvk, rules, context);
  refuse(withDeclared(gvk, errors), object);
  refuse(validateGenericMeta(object, rules), object);
  return object;
}

/** As it comes back from storage. */
function assumeStored(draft: JsonObject, rules: KindRules, context: WriteContext): JsonObject {
  const filled = fillSystemFields(draft, rules, context);
  const prepared = rules.prepareCreate?.(filled, { ...context, setsPluginValues: true }) ?? filled;
  const stored = keepStatus(prepared, draft);
  return rules.encode?.(stored) ?? stored;
}

/** A manifest with a uid was taken from a cluster and keeps its status; one without has just been created. */
function keepStatus(prepared: JsonObject, draft: JsonObject): JsonObject {
  const { uid, creationTimestamp } = metaOf(draft);
  if (uid === undefined) return prepared;
  const { status } = draft;
  const kept = withMeta(prepared, {
    uid,
    creationTimestamp: creationTimestamp ?? metaOf(prepared)["creationTimestamp"],
  });
  return status === undefined ? kept : withMember(kept, "status", status);
}

/** For subresources whose writes are updates of the object. */
export function updateBuiltIn(
  draft: JsonObject,
  old: JsonObject,
  gvk: GroupVersionKind,
  rules: KindRules,
  context: WriteContext,
): JsonObject {
  const kept = withMeta(draft, { generation: metaOf(old)["generation"] });
  const object = keepSystemFields(rules.prepareUpdate?.(kept, old, context) ?? kept, old);
  if (context.isAssumedValid === true) return object;
  const refuse = refuserOf(gvk, rules, context);
  refuse(rules.validateFirst?.(object, old, context.isDryRun) ?? [], object);
  const errors = [
    ...validateGenericMeta(object, rules),
    ...validateMetaUpdate(metaOf(object), metaOf(old), newPath("metadata")),
    ...(context.rightsErrors ?? []),
    ...(rules.validateUpdate?.(object, old, context.warn, context.isDryRun) ?? []),
  ];
  refuse(withDeclared(gvk, errors), object);
  return object;
}

function fillSystemFields(draft: JsonObject, rules: KindRules, { system, namespace }: WriteContext): JsonObject {
  const base = metaText(draft, "generateName");
  const isNameless = metaText(draft, "name") === "" && base !== "";
  return withMeta(draft, {
    creationTimestamp: system.now(),
    uid: system.uid(),
    namespace: rules.namespaced ? namespace : undefined,
    ...(isNameless ? { name: base.slice(0, MAX_GENERATED_BASE) + system.suffix() } : {}),
  });
}

const MAX_GENERATED_BASE = 58;

function keepSystemFields(object: JsonObject, old: JsonObject): JsonObject {
  const [meta, before] = [metaOf(object), metaOf(old)];
  return withMeta(object, {
    uid: meta["uid"] ?? before["uid"],
    creationTimestamp: before["creationTimestamp"] ?? meta["creationTimestamp"],
    deletionTimestamp: before["deletionTimestamp"] ?? meta["deletionTimestamp"],
    deletionGracePeriodSeconds: meta["deletionGracePeriodSeconds"] ?? before["deletionGracePeriodSeconds"],
  });
}

const subdomain: NameCheck = (name, isPrefix) => checkDnsSubdomain(isPrefix ? maskTrailingDash(name) : name);

function validateOwnMeta(object: JsonObject, { namespaced, checkName = subdomain }: KindRules): FieldError[] {
  return validateMeta(metaOf(object), { namespaced, checkName }, newPath("metadata"));
}

function validateGenericMeta(object: JsonObject, { namespaced }: KindRules): FieldError[] {
  return validateMeta(metaOf(object), { namespaced, checkName: pathSegmentName }, newPath("metadata"));
}

type Refuse = (errors: readonly FieldError[], object: JsonObject) => void;

function refuserOf(gvk: GroupVersionKind, rules: KindRules, context: WriteContext): Refuse {
  const group = rules.statusGroup ?? gvk.group;
  return (errors, object) => {
    if (errors.length > 0) context.refuse(invalid({ group, kind: gvk.kind }, metaText(object, "name"), errors));
  };
}
