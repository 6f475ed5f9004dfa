/**
 * A kind of object, as the review of a write sees it: one function for each step that depends on the kind. Built-in kinds,
 * CustomResourceDefinitions, custom resources, admission policies and webhook configurations are all described this way.
 */
import type { FieldManagerScope } from "../apply/scope.ts";
import type { ColumnDefinition } from "../builtin/columns/column.ts";
import { type DecodedObject, decodeTyped, type Kind, type TypedBody } from "../builtin/decode.ts";
import type { DependentsPolicy } from "../builtin/kinds/kind.ts";
import type { FieldValidation } from "../codec/strict.ts";
import type { PrinterColumn } from "../crd/definition.ts";
import type { FieldError } from "../field/error.ts";
import type { CustomSchema } from "../openapi/resource.ts";
import type { User } from "../rbac/user.ts";
import type { RuleNode } from "../rules/tree.ts";
import type { StatusError } from "../status/error.ts";
import type { JsonObject, JsonValue } from "../value/json.ts";
import type { GroupVersionKind } from "../value/kind.ts";
import type { Outline } from "../value/outline.ts";
import { SERVER_VERSION, type ServerRules } from "../value/server-version.ts";
import type { Authorizer } from "./authorizer.ts";
import type { RatchetingReport } from "./custom-resource/ratcheting-report.ts";
import type { ReviewMetrics } from "./metrics.ts";
import type { SystemFields } from "./system.ts";

export type { GroupVersionKind } from "../value/kind.ts";

/** A write that takes something from a common stock. */
export interface ClaimingWrite {
  /** Of the object in the store. */
  readonly key: string;
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  /** What the user sent: the rest of the object is the server's choice. */
  readonly asked: JsonObject;
  readonly isDryRun: boolean;
}

/** Throws a StatusError where it cannot be had, and `ChoiceTaken` where another choice may succeed. */
export type ReserveClaims = (write: ClaimingWrite) => Promise<Reservation>;

/** What a write holds until it is stored. */
export interface Reservation {
  /** The write has failed. */
  release(): Promise<void>;
}

/** A served kind: its names, scope and verbs, and how its objects are decoded, prepared and validated. */
export interface ResourceKind extends GroupVersionKind {
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** What discovery shows in place of the verbs. */
  readonly shownVerbs?: readonly string[] | undefined;
  /** Where objects are kept: `/registry/example.com/widgets/`, then namespace and name. Versions of one kind share it. */
  readonly storagePrefix: string;
  readonly isCustom: boolean;
  /** Of a custom resource: all versions of the CRD, in its order, whether they are served or not. */
  readonly allVersions?: () => readonly ResourceKind[];
  /** What objects are stored as, for discovery; its own kind if absent, null if that version is not served. */
  readonly storedAs?: GroupVersionKind | null;
  /** Whether list items name their kind; those of built-in kinds do not. */
  readonly itemsNameKind: boolean;
  readonly patchTypes: readonly string[];
  readonly strategy: Strategy;
  readonly subresources: ReadonlyMap<string, Subresource>;
  readonly columns: KindColumns;
  readonly fields: SelectableFields;
  /** Sent with every answer: the version is deprecated. */
  readonly warning: string | undefined;
  /** How fields of the kind, or of one of its subresources, merge and who owns them; absent if nothing is tracked. */
  readonly fieldScope?: (subresource: string) => FieldManagerScope | undefined;
  /** For kinds that are answered and not stored, such as SubjectAccessReview: the answer to a POST. */
  readonly answerCreate?: (draft: JsonObject, context: AnswerContext) => Promise<JsonObject>;
  /** For kinds that are computed on every read and not stored: all objects. */
  readonly computed?: () => Promise<readonly JsonObject[]>;
  /**
   * Whether a manifest would be created without any error or warning; false also if only the review can decide that. It
   * takes a fraction of the time. Absent if the review has no such short cut.
   */
  readonly passesCreate?: (manifest: JsonObject, namespace: string, system: SystemFields) => boolean;
  /** A manifest without the fields that the schema does not know, before defaults; for custom resources. */
  readonly prune?: (manifest: JsonObject) => JsonObject | undefined;
  /** The rules of a custom resource, compiled: for reports of which of them ran. */
  readonly ruleTree?: () => RuleNode | undefined;
  /** What is published of a custom resource's schema; absent for built-in kinds, whose schemas are known. */
  readonly customSchema?: CustomSchema;
  /** Holds what an object takes from a common stock before it is stored: addresses and ports of services. */
  readonly reserve?: ReserveClaims;
  /** What the user needs rights for beyond the write, as errors of the object where they are missing. */
  readonly checkRights?: CheckRights;
  /** Why nothing may be created at the moment; undefined if it may. */
  readonly createRefusal?: string | undefined;
  /** The server whose rules the kind follows; one of the newest version if absent. */
  readonly rules?: ServerRules | undefined;
}

