/** Checks one document after another against the kinds that are known. */
import { unknownFieldUnescaped } from "@portcullis/engine/codec/messages";
import { decodeResource } from "@portcullis/engine/pipeline/coerce";
import type { CustomResource, EngineOptions } from "@portcullis/engine/pipeline/custom-resource";
import { StatusError, statusBody } from "@portcullis/engine/status/error";
import type { ManifestDocument } from "../input/manifest.ts";
import { gvkOf, type KindCatalog, kindCatalog } from "../policy/kinds.ts";
import { isPolicyObject } from "../policy/world.ts";
import { findingAt } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import type { Admission } from "./admission.ts";
import { type BuiltInReview, reviewBuiltIn, reviewPolicy } from "./built-in.ts";
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
  readonly #kinds: KindCatalog;
  readonly #admission: Admission | undefined;

  constructor(
    catalog: Catalog,
    engine: EngineOptions,
    fieldValidation: FieldValidationMode,
    old: readonly ManifestDocument[],
    admission?: Admission,
  ) {
    this.#catalog = catalog;
    this.#engine = engine;
    this.#fieldValidation = fieldValidation;
    this.#old = new Map(old.map((document) => [pairKey(document), document]));
    this.#kinds = kindCatalog([], engine);
    this.#admission = admission;
  }

  check(document: ManifestDocument): Finding[] {
    const old = this.#old.get(pairKey(document));
    return [...this.#checkSchema(document, old), ...(this.#admission?.review(document, old) ?? [])];
  }

  #checkSchema(document: ManifestDocument, old: ManifestDocument | undefined): Finding[] {
    if (isDefinition(document)) return lintDefinition(document, old, this.#engine);
    const { apiVersion, kind } = document.id;
    const resource = this.#catalog.find(apiVersion, kind);
    if (resource !== undefined) return this.#checkResource(document, old, resource);
    const review = this.#reviewBuiltIn(document, old);
    if (review !== undefined) return [...this.#fieldFindings(document, review.unknown), ...review.findings];
    this.withoutSchema++;
    return [missingSchema(document)];
  }

  #reviewBuiltIn(document: ManifestDocument, old: ManifestDocument | undefined): BuiltInReview | undefined {
    if (isPolicyObject(document.object)) return reviewPolicy(document);
    const kind = this.#kinds.ofKind(gvkOf(document.object));
    return kind?.builtin && reviewBuiltIn(document, old, { ...kind, builtin: kind.builtin });
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
