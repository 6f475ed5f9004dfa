/** What can be written where the cursor is, in any of the texts. */
import { celScope, type Variables } from "@portcullis/checker/internal/complete/cel-scope";
import { type HoverText, hoverAt, hoverExpression } from "@portcullis/checker/internal/complete/hover";
import { definedKindsOf, KindViews } from "@portcullis/checker/internal/complete/kind-views";
import { celSuggestions, completeManifest, headerOf, valueList } from "@portcullis/checker/internal/complete/manifest";
import type { Suggestions } from "@portcullis/checker/internal/complete/suggestion";
import { schemaView, shapeView, type View } from "@portcullis/checker/internal/complete/view";
import { type ManifestPlace, placeAt } from "@portcullis/checker/internal/complete/yaml-place";
import { readFile } from "@portcullis/checker/internal/input/documents";
import { definitionShape } from "@portcullis/engine/internal/crd/shape";
import { policyShapes } from "@portcullis/engine/internal/policy/objects/shape";
import { parseSchema } from "@portcullis/engine/internal/schema/parse";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText } from "@portcullis/engine/internal/value/metadata";
import { CONTEXT_FIELDS, contextNames, type Field } from "../modes.ts";
import type { State } from "../state.ts";

export interface CompletionRequest {
  readonly state: State;
  readonly field: Field;
  readonly offset: number;
}

/** Remembers the last texts that could be read: while one is edited, it often cannot. */
export class Completer {
  #definitions: readonly JsonObject[] = [];
  #policies: readonly JsonObject[] = [];
  readonly #kinds = new KindViews(definedKindsOf(() => this.#definitions));

  complete({ state, field, offset }: CompletionRequest): Suggestions | undefined {
    const text = state.texts[field] ?? "";
    this.#read(state);
    if (field === "expression") {
      return celSuggestions(text.slice(0, offset), offset, state.version, this.#expressionScope(state));
    }
    const place = placeAt(text, offset);
    if (place === undefined || field === "variables") return undefined;
    if (field === "request") return requestSuggestions(place);
    return completeManifest(place, offset, {
      kinds: this.#kinds,
      version: state.version,
      view: this.#viewOf(place, field),
      variables: celScope(
        { path: place.path, object: this.#objectAt(place, field), target: this.#target(state) },
        this.#kinds,
      ),
    });
  }

  /** Documentation for a place. */
  hover({ state, field, offset }: CompletionRequest): HoverText | undefined {
    const text = state.texts[field] ?? "";
    this.#read(state);
    if (field === "expression") return hoverExpression(text, offset, this.#expressionScope(state), state);
    if (field === "request" || field === "variables") return undefined;
    return hoverAt(readFile("", text).documents, offset, { kinds: this.#kinds, version: state.version });
  }

  #expressionScope({ texts }: State): Variables {
    const objects = CONTEXT_FIELDS.filter((field) => (texts[field] ?? "").trim() !== "").flatMap((field) =>
      contextNames(field).map((name) => [name, this.#kinds.find(headerOf(texts[field] ?? ""))] as const),
    );
    return new Map([...objects, ...variableNames(texts.variables ?? "").map((name) => [name, undefined] as const)]);
  }

  #read({ texts }: State): void {
    const definitions = objectsOf(`${texts.definition ?? ""}\n---\n${texts.cluster ?? ""}`).filter(
      ({ kind }) => kind === "CustomResourceDefinition",
    );
    if (definitions.length > 0) this.#definitions = definitions;
    const policies = objectsOf(texts.policy ?? "");
    if (policies.length > 0) this.#policies = policies;
  }

  /** The document as it could be read last. */
  #objectAt({ document }: ManifestPlace, field: Field): JsonObject | undefined {
    const [own] = objectsOf(document);
    if (own !== undefined) return own;
    const name = /^ {2}name: *(\S+)|^metadata: *\{ *name: *([^\s,}]+)/m.exec(document)?.slice(1).find(Boolean);
    const known = field === "policy" ? this.#policies : this.#definitions;
    return known.find((each) => metaText(each, "name") === name) ?? known[0];
  }

  /** What the policy is about: the object that is written beside it. */
  #target({ texts }: State): View | undefined {
    return this.#kinds.find(headerOf(texts.object ?? ""));
  }

  #viewOf({ document }: ManifestPlace, field: Field): View | undefined {
    const known = this.#kinds.find(headerOf(document));
    if (known !== undefined) return known;
    if (field === "definition" || field === "oldDefinition") return shapeView(definitionShape);
    if (field === "policy") return shapeView(policyShapes("v1").policy);
    return schemaView(parseSchema(null), true);
  }
}

function objectsOf(text: string): readonly JsonObject[] {
  return readFile("", text).documents.map(({ object }) => object);
}

function variableNames(text: string): string[] {
  return [...text.matchAll(/^([A-Za-z_]\w*):/gm)].map(([, name = ""]) => name);
}

/** As `portcullis policy eval --request` reads them. */
const REQUEST_KEYS = [
  ...["operation", "resource", "subresource", "objectName", "namespace", "user", "groups", "options", "dryRun"],
];
const OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

function requestSuggestions(place: ManifestPlace): Suggestions | undefined {
  const { at: where, path, from, taken, written } = place;
  if (where === "value") return path[0] === "operation" ? valueList(place, OPERATIONS) : undefined;
  const keys = REQUEST_KEYS.filter((key) => !taken.includes(key));
  const options = keys.map((label) => ({ label, kind: "field", detail: "", about: "", apply: `${label}: ` }) as const);
  return path.length === 0 && !written.includes(":") ? { from, options } : undefined;
}