/** Where the columns of a table come from. Undefined columns are the name and the age. */
export type KindColumns =
  | { readonly source: "built-in"; readonly columns: readonly ColumnDefinition[] | undefined }
  | { readonly source: "custom"; readonly columns: readonly PrinterColumn[] };

/** What field selectors may ask for beside `metadata.name` and `metadata.namespace`. */
export interface SelectableFields {
  has(field: string): boolean;
  /** The refusal of a field that cannot be selected; the usual message if absent. */
  refuse?(field: string): string;
  read(object: JsonObject, field: string): string;
}

export const NO_FIELDS: SelectableFields = { has: () => false, read: () => "" };

/** A request body: its value, and how it reads where a message quotes it. */
export interface Body {
  readonly value: JsonValue;
  readonly text: () => string;
  /** What the decoder of the text found: duplicate keys. Kinds with a Go type read a JSON text again where there are. */
  readonly strictErrors: readonly string[];
  readonly isYaml?: boolean;
  /** Whether it came as protobuf, which has no text to quote. */
  readonly isBinary?: boolean;
  /** What the decoder learnt of the document's shape. */
  readonly outline?: Outline | undefined;
}

/** The result of decoding a body: a draft with its strict errors, or the error that ended the decoding. */
export type Draft = {
  /** The whole message in place of the usual one, where a body is refused; the result of a patch has the usual one. */
  readonly bodyError?: string;
} & (
  | {
      readonly object: JsonObject;
      /** Duplicate and unknown fields, in upstream's order. */
      readonly findings: readonly string[];
      readonly error?: undefined;
    }
  | {
      readonly error: string;
      /** The kind and version it claims to be of, where that could be read. */
      readonly claim?: { readonly kind: string; readonly version: string } | undefined;
    }
);

export interface DecodeOptions {
  /** Whether to report unknown and duplicate fields. */
  readonly trackUnknown: boolean;
  /** Whether it is the result of a patch: one that lost its apiVersion is not taken for what the URL says. */
  readonly isPatched?: boolean;
}

/** What a write brings along beside the object. */
export interface WriteContext {
  /** "" for cluster-scoped kinds. */
  readonly namespace: string;
  readonly fieldValidation: FieldValidation;
  readonly system: SystemFields;
  readonly user: User;
  readonly warn: (text: string) => void;
  /** Refuses an invalid object: throws, or takes note where the caller wants to know what admission would say as well. */
  readonly refuse: (refusal: StatusError) => void;
  /** Whether the object is only prepared. */
  readonly isAssumedValid?: boolean;
  /** Whether preparing the object sets what default admission plugins would set, because none run. */
  readonly setsPluginValues?: boolean;
  readonly isDryRun?: boolean;
  /** Rights that the user lacks; they come before what is wrong with the object. */
  readonly rightsErrors?: readonly FieldError[];
  readonly metrics?: Pick<ReviewMetrics, "clock" | "ratcheting"> | undefined;
  /** Gets what ratcheting forgave and kept, also when the write is refused afterwards. */
  readonly onRatcheting?: ((report: RatchetingReport) => void) | undefined;
}

/** The context of a request that is answered without being stored. */
export interface AnswerContext extends WriteContext {
  readonly server: ServerRules;
  /** Of the URL. */
  readonly name: string;
  readonly isDryRun: boolean;
  /** Adds an annotation to the audit event. */
  readonly annotate: (key: string, value: string) => void;
  /** Runs validating admission once the request is known to be valid. Throws a StatusError where a plugin refuses. */
  readonly admit: (object: JsonObject) => Promise<void>;
}

/**
 * A request body as an object of a kind with a Go type, with the warnings that it earns. Throws a StatusError where it is
 * refused.
 */
export type DecodeTyped = (body: TypedBody, fieldValidation: FieldValidation) => DecodedObject;

/** For kinds that know how to decode themselves, or by their Go type alone. */
export function typedDecoder(kind: Kind & { readonly decode?: DecodeTyped }): DecodeTyped {
  return kind.decode ?? ((body, fieldValidation) => decodeTyped(body, kind, fieldValidation));
}

