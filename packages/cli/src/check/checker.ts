/** Checks one document after another against the kinds that are known. */
import type { BuiltinResource } from "@portcullis/engine/builtin/builtin";
import { decodeResource } from "@portcullis/engine/review/custom-resource/coerce";
import type { CustomResource, EngineOptions } from "@portcullis/engine/review/custom-resource/custom-resource";
import { StatusError, statusBody } from "@portcullis/engine/status/error";
import type { JsonObject } from "@portcullis/engine/value/json";
import type { ManifestDocument } from "../input/manifest.ts";
import { objectId } from "../input/text.ts";
import { isPolicyObject } from "../policy/judge.ts";
import { gvkOf, type KindCatalog, kindCatalog } from "../policy/kinds.ts";
import { passesCreate } from "../policy/settle.ts";
import { findingAt } from "../report/build.ts";
import type { Finding, ObjectId } from "../report/finding.ts";
import type { Admission } from "./admission.ts";
import { type BuiltInReview, reviewBuiltIn, reviewPolicy } from "./built-in.ts";
import type { Catalog } from "./catalog.ts";
import { isDefinition } from "./definition.ts";
import { type FieldValidationMode, fieldFindings } from "./field-findings.ts";
import { namesInSchema, namesInShape } from "./field-names.ts";
import { lintDefinition } from "./lint.ts";
import { type MissingSchemaMode, missingSchema } from "./missing-schema.ts";
import { reviewObject } from "./review.ts";

export interface CheckerMore {
  readonly admission?: Admission | undefined;
  readonly missingSchema?: MissingSchemaMode | undefined;
}

export class Checker {
  withoutSchema = 0;
  readonly #catalog: Catalog;
  readonly #engine: EngineOptions;
  readonly #fieldValidation: FieldValidationMode;
  readonly #old: ReadonlyMap<string, ManifestDocument>;
  readonly #kinds: KindCatalog;
  readonly #more: CheckerMore;
  readonly #builtIn = new Map<string, BuiltinResource>();

  constructor(
    catalog: Catalog,
    engine: EngineOptions,
    fieldValidation: FieldValidationMode,
    old: readonly ManifestDocument[],
    more: CheckerMore = {},
  ) {
    this.#catalog = catalog;
    this.#engine = engine;
    this.#fieldValidation = fieldValidation;
    this.#old = new Map(old.map((document) => [pairKey(document), document]));
    this.#kinds = kindCatalog([], engine);
    this.#more = more;
  }

  check(document: ManifestDocument): Finding[] {
    const old = this.#old.size === 0 ? undefined : this.#old.get(pairKey(document));
    const found = this.#checkSchema(document, old);
    const { admission } = this.#more;
    return admission === undefined ? found : [...found, ...admission.review(document, old, this.#engine)];
  }

  /** Whether a new object of a built-in kind is taken without a word; false where only `check` can tell. */
  passes(object: JsonObject): boolean {
    const id = objectId(object);
    const builtin = isDefinition({ id }) || isPolicyObject(object) ? undefined : this.#builtInOf(id);
    return builtin !== undefined && passesCreate(object, builtin, id.namespace || "default");
  }

  /** A definition never replaces a built-in kind, in a cluster neither. */
  #checkSchema(document: ManifestDocument, old: ManifestDocument | undefined): Finding[] {
    if (isDefinition(document)) return lintDefinition(document, old, this.#engine);
    const review = this.#reviewBuiltIn(document, old);
    if (review !== undefined) {
      const builtin = review.unknown.length === 0 ? undefined : this.#builtInOf(document.id);
      const namesAt = builtin && namesInShape(builtin.shape);
      return [...fieldFindings(document, review.unknown, this.#fieldValidation, { namesAt }), ...review.findings];
    }
    const { apiVersion, kind } = document.id;
    const resource = this.#catalog.find(apiVersion, kind);
    if (resource !== undefined) return this.#checkResource(document, old, resource);
    this.withoutSchema++;
    return missingSchema(document, this.#more.missingSchema ?? "warn", this.#catalog.kinds);
  }

  #reviewBuiltIn(document: ManifestDocument, old: ManifestDocument | undefined): BuiltInReview | undefined {
    if (isPolicyObject(document.object)) return reviewPolicy(document, this.#engine.version);
    const builtin = this.#builtInOf(document.id);
    return builtin && reviewBuiltIn(document, old, builtin);
  }

  #builtInOf({ apiVersion, kind }: ObjectId): BuiltinResource | undefined {
    const key = `${apiVersion} ${kind}`;
    const known = this.#builtIn.get(key);
    if (known !== undefined) return known;
    const builtin = this.#kinds.ofKind(gvkOf({ apiVersion, kind }))?.builtin;
    if (builtin !== undefined) this.#builtIn.set(key, builtin);
    return builtin;
  }

  #checkResource(document: ManifestDocument, old: ManifestDocument | undefined, resource: CustomResource): Finding[] {
    const fieldValidation = this.#fieldValidation;
    const draft = decodeResource(document.object, resource, { trackUnknown: fieldValidation !== "ignore" });
    if (draft.error !== undefined)
      return [findingAt(document, { rule: "decode", severity: "error", message: draft.error })];
    const namesAt = resource.schema && namesInSchema(resource.schema);
    const fields = fieldFindings(document, draft.unknown, fieldValidation, { namesAt });
    try {
      return [...fields, ...reviewObject(document, draft.object, old, resource)];
    } catch (refusal) {
      if (!(refusal instanceof StatusError)) throw refusal;
      const message = String(statusBody(refusal)["message"]);
      return [...fields, findingAt(document, { rule: "request", severity: "error", message })];
    }
  }
}

/**
 * Objects are paired by kind, namespace and name; another version of the same group is the same object, and a manifest
 * that names no namespace means the default one.
 */
function pairKey({ id }: ManifestDocument): string {
  const group = id.apiVersion.includes("/") ? id.apiVersion.slice(0, id.apiVersion.indexOf("/")) : "";
  return [group, id.kind, id.namespace || "default", id.name].join("\0");
}
