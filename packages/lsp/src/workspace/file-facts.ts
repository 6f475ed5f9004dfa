/** What the check of other files has to know of a file. Its text is not kept. */
import { isContext, isDefinition } from "@portcullis/checker/internal/check/definition";
import { addIdentity, type Identity } from "@portcullis/checker/internal/check/duplicates";
import { type DefinedKind, versionsOf } from "@portcullis/checker/internal/complete/kind-views";
import { readObjects } from "@portcullis/checker/internal/input/objects";
import { isPolicyObject } from "@portcullis/checker/internal/policy/policy-objects";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import type { InputFile } from "@portcullis/checker/internal/repository/survey";

export interface DefinitionFacts {
  /** Of the CRD. */
  readonly name: string;
  readonly versions: readonly DefinedKind[];
  /** Kept for texts that are open: what is in the editor need not be on disk, nor readable a moment later. */
  readonly document?: ManifestDocument | undefined;
}

export interface FileFacts {
  readonly definitions: readonly DefinitionFacts[];
  /** Policies and bindings. */
  readonly policies: readonly ManifestDocument[];
  /** Objects that reviews and policies read: namespaces, roles, classes. */
  readonly context: readonly ManifestDocument[];
  /** `apiVersion kind` of every object. */
  readonly kinds: ReadonlySet<string>;
  /** What identifies its objects in a cluster. */
  readonly identities: readonly string[];
  /** What could not be read now is as it was before. */
  readonly isStale: boolean;
}

export const NO_FACTS: FileFacts = {
  definitions: [],
  policies: [],
  context: [],
  kinds: new Set(),
  identities: [],
  isStale: false,
};

const RBAC = "rbac.authorization.k8s.io/";

export interface FactOptions {
  readonly isTestData?: boolean | undefined;
  readonly isOpen?: boolean | undefined;
}

export function factsOf(documents: readonly ManifestDocument[], options: FactOptions = {}): FileFacts {
  const { isTestData = false, isOpen = false } = options;
  const identities: Identity[] = [];
  for (const { object } of documents) addIdentity(object, 0, identities);
  return {
    definitions: isTestData ? [] : documents.filter(isDefinition).map((each) => definitionFacts(each, isOpen)),
    policies: documents.filter(({ object }) => isPolicyObject(object)),
    context: isTestData ? [] : documents.filter(isRead),
    kinds: new Set(documents.map(({ id }) => `${id.apiVersion} ${id.kind}`)),
    identities: identities.map(([key]) => key),
    isStale: false,
  };
}

function definitionFacts(document: ManifestDocument, isOpen: boolean): DefinitionFacts {
  const versions = versionsOf(document.object).map(({ schema: _, ...name }) => name);
  return { name: document.id.name, versions, document: isOpen ? document : undefined };
}

function isRead(document: ManifestDocument): boolean {
  return (isContext(document) && !isDefinition(document)) || document.id.apiVersion.startsWith(RBAC);
}

/** A text that may say nothing of interest is not parsed. */
export function readFacts(input: InputFile, text: string): FileFacts {
  if (!/\bkind["']?[ \t]*:/.test(text)) return NO_FACTS;
  return factsOf(readObjects(input, text).documents, { isTestData: input.isTestData });
}

/** While a text cannot be read, its definitions and policies stay as they were. */
export function keepUnreadable(before: FileFacts, now: FileFacts): FileFacts {
  const names = new Set(now.definitions.map(({ name }) => name));
  const policies = new Set(now.policies.map(({ id }) => `${id.kind} ${id.name}`));
  return {
    ...now,
    definitions: [...now.definitions, ...before.definitions.filter(({ name }) => !names.has(name))],
    policies: [...now.policies, ...before.policies.filter(({ id }) => !policies.has(`${id.kind} ${id.name}`))],
    isStale: true,
  };
}

/** Whether checks of other files may give other results. */
export function affectsOthers(before: FileFacts, now: FileFacts): boolean {
  return [before, now].some(
    ({ definitions, policies, context }) => definitions.length + policies.length + context.length > 0,
  );
}
