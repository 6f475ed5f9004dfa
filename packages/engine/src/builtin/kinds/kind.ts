/**
 * What a built-in kind consists of. Every kind, or family of kinds that share their rules, is one module below this
 * folder; `kinds.ts` collects them.
 */
import type { FieldError } from "../../field/error.ts";
import { checkDnsSubdomain, maskTrailingDash } from "../../field/names.ts";
import type { NameCheck } from "../../schema/object-meta.ts";
import type { JsonObject } from "../../value/json.ts";
import type { KubernetesVersion } from "../../value/server-version.ts";
import type { ColumnDefinition } from "../columns/column.ts";
import type { Kind } from "../decode.ts";
import type { Draft, Fillers } from "../defaults/draft.ts";
import type { ApiVersion, KindKey, KindName } from "../resources.ts";
import type { SelectableFields } from "../selectors.ts";
import type { ServiceNetwork } from "../strategies/service-network.ts";
import type { PrepareContext } from "../strategies/strategy.ts";

/** The rules of one kind. What is left out is as upstream has it for most kinds. */
export interface KindRules {
  /** By Go type: of the kind itself, and of the structs inside it. Defaults of the schema need no code. */
  readonly defaults?: Fillers;

  /** What the object may be called; a DNS subdomain unless given. */
  readonly checkName?: NameCheck;
  /** Where the name depends on other fields of the object. */
  readonly checkNameOf?: (object: JsonObject) => NameCheck;
  readonly metadata?: MetadataRules;

  /** Whether status is the server's: emptied on create, kept on update. */
  readonly ownsStatus?: boolean;
  /** The gate without which the status is written like the rest. */
  readonly statusGate?: string;
  /** Given by kinds that count their changes in `metadata.generation`. */
  readonly generation?: GenerationRules;
  /** Where the spec of a pod is in the object; fields of features that are off are dropped there. */
  readonly podSpec?: readonly string[];
  /** Beyond status and generation. The draft may be changed, but not the object that it is a copy of. */
  readonly prepareCreate?: (draft: Draft, context: PrepareContext, decoded: JsonObject) => void;
  readonly prepareUpdate?: (draft: Draft, old: JsonObject, context: PrepareContext) => void;
  readonly prepareStatusUpdate?: (draft: Draft, old: JsonObject, context: PrepareContext) => void;

  /** Checked before everything else; where it finds something, nothing else is reported. */
  readonly validateFirst?: (object: JsonObject, old?: JsonObject, network?: ServiceNetwork) => FieldError[];
  /** Beyond metadata. `old` is given on update, where `validateUpdate` is left out. */
  readonly validate?: (object: JsonObject, old?: JsonObject) => FieldError[];
  readonly validateUpdate?: (object: JsonObject, old: JsonObject) => FieldError[];
  /** Before this version updates were also validated as new objects, so that most errors are there twice. */
  readonly validatedTwiceBefore?: KubernetesVersion;
  readonly validateStatusUpdate?: (object: JsonObject, old: JsonObject) => FieldError[];

  /** For objects that are accepted. */
  readonly warnings?: KindWarnings;

  /** What `kubectl get` shows; name and age unless given. */
  readonly columns?: readonly ColumnDefinition[];
  /** What field selectors may ask for beyond name and namespace. */
  readonly selectableFields?: SelectableFields;

  /** Whether an update without a resourceVersion is accepted; true unless given. */
  readonly unconditionalUpdate?: boolean;
  /** Whether an update of an object that does not exist creates it. */
  readonly createOnUpdate?: boolean;
  /** Whether a delete is answered with the object. */
  readonly returnsDeletedObject?: boolean;
  /** What a delete without options means for dependents; deleted in the background unless given. */
  readonly dependentsPolicy?: DependentsPolicy;
  /** Paths whose ownership a write gives up, by subresource; the object itself is "". */
  readonly resetFields?: Readonly<Record<string, readonly FieldNames[]>>;
  /** The first version in which a write of the status does not own the metadata that it leaves alone. */
  readonly statusResetsMetadataSince?: KubernetesVersion;
  /** The first version that gives any up; before, upstream declares them for a group that does not exist. */
  readonly resetsSince?: KubernetesVersion;

