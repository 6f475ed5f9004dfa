/** The findings of a text that is open: what `portcullis check` reports about the file, and what it adds for updates. */
import { DEFAULT_ASSUMPTIONS, underAssumptions } from "@portcullis/checker/internal/check/assumptions";
import { type CheckDocument, checkObjects, type ReadText } from "@portcullis/checker/internal/check/check-text";
import { duplicateFindings, type Identity } from "@portcullis/checker/internal/check/duplicates";
import { NOT_FOUND } from "@portcullis/checker/internal/check/missing-modes";
import { readObjects } from "@portcullis/checker/internal/input/objects";
import { findingAt } from "@portcullis/checker/internal/report/build";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import type { ClusterContext } from "../workspace/cluster-context.ts";
import type { Folder } from "../workspace/folder.ts";
import type { CompareMode } from "../workspace/settings.ts";

export interface DiagnosticContext {
  readonly folder: Folder;
  readonly context: ClusterContext;
  readonly compare: CompareMode;
  /** Called between documents; throws if the result is not needed any more. */
  readonly pause: () => Promise<void>;
}

/** In the order of the documents. */
export async function diagnose(read: ReadText, around: DiagnosticContext): Promise<readonly Finding[]> {
  const { folder, context, compare } = around;
  const { input, objects } = read;
  const kinds = new Set(objects.documents.map(({ id }) => `${id.apiVersion} ${id.kind}`));
  const old = compare === "create" ? [] : await oldDocuments(input.file, folder);
  const creates = compare === "update" && old.length > 0 ? [] : await checkAs(read, [], { ...around, kinds });
  const updates = old.length === 0 ? [] : await checkAs(read, old, { ...around, kinds });
  const found = dropRepeated([
    ...creates,
    ...updates,
    ...duplicates(read, folder),
    ...(await policyProblems(read, context)),
    ...staleDefinitions(objects.documents, folder),
  ]);
  // Kinds are unknown as long as their CRDs have not been read.
  return folder.isReady ? found : found.filter(({ rule }) => rule !== NOT_FOUND && rule !== "api/unknown");
}

async function checkAs(
  read: ReadText,
  old: readonly ManifestDocument[],
  { context, kinds, pause }: DiagnosticContext & { readonly kinds: ReadonlySet<string> },
): Promise<readonly Finding[]> {
  const checker = await context.checkerFor(kinds, old);
  const check: CheckDocument = async (document) => {
    await pause();
    const found = await checker.check(document);
    return underAssumptions(found, document, { ...DEFAULT_ASSUMPTIONS, isNamed: read.input.isNamed });
  };
  return (await checkObjects(read, check)).filter(({ suppressed }) => suppressed === undefined);
}

async function oldDocuments(file: string, folder: Folder): Promise<readonly ManifestDocument[]> {
  const text = await folder.head.textOf(file);
  return text === undefined ? [] : readObjects({ file, isNamed: false }, text).documents;
}

/** The same finding may come from several checks. */
function dropRepeated(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ rule, severity, range, message, hint }) => {
    const key = [rule, severity, range?.start.line, range?.start.column, message, hint].join("\0");
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Objects that this file and another one have. */
function duplicates({ input, objects }: ReadText, folder: Folder): readonly Finding[] {
  const own = folder.identitiesOf(input.file);
  if (objects.documents.length === 0 || own.length === 0) return [];
  const files = folder.filesWith(own);
  const identities = files.flatMap(([, keys], index) => keys.map((key): Identity => [key, index]));
  const texts = {
    inputAt: (index: number) => {
      const file = files[index]?.[0] ?? input.file;
      return folder.inputOf(file) ?? { file, isNamed: false };
    },
    at: (index: number) => folder.textOf(files[index]?.[0] ?? input.file) ?? "",
  };
  return duplicateFindings(identities, texts).filter(({ file }) => file === input.file);
}

/** Those of policies that the text has now: policies of its last readable version stay in use, and may be kept. */
async function policyProblems({ input, objects }: ReadText, context: ClusterContext): Promise<readonly Finding[]> {
  const has = ({ object }: Finding): boolean =>
    objects.documents.some(({ id }) => id.kind === object?.kind && id.name === object.name);
  return (await context.policyProblems(input.file)).filter(has);
}

/** Says that an object is checked with a CRD that cannot be read any more. */
function staleDefinitions(documents: readonly ManifestDocument[], folder: Folder): readonly Finding[] {
  return documents.flatMap((document) => {
    const definition = folder.definitionOf(`${document.id.apiVersion} ${document.id.kind}`);
    if (definition?.isStale !== true) return [];
    const message = `checked with the last readable version of ${definition.name}; ${definition.file} cannot be read now`;
    return [findingAt(document, { rule: "editor/stale-crd", severity: "note", path: "kind", message })];
  });
}
