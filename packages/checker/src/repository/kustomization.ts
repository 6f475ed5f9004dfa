/** What a `kustomization.yaml` names: the objects it applies, and the files that are only parts of it. */
import { decodeDocuments } from "@portcullis/engine/internal/codec/documents";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { folderOf, join } from "./paths.ts";

/** What is read besides names. Undefined for a file that does not exist. */
export type ReadText = (file: string) => string | undefined;

export interface Kustomization {
  readonly file: string;
  readonly folder: string;
  /** Files and folders of objects, also files that it names only in comments. */
  readonly resources: readonly string[];
  /** Files that are not objects: patches, replacements, generators and their inputs. */
  readonly parts: readonly string[];
  /** Patches that it names only in comments. */
  readonly unused: readonly string[];
  /** Whether it may add or change fields of its objects, so that they are incomplete by themselves. */
  readonly changes: boolean;
  /** Whether it puts its objects into a namespace, also the service accounts that role bindings name. */
  readonly setsNamespace: boolean;
}

/** Undefined if it is another document, such as a Flux Kustomization. */
export function readKustomization(file: string, text: string): Kustomization | undefined {
  const root = decodeDocuments(text)
    .map(({ document }) => (document.error === undefined ? document.value : undefined))
    .find(isObject);
  if (root === undefined || !isKustomizeFile(root)) return undefined;
  const folder = folderOf(file);
  const paths = (names: readonly string[]): readonly string[] =>
    names.filter((name) => !name.includes("\n")).map((name) => join(folder, name));
  return {
    file,
    folder,
    resources: paths([
      ...["resources", "bases", "components"].flatMap((field) => texts(root[field])),
      ...namedInComments(text, "resources"),
    ]),
    parts: paths(partsOf(root)),
    unused: paths(namedInComments(text, "patches")),
    changes: CHANGING.some((field) => !isEmpty(root[field])),
    setsNamespace: typeof root["namespace"] === "string",
  };
}

/** kustomize accepts a file without version and kind. */
function isKustomizeFile({ apiVersion, kind }: JsonObject): boolean {
  if (apiVersion === undefined && (kind === undefined || kind === "Kustomization" || kind === "Component")) return true;
  return typeof apiVersion === "string" && apiVersion.startsWith("kustomize.config.k8s.io/");
}

/** Fields that change more than names and images. */
const CHANGING = [
  "commonLabels",
  "components",
  "labels",
  "patches",
  "patchesJson6902",
  "patchesStrategicMerge",
  "replacements",
  "transformers",
  "vars",
];

function partsOf(root: JsonObject): readonly string[] {
  const generators = [...objects(root["configMapGenerator"]), ...objects(root["secretGenerator"])];
  return [
    ...["patches", "patchesJson6902", "replacements"].flatMap((field) =>
      objects(root[field]).flatMap(({ path }) => texts([path ?? null])),
    ),
    ...["patchesStrategicMerge", "generators", "transformers", "validators", "configurations"].flatMap((field) =>
      texts(root[field]),
    ),
    ...generators.flatMap(({ files, envs, env }) => [
      ...texts(files).map((each) => each.slice(each.indexOf("=") + 1)),
      ...texts(envs),
      ...texts([env ?? null]),
    ]),
    ...objects(root["helmCharts"]).flatMap(({ valuesFile, additionalValuesFiles }) => [
      ...texts([valuesFile ?? null]),
      ...texts(additionalValuesFiles),
    ]),
    ...texts([(isObject(root["openapi"]) ? root["openapi"]["path"] : undefined) ?? null]),
  ];
}

const FIELD = /^#? ?([A-Za-z0-9]+):/;
const UNUSED_ITEM = /^[ \t]*#[ \t]*- +(?:path: *)?["']?([\w./-]+\.ya?ml)["']?[ \t]*(?:#.*)?$/;

/** Files that comments name where a field has its items: scaffolds have them to be switched on. */
function namedInComments(text: string, prefix: string): readonly string[] {
  const found: string[] = [];
  let field = "";
  for (const line of text.split("\n")) {
    field = FIELD.exec(line)?.[1] ?? field;
    const name = field.startsWith(prefix) ? UNUSED_ITEM.exec(line)?.[1] : undefined;
    if (name !== undefined) found.push(name);
  }
  return found;
}

function texts(value: JsonValue | undefined): readonly string[] {
  return isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  return isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}
