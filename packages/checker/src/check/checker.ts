/** Checks one document after another: each is reviewed as the write that would apply it. */
import { DEFAULT_NAMESPACE, type MemoryCluster } from "@portcullis/engine/internal/cluster/memory-cluster";
import type { FieldValidation } from "@portcullis/engine/internal/codec/strict";
import { SERVER_VERSION } from "@portcullis/engine/internal/kubecel/versions";
import type { User } from "@portcullis/engine/internal/rbac/user";
import type { AdmissionPlugin, ClusterView } from "@portcullis/engine/internal/review/cluster-view";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { Outcome } from "@portcullis/engine/internal/review/outcome";
import { readBack } from "@portcullis/engine/internal/review/read-back";
import { review } from "@portcullis/engine/internal/review/review";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText } from "@portcullis/engine/internal/value/metadata";
import { makeUser } from "../policy/user.ts";
import { deleteOf, liveOf, type WriteParts, writeOf } from "../policy/write.ts";
import { findingAt } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import {
  type DecodeProblem,
  decodeProblems,
  problemHint,
  problemPath,
  withoutValues,
  writtenAt,
} from "./decode-problems.ts";
import { type FieldValidationMode, fieldFindings } from "./field-findings.ts";
import { kindNames } from "./kind-names.ts";
import type { MissingSchemaMode } from "./missing-modes.ts";
import { missingSchema, type ServedVersion } from "./missing-schema.ts";
import { outcomeFindings } from "./outcome-findings.ts";

export interface CheckerOptions {
  readonly fieldValidation: FieldValidationMode;
  /** Report duplicate fields with their paths, in the same form for JSON and YAML. */
  readonly isAligned?: boolean | undefined;
  /** The current objects: documents that are also here are checked as updates. */
  readonly old?: readonly ManifestDocument[];
  readonly missingSchema?: MissingSchemaMode | undefined;
  /** The Kubernetes version that messages about unknown kinds name. */
  readonly version?: string | undefined;
  readonly user?: User | undefined;
  /** UPDATE or DELETE the objects themselves instead of creating them. */
  readonly operation?: string | undefined;
  readonly policies?: PolicyReview | undefined;
  /** Whether an object passes without a finding, decided faster than by the rules. Pages do without: it is large. */
  readonly isPlain?: ((object: JsonObject) => boolean) | undefined;
  /** What all given CRDs serve, if the cluster has only some of them. */
  readonly defined?: (() => readonly ServedVersion[]) | undefined;
}

/** Policies that take part in the review, and how their decisions become findings. */
export interface PolicyReview {
  readonly admission: readonly AdmissionPlugin[];
  /** Kinds, as `apiVersion kind`, that nothing defines, and whose objects policies see all the same. */
  readonly assumedKinds: ReadonlySet<string>;
  findings(document: ManifestDocument, outcome: Outcome): readonly Finding[];
}

/** A document as the API server sees it. */
export interface Examined {
  readonly kind: ResourceKind;
  readonly outcome: Outcome;
  /** The object as a client would read it after the write; undefined where the write is refused. */
  readonly stored: JsonObject | undefined;
  readonly isUpdate: boolean;
}

const MODES: Readonly<Record<FieldValidationMode, FieldValidation>> = {
  strict: "Strict",
  warn: "Warn",
  ignore: "Ignore",
};

const DEFAULT_USER = makeUser("user", []);

function isPolicyDecision({ rule }: Finding): boolean {
  return rule.startsWith("policy/");
}

function isUnknownApi({ rule }: Finding): boolean {
  return rule.startsWith("api/");
}

/**
 * Checks documents one by one against a cluster made of the inputs.
 * @example
 * const checker = new Checker(new MemoryCluster([], { engine }), { fieldValidation: "strict" });
 * const findings = await checker.check(document);
 */
export class Checker {
  withoutSchema = 0;
  readonly #cluster: MemoryCluster;
  readonly #view: ClusterView;
  readonly #options: CheckerOptions;
  readonly #old: ReadonlyMap<string, ManifestDocument>;

  constructor(cluster: MemoryCluster, options: CheckerOptions) {
    this.#cluster = cluster;
    this.#view = options.policies === undefined ? cluster : cluster.withAdmission(options.policies.admission);
    this.#options = options;
    this.#old = new Map(options.old?.map((document) => [this.#pairKey(document), document]));
  }

  async check(document: ManifestDocument): Promise<readonly Finding[]> {
    const kind = this.#kindOf(document.id);
    const missing = kind === undefined || this.#isAssumed(document.id) ? this.#missing(document) : [];
    // A kind that the API server does not have is refused before policies see it.
    if (kind === undefined || missing.some(isUnknownApi)) return missing;
    const found = await this.#checkAs(document, kind);
    // Without a schema, only what policies decide is known.
    return this.#isAssumed(document.id) ? [...missing, ...found.filter(isPolicyDecision)] : found;
  }

  async #checkAs(document: ManifestDocument, kind: ResourceKind): Promise<readonly Finding[]> {
    const old = this.#oldOf(document);
    if (old === undefined && document.strictErrors.length === 0 && this.#passes(document.object, kind)) return [];
    // Strict refuses before anything is validated. Warn has the same findings, and the others as well.
    const mode = this.#options.fieldValidation === "ignore" ? "Ignore" : "Warn";
    // Duplicate keys are findings of their own.
    const outcome = await this.#review({ ...document, strictErrors: [] }, old, { kind, mode });
    if ("rule" in outcome) return [outcome];
    const { fieldValidation, isAligned, policies } = this.#options;
    const names = (): ReturnType<typeof kindNames> => kindNames(kind);
    const found = outcomeFindings(document, outcome, { kind, fieldValidation, isAligned, names });
    if (found.some(({ rule }) => rule === "decode")) return this.#allDecodeFindings(document, found, { kind, mode });
    return [...found, ...(policies?.findings(document, outcome) ?? [])];
  }