export interface Strategy {
  /** From a body, or from the result of a patch. Applies defaults. */
  decode(body: Body, options: DecodeOptions): Draft;
  /** From a body, for kinds with a Go type: in place of `decode`, which is left with the results of patches. */
  readonly decodeTyped?: DecodeTyped;
  /** The new object, prepared and validated. Throws a StatusError where it is refused. */
  create(draft: JsonObject, context: WriteContext): JsonObject;
  /** The changed object, prepared and validated. */
  update(draft: JsonObject, old: JsonObject, context: WriteContext): JsonObject;
  /** An object as it would be stored: system fields are filled in, nothing is validated. */
  assumeStored(draft: JsonObject, context: WriteContext): JsonObject;
  /** From the stored form to that of this version. The object has its resourceVersion. */
  read(stored: JsonObject): JsonObject;
  /** From this version to the stored form. */
  write(object: JsonObject): JsonObject;
  /** Whether reading what is stored of an object would give the object itself, so that it can be spared. */
  readonly staysSame?: (object: JsonObject) => boolean;
  /** An object in its stored form with what `read` hides of the one that it replaces. */
  readonly carryOver?: ((written: JsonObject, replaced: JsonObject) => JsonObject) | undefined;
  /** For kinds with external conversion: replaces `read` and `write`. */
  readonly converting?: Converting | undefined;
  /** Whether a PUT without resourceVersion overwrites. */
  readonly allowsUnconditionalUpdate: boolean;
  /** Whether a PUT of a missing object creates it. */
  readonly allowsCreateOnUpdate: boolean;
  /** Whether DELETE answers with the object instead of a Status. */
  readonly returnsDeletedObject: boolean;
  /**
   * For kinds that end gracefully: the seconds that an object is given, from those that the request asks for. Objects
   * that get none are marked before they are removed, which watches see.
   */
  readonly gracePeriod?: (object: JsonObject, requested: number | undefined) => number;
  /** What a delete without options means for dependents; undefined deletes them in the background. */
  readonly dependentsPolicy?: DependentsPolicy | undefined;
  /** What the first delete request makes of an object that others must finish; undefined deletes as usual. */
  readonly beginDelete?: (object: JsonObject, now: string) => JsonObject | undefined;
  /** Whether an object in deletion without finalizers may go; true where absent. */
  readonly isFinished?: (object: JsonObject) => boolean;
}

/** Reading and writing that has to be waited for. Each throws a StatusError where the conversion fails. */
export interface Converting {
  /** From the stored form to that of this version. */
  read(stored: JsonObject): Promise<JsonObject>;
  /** From this version to the stored form. */
  write(object: JsonObject): Promise<JsonObject>;
  /** From this version to another one, which is not looked at any further. */
  convert(object: JsonObject, apiVersion: string): Promise<JsonObject>;
}

/** A part of an object with an address of its own. */
export interface Subresource {
  readonly name: string;
  /** What clients send and get. */
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
  /** The parent as this subresource shows it: when read, as the base of a patch, and as the result of a write. */
  view(parent: JsonObject, purpose: "read" | "patch" | "result"): JsonObject;
  decode(body: Body, options: DecodeOptions): Draft;
  readonly decodeTyped?: DecodeTyped;
  /** The parent that a write asks for. */
  toParent(draft: JsonObject, parent: JsonObject): JsonObject;
  update(draft: JsonObject, parent: JsonObject, context: WriteContext): JsonObject;
  /** Whether `connect` looks for the parent itself, after admission; it gets an empty object then. */
  readonly findsParent?: boolean;
  /** Creates through a subresource, such as a token, answer by themselves. */
  readonly connect?: (parent: JsonObject, draft: JsonObject, context: AnswerContext) => Promise<JsonObject>;
}

/** A write whose object is known. */
export interface RightsRequest {
  readonly endpoint: Endpoint;
  readonly verb: "create" | "update" | "patch";
  readonly user: User;
  readonly namespace: string;
  /** A new object as it was sent; a changed one as it would be stored. */
  readonly object: JsonObject;
  /** Undefined on create. */
  readonly old: JsonObject | undefined;
  readonly authorizer: Authorizer;
  /** The namespace of the object. */
  readonly readNamespace: () => Promise<JsonObject | undefined>;
}

/** Rights that the user lacks, as errors of the object. */
export type CheckRights = (request: RightsRequest) => Promise<readonly FieldError[]>;

/** What a URL addresses: a resource, or a subresource of it. */
export interface Endpoint {
  readonly type: ResourceKind;
  readonly subresource: Subresource | undefined;
}

/** The server whose rules an endpoint follows. */
export function rulesOf({ type }: Endpoint): ServerRules {
  return type.rules ?? { version: SERVER_VERSION };
}

export function kindOf({ type, subresource }: Endpoint): GroupVersionKind {
  return subresource?.kind ?? type;
}

export function apiVersionOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === "" ? version : `${group}/${version}`;
}

export function groupResourceOf(type: ResourceKind): { readonly group: string; readonly resource: string } {
  return { group: type.group, resource: type.plural };
}
