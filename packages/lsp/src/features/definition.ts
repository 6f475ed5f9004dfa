/** Go to definition: from a value to the field of the CRD it belongs to, from a binding to its policy, and from a variable to its expression. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { isDefinition } from "@portcullis/checker/internal/check/definition";
import { valueAt } from "@portcullis/checker/internal/complete/kind-views";
import {
  type ObjectPlace,
  objectPlaceAt,
  offsetInScalar,
  type Steps,
} from "@portcullis/checker/internal/complete/object-place";
import { readFile } from "@portcullis/checker/internal/input/text";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { locateSteps, type SourceNode } from "@portcullis/engine/internal/codec/position";
import { isArray, isObject } from "@portcullis/engine/internal/value/json";
import type { Location, Position } from "vscode-languageserver";
import type { OpenText } from "./open-text.ts";

export function definition(open: OpenText, position: Position): Location | undefined {
  const offset = open.document.offsetAt(position);
  const place = objectPlaceAt(open.objects(), offset);
  if (place === undefined) return undefined;
  return policyOf(open, place) ?? variableOf(open, place, offset) ?? fieldOf(open, place);
}

/** The schema of the field, or of the nearest field above that the schema has. */
function fieldOf(open: OpenText, { object, steps }: ObjectPlace): Location | undefined {
  const known = open.folder.definitionOf(`${object.id.apiVersion} ${object.id.kind}`);
  const crd = known && open.context.documentOf(known);
  if (known === undefined || crd === undefined || isDefinition(object)) return undefined;
  if (known.isSchema === true) return inSchema(open, known.file, steps);
  const version = object.id.apiVersion.slice(object.id.apiVersion.indexOf("/") + 1);
  const versions = valueAt(crd.object, ["spec", "versions"]);
  const index = (isArray(versions) ? versions : []).findIndex((each) => valueAt(each, ["name"]) === version);
  const root = ["spec", "versions", index, "schema", "openAPIV3Schema"];
  return locationOf(open, crd, schemaSteps(crd, root, steps));
}

/** The place in a schema of a catalogue, which has no CRD around it. */
function inSchema(open: OpenText, file: string, steps: Steps): Location | undefined {
  const [schema] = readFile(file, open.folder.textOf(file) ?? "").documents;
  return schema && locationOf(open, schema, schemaSteps(schema, [], steps));
}

function schemaSteps(crd: ManifestDocument, root: Steps, steps: Steps): Steps {
  let at = [...root];
  for (const step of steps) {
    const next = typeof step === "number" ? [...at, "items"] : fieldSteps(crd, at, step);
    if (next === undefined || valueAt(crd.object, next) === undefined) return at;
    at = next;
  }
  return at;
}

function fieldSteps(crd: ManifestDocument, at: Steps, name: string): (string | number)[] | undefined {
  const named = [...at, "properties", name];
  if (valueAt(crd.object, named) !== undefined) return named;
  const others = [...at, "additionalProperties"];
  return isObject(valueAt(crd.object, others)) ? others : undefined;
}

/** The policy that a binding names. */
function policyOf(open: OpenText, { object, steps, value }: ObjectPlace): Location | undefined {
  const isBinding = object.id.kind.endsWith("AdmissionPolicyBinding");
  if (!isBinding || steps.join(".") !== "spec.policyName") return undefined;
  const kind = object.id.kind.slice(0, -"Binding".length);
  const policy = open.folder.policies().find(({ id }) => id.kind === kind && id.name === value);
  return policy && locationOf(open, policy, ["metadata", "name"]);
}

/** The declaration of `variables.name`. */
function variableOf(open: OpenText, place: ObjectPlace, offset: number): Location | undefined {
  const { object, value, isKey } = place;
  if (isKey || typeof value !== "string" || !object.id.kind.endsWith("AdmissionPolicy")) return undefined;
  const at = offsetInScalar(place, value, offset);
  const end = at + (/^\w*/.exec(value.slice(at))?.[0].length ?? 0);
  const name = /\bvariables\.(\w+)$/.exec(value.slice(0, end))?.[1];
  const list = valueAt(object.object, ["spec", "variables"]);
  const index = (isArray(list) ? list : []).findIndex((each) => valueAt(each, ["name"]) === name);
  return name === undefined || index < 0 ? undefined : locationOf(open, object, ["spec", "variables", index, "name"]);
}

function locationOf({ folder }: OpenText, document: ManifestDocument, steps: Steps): Location | undefined {
  if (document.source === undefined) return undefined;
  const node = locateSteps(document.source, steps);
  const start = document.lines.locate(document.offset + startOf(node));
  const at = { line: start.line - 1, character: start.column - 1 };
  return { uri: pathToFileURL(path.join(folder.root, document.file)).href, range: { start: at, end: at } };
}

function startOf({ keyStart, start }: SourceNode): number {
  return keyStart >= 0 ? keyStart : start;
}
