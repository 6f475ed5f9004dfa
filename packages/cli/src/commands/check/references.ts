/** `check --crds`: CRDs that are used for other inputs and are not checked themselves. */
import { statSync } from "node:fs";
import { mayDefine } from "@portcullis/checker/internal/check/definition";
import { Texts } from "@portcullis/checker/internal/check/texts";
import { crdsFromSchemas, schemaNameOf, UsedKinds } from "@portcullis/checker/internal/input/catalogue";
import { surveySource } from "@portcullis/checker/internal/input/documents";
import { type InputFile, type Listing, listInputs } from "@portcullis/checker/internal/input/files";
import { isKube, isSource, readSource, type SourceFile } from "@portcullis/checker/internal/input/sources";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { findingInFile } from "@portcullis/checker/internal/report/build";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import type { OptionSpecs } from "../../frame/option-spec.ts";
import type { Options } from "../../frame/options.ts";

export const CRD_OPTIONS = {
  crds: {
    type: "string",
    multiple: true,
    value: "SOURCE",
    group: "inputs",
    text: "CRDs to use and not to check: a path, git:REF:PATH, a URL, an archive, a catalogue of JSON schemas, or kube: for those of a cluster",
  },
} as const satisfies OptionSpecs;

const CLUSTER = "kube:";

/** A cluster among the inputs stands for its CRDs; so does a kubeconfig that nothing else uses. */
export function crdSources(options: Options): readonly string[] {
  const named = [...options.texts("crds"), ...options.positionals.filter(isKube)];
  const isUsed = [...named, ...options.texts("policies"), ...options.texts("old")].some(isKube);
  return options.text("kubeconfig") === undefined || isUsed ? named : [...named, CLUSTER];
}

/** References come first: a CRD among the inputs replaces them. */
export function withReferences(
  listing: Listing,
  crds: readonly string[],
  values: ReadonlyMap<string, string> | undefined,
): Listing {
  const { files, findings } = readReferences(crds, listing.files, values);
  return { ...listing, files: [...files, ...listing.files], problems: [...listing.problems, ...findings] };
}

interface References {
  readonly files: readonly InputFile[];
  readonly findings: readonly Finding[];
}

/** Of a catalogue, only the schemas of kinds that the inputs contain are read. */
function readReferences(
  sources: readonly string[],
  inputs: readonly InputFile[],
  values: ReadonlyMap<string, string> | undefined,
): References {
  if (sources.length === 0) return { files: [], findings: [] };
  let used: UsedKinds | undefined;
  const read = sources.map((source) => {
    const { plain, schemas } = filesOf(source);
    if (schemas.length > 0) used ??= kindsIn(inputs, values);
    const catalogued = used === undefined ? { crds: [], unusable: [] } : crdsFromSchemas(schemas, used);
    if (schemas.length === 0 && !plain.some(hasCrd)) throw new UsageError(`\`${source}\`: no CRDs found`);
    return {
      files: [...plain, ...catalogued.crds.map((crd) => ({ ...crd, isNamed: true }))],
      findings: catalogued.unusable.map(([file, reason]) => unusableSchema(file, reason)),
      partial: catalogued.crds.length === 0 ? [] : [partialSchemas(source, catalogued.crds.length)],
    };
  });
  return {
    files: read.flatMap(({ files }) => files.map((input) => ({ ...input, isReference: true }))),
    findings: read.flatMap(({ findings, partial }) => [...findings, ...partial]),
  };
}

interface SourceParts {
  readonly plain: readonly InputFile[];
  readonly schemas: readonly SourceFile[];
}

function filesOf(source: string): SourceParts {
  if (isSource(source)) {
    const all = readSource(source);
    const schemas = all.filter(({ file }) => schemaNameOf(file) !== undefined);
    return { plain: surveySource(all.filter((each) => !schemas.includes(each))).inputs, schemas };
  }
  const { files } = listInputs([source]);
  const isFolder = statSync(source, { throwIfNoEntry: false })?.isDirectory() === true;
  const isSchema = ({ file }: InputFile): boolean => isFolder && schemaNameOf(file) !== undefined;
  const texts = new Texts(files);
  const schemas = files.flatMap((input, index) =>
    isSchema(input) ? [lazyFile(input.file, () => texts.at(index))] : [],
  );
  return { plain: files.filter((input) => !isSchema(input)), schemas };
}

function lazyFile(file: string, read: () => string): SourceFile {
  return {
    file,
    get text() {
      return read();
    },
  };
}

function hasCrd(input: InputFile): boolean {
  return mayDefine(new Texts([input]).at(0));
}

function kindsIn(inputs: readonly InputFile[], values: ReadonlyMap<string, string> | undefined): UsedKinds {
  const used = new UsedKinds();
  const texts = new Texts(inputs, values);
  for (const index of inputs.keys()) used.add(texts.at(index));
  return used;
}

function unusableSchema(file: string, reason: string): Finding {
  const message = `the schema cannot be used: ${reason}`;
  return findingInFile(file, { rule: "schema/unusable", severity: "warning", message });
}

/** What the schemas of a catalogue do not say. */
function partialSchemas(source: string, count: number): Finding {
  const kinds = count === 1 ? "1 kind is" : `${count} kinds are`;
  return findingInFile(source, {
    rule: "schema/partial",
    severity: "note",
    message: `${kinds} checked with JSON schemas, which do not say the scope, the exact name of the kind and the subresources; status is not checked`,
    hint: "CRDs say more: use those of the project, or kube:",
  });
}
