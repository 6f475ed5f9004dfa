/**
 * The kinds of a cluster that exists only in memory: the built-in ones, and those that CRDs among the inputs define. A kind
 * is made when it is first needed.
 */
import { type BuiltinResource, builtinResourceOf } from "../builtin/builtin.ts";
import { type ResourceInfo, resourceInfos } from "../builtin/resources.ts";
import { decodeDefinition } from "../crd/decode.ts";
import { type CustomResourceDefinition, readDefinition } from "../crd/definition.ts";
import type { Kinds } from "../review/cluster-view.ts";
import { apiVersionOf, type ResourceKind } from "../review/kind.ts";
import { checkAccessReview, checkRulesReview, checkTokenReview } from "../review/kinds/access-review.ts";
import { builtInKind } from "../review/kinds/built-in.ts";
import { crdKind } from "../review/kinds/crd.ts";
import { customResourceKinds } from "../review/kinds/custom-resource.ts";
import { namespaceKind } from "../review/kinds/namespace.ts";
import { kindOfServer } from "../review/kinds/server-kind.ts";
import { type StandardKindOptions, standardRules } from "../review/kinds/standard.ts";
import type { JsonObject } from "../value/json.ts";
import { asServer } from "../value/server-version.ts";

type MakeKind = () => ResourceKind;

export interface MemoryKindOptions extends StandardKindOptions {
  /** Finds a CRD for a kind that none of the given ones defines. */
  readonly findCrd?: ((apiVersion: string, kind: string) => JsonObject | undefined) | undefined;
}

export class MemoryKinds implements Kinds {
  readonly #byKind = new Map<string, MakeKind>();
  readonly #byResource = new Map<string, MakeKind>();
  readonly #custom: ResourceKind[] = [];
  readonly #options: MemoryKindOptions;
  readonly #missing = new Set<string>();
  #all: readonly ResourceKind[] | undefined;

  /** A CRD never replaces a built-in kind, in a cluster neither. Of CRDs with the same name the last one counts. */
  constructor(crds: readonly JsonObject[], options: MemoryKindOptions) {
    this.#options = options;
    const byName = new Map(crds.map((json) => definitionOf(json)).map((definition) => [definition.name, definition]));
    for (const definition of byName.values()) this.#addCustom(definition);
    for (const info of asServer(options.engine, resourceInfos))
      this.#add(
        info,
        once(() => this.#makeBuiltin(info)),
      );
  }

  findKind(apiVersion: string, kind: string): ResourceKind | undefined {
    const key = `${apiVersion} ${kind}`;
    if (!this.#byKind.has(key)) this.#addMissing(key, apiVersion, kind);
    return this.#byKind.get(key)?.();
  }

  find(group: string, version: string, plural: string): ResourceKind | undefined {
    return this.#byResource.get(`${apiVersionOf({ group, version })} ${plural}`)?.();
  }

  all(): readonly ResourceKind[] {
    this.#all ??= [...new Set([...this.#byResource.values()].map((make) => make()))];
    return this.#all;
  }

  /** Those that CRDs define. */
  get custom(): readonly ResourceKind[] {
    return this.#custom;
  }

  #addMissing(key: string, apiVersion: string, kind: string): void {
    if (this.#missing.has(key)) return;
    this.#missing.add(key);
    const crd = this.#options.findCrd?.(apiVersion, kind);
    if (crd !== undefined) this.#addCustom(definitionOf(crd));
  }

  #addCustom(definition: CustomResourceDefinition): void {
    for (const kind of customResourceKinds(definition, { engine: this.#options.engine }).served) {
      this.#custom.push(kind);
      this.#add(kind, () => kind);
    }
  }

  #makeBuiltin(info: ResourceInfo): ResourceKind {
    const { engine } = this.#options;
    return asServer(engine, () => kindOfServer(makeKind(builtinResourceOf(info), this.#options), engine));
  }

  #add(gvr: Pick<ResourceKind, "group" | "version" | "kind" | "plural">, make: MakeKind): void {
    const apiVersion = apiVersionOf(gvr);
    this.#byKind.set(`${apiVersion} ${gvr.kind}`, make);
    this.#byResource.set(`${apiVersion} ${gvr.plural}`, make);
  }
}

function definitionOf(json: JsonObject): CustomResourceDefinition {
  const decoded = decodeDefinition(json);
  return readDefinition(decoded.error === undefined ? decoded.value : json);
}

function makeKind(resource: BuiltinResource, options: StandardKindOptions): ResourceKind {
  const { group, plural } = resource;
  if (group === "" && plural === "namespaces") return namespaceKind;
  if (group === "apiextensions.k8s.io") return crdKind(options.engine);
  const kind = builtInKind(resource, standardRules(resource, options));
  const answerCreate = ANSWERS[`${group}/${plural}`];
  return answerCreate === undefined ? kind : { ...kind, answerCreate };
}

type Answer = NonNullable<ResourceKind["answerCreate"]>;

const answerAccess: Answer = async (draft, { namespace, server }) =>
  asServer(server, () => checkAccessReview(draft, namespace));

/** Reviews are checked; their answers depend on a real cluster. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  "authorization.k8s.io/localsubjectaccessreviews": answerAccess,
  "authorization.k8s.io/selfsubjectaccessreviews": answerAccess,
  "authorization.k8s.io/subjectaccessreviews": answerAccess,
  "authorization.k8s.io/selfsubjectrulesreviews": async (draft) => {
    checkRulesReview(draft);
    return draft;
  },
  "authentication.k8s.io/tokenreviews": async (draft) => {
    checkTokenReview(draft);
    return draft;
  },
  "authentication.k8s.io/selfsubjectreviews": async (draft) => draft,
};

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