  /** Below `/registry`, where it is not the plural. */
  readonly storagePrefix?: string;
  /** Given where objects are stored as another kind or version. */
  readonly hub?: HubConversion;
  /** The group that refusals name, where it is another. */
  readonly statusGroup?: string;
  /** Sent as a warning with every answer. */
  readonly deprecation?: string;
  /** The first version that warns; all if absent. */
  readonly deprecatedSince?: KubernetesVersion;
}

/** `orphan`: they stay. `none`: the garbage collector does not know the kind, and no option adds a finalizer. */
export type DependentsPolicy = "orphan" | "none";

export type UpdateRules = "change" | "whole" | "both" | "none";

export interface MetadataRules {
  /** `last`: only after the kind's own rules, and where they found nothing. */
  readonly create?: "first" | "last";
  /** Compared with the old metadata (`change`), checked like that of a new object (`whole`), one after the other, or not. */
  readonly update?: UpdateRules;
  /** The rules where an update is also validated as a new object; the same if absent. */
  readonly updateTwice?: UpdateRules;
  readonly statusUpdate?: "change" | "none";
  /** `any`: finalizers may have names without a slash. */
  readonly finalizers?: "qualified" | "any";
}

export interface GenerationRules {
  /** The members of the object, and of its metadata, that count as a change. */
  readonly members: readonly string[];
  readonly metadata?: readonly string[];
  /** 0 where new objects have no generation yet. */
  readonly start?: 0 | 1;
  /** The first version in which changes are counted; all if absent. */
  readonly since?: KubernetesVersion;
  /** Whether it is a change that a list or map is empty and was absent; such objects change with every such write. */
  readonly countsEmpty?: boolean;
  /** Whether fields of features that are off count, although they are dropped. */
  readonly countsDropped?: boolean;
}

export interface KindWarnings {
  readonly create?: (object: JsonObject) => string[];
  readonly update?: (object: JsonObject, old: JsonObject) => string[];
  readonly statusUpdate?: (object: JsonObject) => string[];
}

export interface HubConversion {
  readonly kind: Kind;
  readonly toHub: (object: JsonObject) => JsonObject;
  readonly fromHub: (hub: JsonObject) => JsonObject;
}

export type FieldNames = readonly string[];

const DEFAULTS = {
  checkName: subdomainName,
  metadata: {},
  ownsStatus: false,
  unconditionalUpdate: true,
  createOnUpdate: false,
  returnsDeletedObject: false,
} satisfies KindRules;

/** The rules of a kind, where those with a default are always set. */
export interface BuiltinKind<Key extends KindKey = KindKey> extends KindRules {
  readonly key: Key;
  readonly checkName: NameCheck;
  readonly metadata: MetadataRules;
  readonly ownsStatus: boolean;
  readonly unconditionalUpdate: boolean;
  readonly createOnUpdate: boolean;
  readonly returnsDeletedObject: boolean;
}

/** For example `defineKind("apps/v1", "ReplicaSet", { ownsStatus: true, validate: validateReplicaSet })`. */
export function defineKind<Version extends ApiVersion, Name extends KindName<Version>>(
  apiVersion: Version,
  kind: Name,
  rules: KindRules,
): BuiltinKind<KindKey & `${Version}/${Name}`> {
  return { ...DEFAULTS, ...rules, key: `${apiVersion}/${kind}` as KindKey & `${Version}/${Name}` };
}

/** Kinds without rules of their own. */
export function definePlainKinds<Key extends KindKey>(...keys: readonly Key[]): { [Each in Key]: BuiltinKind<Each> } {
  return Object.fromEntries(keys.map((key) => [key, { ...DEFAULTS, key }])) as { [Each in Key]: BuiltinKind<Each> };
}

function subdomainName(name: string, isPrefix: boolean): string[] {
  return checkDnsSubdomain(isPrefix ? maskTrailingDash(name) : name);
}

/** The same warnings for a new object and a changed one. */
export function onEveryWrite(warn: (object: JsonObject) => string[]): KindWarnings {
  return { create: warn, update: warn };
}

/** Changes of the spec are counted. */
export const SPEC_GENERATION: GenerationRules = { members: ["spec"] };
