/** What the API server would say to a definition, at the place in the file that it speaks of. */
import { unknownField } from "@portcullis/engine/codec/messages";
import { type DecodedDefinition, decodeDefinition } from "@portcullis/engine/crd/decode";
import { prepareForCreate, prepareForUpdate } from "@portcullis/engine/crd/prepare";
import { definitionShape } from "@portcullis/engine/crd/shape";
import { type DefinitionVerdict, validateDefinition } from "@portcullis/engine/crd/validate";
import type { EngineOptions } from "@portcullis/engine/review/custom-resource/custom-resource";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/value/json";
import { withMember } from "@portcullis/engine/value/rewrite";
import type { ManifestDocument } from "../input/manifest.ts";
import { findingAt } from "../report/build.ts";
import { fieldFinding } from "../report/field-error.ts";
import type { Finding } from "../report/finding.ts";
import { fieldFindings } from "./field-findings.ts";
import { namesInShape } from "./field-names.ts";

export function lintDefinition(
  document: ManifestDocument,
  old: ManifestDocument | undefined,
  engine: EngineOptions,
): Finding[] {
  const decoded = decodeDefinition(document.object);
  if (decoded.error !== undefined) {
    return [findingAt(document, { rule: "decode", severity: "error", message: decoded.error })];
  }
  const before = old && storedForm(decodeDefinition(old.object).value, engine);
  const prepared =
    before === undefined
      ? prepareForCreate(decoded.value, engine.gates)
      : prepareForUpdate(withVersion(decoded.value), before, engine.gates);
  return definitionFindings(document, decoded, validateDefinition(prepared, before, engine));
}

/** The server's verdict on a definition, and the fields it does not know, as findings. */
export function definitionFindings(
  document: ManifestDocument,
  { unknown }: Pick<DecodedDefinition, "unknown">,
  { errors, warnings }: DefinitionVerdict,
): Finding[] {
  return [
    ...fieldFindings(document, unknown, "strict", { messageOf: unknownField, namesAt: DEFINITION_NAMES }),
    ...errors.map((error) => {
      const path = sourcePath(error.path.toString(), document.object);
      const rule = error.origin === "" ? "crd" : `crd/${error.origin}`;
      return fieldFinding(document, error, { rule, severity: "error", path });
    }),
    ...(errors.length > 0 ? [] : warnings).map((message) =>
      findingAt(document, { rule: "crd/warning", severity: "warning", message }),
    ),
  ];
}

const DEFINITION_NAMES = namesInShape(definitionShape);

/** A definition that is in the cluster has been accepted once, and its names are established. */
function storedForm(json: JsonObject, engine: EngineOptions): JsonObject {
  const prepared = withVersion(prepareForCreate(json, engine.gates));
  const status = isObject(prepared["status"]) ? prepared["status"] : newObject();
  const established = newObject();
  Object.assign(established, { type: "Established", status: "True" });
  return withMember(prepared, "status", withMember(status, "conditions", [established]));
}

function withVersion(json: JsonObject): JsonObject {
  const meta = isObject(json["metadata"]) ? json["metadata"] : newObject();
  return withMember(json, "metadata", withMember(meta, "resourceVersion", "1"));
}

const HOISTED: readonly (readonly [string, string])[] = [
  ["spec.validation", "spec.versions[0].schema"],
  ["spec.subresources", "spec.versions[0].subresources"],
  ["spec.additionalPrinterColumns", "spec.versions[0].additionalPrinterColumns"],
  ["spec.selectableFields", "spec.versions[0].selectableFields"],
];

/** What all versions share is reported as if it stood above them; in the file it stands in each. */
export function sourcePath(path: string, definition: JsonObject): string {
  const spec = isObject(definition["spec"]) ? definition["spec"] : newObject();
  for (const [reported, written] of HOISTED) {
    const key = reported.slice("spec.".length);
    if (path.startsWith(reported) && spec[key] === undefined) return written + path.slice(reported.length);
  }
  return path;
}
