/** Checks one document after another against the kinds that are known. */
import { unknownFieldUnescaped } from "@portcullis/engine/codec/messages";
import { decodeResource } from "@portcullis/engine/pipeline/coerce";
import type { CustomResource, EngineOptions } from "@portcullis/engine/pipeline/custom-resource";
import { StatusError, statusBody } from "@portcullis/engine/status/error";
import type { ManifestDocument } from "../input/manifest.ts";
import { findingAt } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import { type Catalog, isDefinition } from "./catalog.ts";
import { lintDefinition } from "./lint.ts";
import { reviewObject } from "./review.ts";

/** What happens to unknown and duplicate fields. */
export type FieldValidationMode = "strict" | "warn" | "ignore";

export class Checker {
  withoutSchema = 0;
  readonly #catalog: Catalog;
  readonly #engine: EngineOptions;
  readonly #fieldValidation: FieldValidationMode;
  readonly #old: ReadonlyMap<string, ManifestDocument>;

  constructor(
    catalog: Catalog,
    engine: EngineOptions,
    fieldValidation: FieldValidationMode,
    old: readonly ManifestDocument[],
  ) {
    this.#catalog = catalog;
    this.#engine = engine;
    this.#fieldValidation = fieldValidation;
    this.#old = new Map(old.map((document) => [pairKey(document), document]));
  }

  check(document: ManifestDocument): Finding[] {
    const old = this.#old.get(pairKey(document));
    if (isDefinition(document)) return lintDefinition(document, old, this.#engine);
    const { apiVersion, kind } = document.id;
    const resource = this.#catalog.find(apiVersion, kind);
    if (resource !== undefined) return this.#checkResource(document, old, resource);
    this.withoutSchema++;
    return [missingSchema(document)];
  }

  #checkResource(document: ManifestDocument, old: ManifestDocument | undefined, resource: CustomResource): Finding[] {
    const draft = decodeResource(document.object, resource, { trackUnknown: this.#fieldValidation !== "ignore" });
    if (draft.error !== undefined)
      return [findingAt(document, { rule: "decode", severity: "error", message: draft.error })];
    const fields = this.#fieldFindings(document, draft.unknown);
    try {
      return [...fields, ...reviewObject(document, draft.object, old, resource)];
    } catch (refusal) {
      if (!(refusal instanceof StatusError)) throw refusal;
      const message = String(statusBody(refusal)["message"]);
      return [...fields, findingAt(document, { rule: "request", severity: "error", message })];
    }
  }

  #fieldFindings(document: ManifestDocument, unknown: readonly string[]): Finding[] {
    if (this.#fieldValidation === "ignore") return [];
    const severity = this.#fieldValidation === "strict" ? "error" : "warning";
    return [
      ...document.strictErrors.map((message) =>
        findingAt(document, { rule: "field/duplicate", atKey: true, severity, message, path: quotedPath(message) }),
      ),
      ...unknown.map((path) =>
        findingAt(document, {
          rule: "field/unknown",
          atKey: true,
          severity,
          message: unknownFieldUnescaped(path),
          path,
        }),
      ),
    ];
  }
}

/** Objects are paired by kind, namespace and name; another version of the same group is the same object. */
function pairKey({ id }: ManifestDocument): string {
  const group = id.apiVersion.includes("/") ? id.apiVersion.slice(0, id.apiVersion.indexOf("/")) : "";
  return [group, id.kind, id.namespace, id.name].join("\0");
}

function quotedPath(message: string): string {
  return /"(.*)"/.exec(message)?.[1] ?? "";
}

function missingSchema(document: ManifestDocument): Finding {
  const { apiVersion, kind } = document.id;
  return findingAt(document, {
    rule: "schema/not-found",
    severity: "warning",
    message: `no definition of ${kind || "an unnamed kind"} in ${apiVersion || "an unnamed version"} among the inputs`,
    hint: "name the file or folder with its CustomResourceDefinition as another PATH",
  });
}
