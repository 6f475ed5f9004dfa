/**
 * The cluster that texts are checked against: made of the CRDs that they use, the policies of the workspace, and the
 * objects that reviews read.
 *
 * It has only the CRDs that open texts and policies use, because a workspace may have hundreds.
 */
import { type Admission, buildAdmission, policyReview } from "@portcullis/checker/internal/check/admission";
import { Checker, type CheckerOptions } from "@portcullis/checker/internal/check/checker";
import { VariantChecker } from "@portcullis/checker/internal/check/crd-variants";
import { isDefinition } from "@portcullis/checker/internal/check/definition";
import { valueAt } from "@portcullis/checker/internal/complete/kind-views";
import { readFile } from "@portcullis/checker/internal/input/text";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { MemoryCluster } from "@portcullis/engine/internal/cluster/memory-cluster";
import { DEFAULT_CONFIGURATION } from "@portcullis/engine/internal/podsecurity/configuration";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { isArray } from "@portcullis/engine/internal/value/json";
import type { Definition, Folder } from "./folder.ts";

/** More CRDs than this are not kept for texts that may be closed by now. */
const MAX_IN_USE = 60;

interface Built {
  readonly revision: number;
  /** The CRDs in use, and the objects that reviews read. */
  readonly documents: readonly ManifestDocument[];
  readonly cluster: MemoryCluster;
  readonly admission: Admission | undefined;
}

export interface ContextSettings {
  readonly engine: EngineOptions;
  /** Whether policies of the workspace are evaluated. */
  readonly policies: boolean;
}

export class ClusterContext {
  readonly #folder: Folder;
  readonly #settings: ContextSettings;
  readonly #inUse = new Map<string, ManifestDocument>();
  #built: Built | undefined;

  constructor(folder: Folder, settings: ContextSettings) {
    this.#folder = folder;
    this.#settings = settings;
  }

  /** A checker for documents of these kinds. */
  async checkerFor(kinds: Iterable<string>, old: readonly ManifestDocument[] = []): Promise<VariantChecker> {
    const { documents, cluster, admission } = await this.#current(kinds);
    const { engine } = this.#settings;
    const options: CheckerOptions = {
      fieldValidation: "strict",
      missingSchema: "warn",
      version: engine.version,
      old,
      defined: () =>
        this.#folder.definedKinds().map(({ apiVersion, kind }) => ({ apiVersion, kind, isComplete: true })),
    };
    return new VariantChecker(documents.filter(isDefinition), (chosen) => {
      if (admission !== undefined) {
        const policies = admission.clusterFor(engine, chosen);
        return new Checker(policies.cluster, { ...options, policies: policyReview(policies) });
      }
      if (chosen === undefined) return new Checker(cluster, options);
      const wanted = documents.filter((each) => each === chosen || !isDefinition(each));
      return new Checker(this.#clusterOf(wanted), options);
    });
  }

  #clusterOf(documents: readonly ManifestDocument[]): MemoryCluster {
    const objects = documents.map(({ object }) => object);
    return new MemoryCluster(objects, { engine: this.#settings.engine, podSecurity: DEFAULT_CONFIGURATION });
  }

  /** What is wrong with the policies of a file, apart from what a check of the file reports. */
  async policyProblems(file: string): Promise<readonly Finding[]> {
    const { admission } = await this.#current([]);
    return (admission?.problems ?? []).filter((each) => each.file === file);
  }

  async #current(kinds: Iterable<string>): Promise<Built> {
    const { revision } = this.#folder;
    if (this.#built?.revision !== revision) this.#inUse.clear();
    if (this.#inUse.size > MAX_IN_USE) this.#inUse.clear();
    const added = this.#use(kinds);
    if (this.#built === undefined || this.#built.revision !== revision || added) this.#built = await this.#build();
    return this.#built;
  }

  /** Whether there are new ones. */
  #use(kinds: Iterable<string>): boolean {
    let added = false;
    for (const kind of kinds) {
      const last = this.#folder.definitionOf(kind);
      if (last === undefined) continue;
      const all = this.#folder.definitionsOf(kind);
      for (const definition of all.length > 1 ? all : [last]) added = this.#useOne(definition) || added;
    }
    return added;
  }

  #useOne(definition: Definition): boolean {
    const key = `${definition.name} ${definition.file}`;
    const document = this.#inUse.has(key) ? undefined : this.documentOf(definition);
    if (document === undefined) return false;
    this.#inUse.set(key, document);
    return true;
  }

  documentOf({ document, file, name }: Definition): ManifestDocument | undefined {
    if (document !== undefined) return document;
    const { documents } = readFile(file, this.#folder.textOf(file) ?? "");
    return documents.findLast((each) => isDefinition(each) && each.id.name === name);
  }

  async #build(): Promise<Built> {
    const { engine, policies: usesPolicies } = this.#settings;
    const folder = this.#folder;
    const { revision } = folder;
    const policies = usesPolicies ? folder.policies() : [];
    if (policies.length > 0) this.#use(policies.flatMap((each) => this.#kindsOfPolicy(each)));
    const documents = [...this.#inUse.values(), ...folder.context()];
    const cluster = this.#clusterOf(documents);
    if (policies.length === 0) return { revision, documents, cluster, admission: undefined };
    const params = policies.flatMap((each) => this.#paramsOf(each));
    const options = { podSecurity: DEFAULT_CONFIGURATION };
    const admission = await buildAdmission(policies, [...documents, ...params], [engine], options);
    return { revision, documents, cluster, admission };
  }

  /** The custom kinds that a policy names: its expressions are checked against their types. */
  #kindsOfPolicy({ object }: ManifestDocument): string[] {
    const rules = valueAt(object, ["spec", "matchConstraints", "resourceRules"]);
    const named = (isArray(rules) ? rules : []).map((rule) => {
      const texts = (key: string): readonly unknown[] => {
        const list = valueAt(rule, [key]);
        return isArray(list) ? list : [];
      };
      return { groups: texts("apiGroups"), resources: texts("resources") };
    });
    return this.#folder
      .definedKinds()
      .filter(({ group, plural }) =>
        named.some(({ groups, resources }) => groups.includes(group) && resources.includes(plural)),
      )
      .map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
  }

  #paramsOf({ object }: ManifestDocument): readonly ManifestDocument[] {
    const apiVersion = valueAt(object, ["spec", "paramKind", "apiVersion"]);
    const kind = valueAt(object, ["spec", "paramKind", "kind"]);
    if (typeof apiVersion !== "string" || typeof kind !== "string") return [];
    this.#use([`${apiVersion} ${kind}`]);
    return this.#folder.objectsOf(`${apiVersion} ${kind}`);
  }
}