  /** The refusal names only the first value that does not fit its type, and no unknown field. */
  async #allDecodeFindings(
    document: ManifestDocument,
    found: readonly Finding[],
    { kind, mode }: { readonly kind: ResourceKind; readonly mode: FieldValidation },
  ): Promise<readonly Finding[]> {
    const problems = decodeProblems(document.object, kind);
    if (problems.length === 0) return found;
    const findings = found.filter(({ rule }) => rule !== "decode");
    for (const problem of problems) {
      const object = withoutValues(
        document.object,
        problems.filter((each) => each !== problem),
      );
      const outcome = await this.#review({ ...document, object, strictErrors: [] }, undefined, { kind, mode });
      if ("rule" in outcome || outcome.refusal === undefined) continue;
      const { message } = outcome.refusal;
      const hint = problemHint(problem, writtenAt(document, problem));
      findings.push(
        findingAt(document, { rule: "decode", severity: "error", message, path: problemPath(problem), hint }),
      );
    }
    return [...findings, ...(await this.#unknownFieldsBeside(document, problems, { kind, mode }))];
  }

  async #unknownFieldsBeside(
    document: ManifestDocument,
    problems: readonly DecodeProblem[],
    { kind, mode }: { readonly kind: ResourceKind; readonly mode: FieldValidation },
  ): Promise<readonly Finding[]> {
    const object = withoutValues(document.object, problems);
    const outcome = await this.#review({ ...document, object, strictErrors: [] }, undefined, { kind, mode });
    if ("rule" in outcome || outcome.fieldFindings.length === 0) return [];
    const { fieldValidation } = this.#options;
    const found = fieldFindings(document, outcome.fieldFindings, fieldValidation, { names: kindNames(kind) });
    // The duplicates are reported already.
    return found.filter(({ rule }) => rule === "field/unknown");
  }

  /**
   * What the API server would do with the document; undefined if its kind is unknown or its old object is unreadable.
   */
  async examine(document: ManifestDocument): Promise<Examined | undefined> {
    const kind = this.#kindOf(document.id);
    if (kind === undefined) return undefined;
    const old = this.#oldOf(document);
    const outcome = await this.#review(document, old, { kind, mode: MODES[this.#options.fieldValidation] });
    if ("rule" in outcome) return undefined;
    const { object } = outcome;
    return { kind, outcome, stored: object && readBack(object, kind), isUpdate: old !== undefined };
  }

  #oldOf(document: ManifestDocument): ManifestDocument | undefined {
    return this.#old.size === 0 ? undefined : this.#old.get(this.#pairKey(document));
  }

  #kindOf({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): ResourceKind | undefined {
    return this.#cluster.kinds.findKind(apiVersion, kind);
  }

  #passes(object: JsonObject, kind: ResourceKind): boolean {
    if (this.#view.admission.length > 0 || this.#options.operation !== undefined) return false;
    if (kind.passesCreate !== undefined && this.#options.isPlain?.(object) === true) return true;
    const namespace = metaText(object, "namespace") || DEFAULT_NAMESPACE;
    return kind.passesCreate?.(object, namespace, this.#cluster.system) ?? false;
  }

  #missing(document: ManifestDocument): readonly Finding[] {
    const { missingSchema: mode = "warn", version = SERVER_VERSION, defined } = this.#options;
    const found = missingSchema(document, { mode, defined: defined?.() ?? this.#served(), version });
    if (!found.some(isUnknownApi)) this.withoutSchema++;
    return found;
  }

  #served(): readonly ServedVersion[] {
    const custom = this.#cluster.kinds.custom.map(({ group, version, kind }) => ({
      apiVersion: `${group}/${version}`,
      kind,
      isComplete: true,
    }));
    return custom.filter((each) => !this.#isAssumed(each));
  }

  #isAssumed({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): boolean {
    return this.#options.policies?.assumedKinds.has(`${apiVersion} ${kind}`) === true;
  }

  /** Reports why the old object cannot be read. */
  async #review(
    document: ManifestDocument,
    old: ManifestDocument | undefined,
    { kind, mode }: { readonly kind: ResourceKind; readonly mode: FieldValidation },
  ): Promise<Outcome | Finding> {
    const { operation, user = DEFAULT_USER } = this.#options;
    const before = old ?? (operation === "UPDATE" || operation === "DELETE" ? document : undefined);
    const live = before && liveOf(before.object, kind, this.#cluster);
    if (typeof live === "string" && before !== undefined) {
      return findingAt(before, { rule: "decode", severity: "error", message: live });
    }
    const parts: WriteParts = {
      kind,
      object: document.object,
      live: typeof live === "string" ? undefined : live,
      fieldValidation: mode,
      strictErrors: document.strictErrors,
      user,
    };
    return review(operation === "DELETE" ? deleteOf(parts) : writeOf(parts), this.#view);
  }

  /**
   * Objects are paired by kind, namespace and name; another version of the same group is the same object. A manifest
   * without a namespace belongs to the default namespace; cluster-scoped objects have none, whatever the manifest says.
   */
  #pairKey({ id }: ManifestDocument): string {
    const group = id.apiVersion.includes("/") ? id.apiVersion.slice(0, id.apiVersion.indexOf("/")) : "";
    const namespace = this.#kindOf(id)?.namespaced === false ? "" : id.namespace || DEFAULT_NAMESPACE;
    return [group, id.kind, namespace, id.name].join("\0");
  }
}
