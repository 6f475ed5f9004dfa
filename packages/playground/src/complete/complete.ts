/** What can be written where the cursor is, in any of the texts. */

import { readFile } from "@portcullis/checker/internal/input/documents";
import { builtinResources } from "@portcullis/engine/internal/builtin/builtin";
import { definitionShape } from "@portcullis/engine/internal/crd/shape";
import { policyShapes } from "@portcullis/engine/internal/policy/objects/shape";
import { parseSchema } from "@portcullis/engine/internal/schema/parse";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import type { Field } from "../modes.ts";
import type { State } from "../state.ts";
import { completeCel } from "./cel-suggestions.ts";
import type { Suggestion, Suggestions } from "./suggestion.ts";
import { schemaView, shapeView, type View, viewAt } from "./view.ts";
import { placeAt, type YamlPlace } from "./yaml-place.ts";

export interface CompletionRequest {
  readonly state: State;
  readonly field: Field;
  readonly offset: number;
}

/** Remembers the last definitions that could be read: while one is edited, it often cannot. */
export class Completer {
  #definitions: readonly JsonObject[] = [];

  complete({ state, field, offset }: CompletionRequest): Suggestions | undefined {
    const text = state.texts[field] ?? "";
    this.#readDefinitions(state);
    if (field === "expression") {
      const variables = variableNames(state.texts.variables ?? "");
      return celSuggestions(text.slice(0, offset), offset, state, new Map(variables.map((name) => [name, undefined])));
    }
    const place = placeAt(text, offset);
    if (place === undefined || field === "variables") return undefined;
    if (field === "request") return requestSuggestions(place);
    const view = this.#viewOf(place, field);
    if (place.at === "key") return view && keySuggestions(place, viewAt(view, place.path));
    const scope = this.#celScope(place, field, state);
    if (scope !== undefined) return celSuggestions(place.written, offset, state, scope);
    return this.#valueSuggestions(place, view);
  }

  #readDefinitions({ texts }: State): void {
    const found = ["definition", "cluster"] as const;
    const { documents } = readFile("", found.map((field) => texts[field] ?? "").join("\n---\n"));
    const definitions = documents.map(({ object }) => object).filter(({ kind }) => kind === "CustomResourceDefinition");
    if (definitions.length > 0) this.#definitions = definitions;
  }

  #viewOf({ document }: YamlPlace, field: Field): View | undefined {
    const [apiVersion, kind] = [rootValue(document, "apiVersion"), rootValue(document, "kind")];
    const known = this.#kindView(apiVersion, kind);
    if (known !== undefined) return known;
    if (field === "definition" || field === "oldDefinition") return shapeView(definitionShape);
    if (field === "policy") return shapeView(policyShapes("v1").policy);
    return schemaView(parseSchema(null), true);
  }

  #kindView(apiVersion: string, kind: string): View | undefined {
    if (kind === "CustomResourceDefinition") return shapeView(definitionShape);
    const shape = POLICY_SHAPES[kind];
    if (shape !== undefined) return shapeView(policyShapes("v1")[shape]);
    const defined = this.#kinds().find((each) => each.apiVersion === apiVersion && each.kind === kind);
    if (defined !== undefined) return schemaView(parseSchema(defined.schema), true);
    const builtin = builtinResources().find((each) => each.kind === kind && versionOf(each) === apiVersion);
    return builtin && shapeView(builtin.shape);
  }

  #kinds(): { apiVersion: string; kind: string; schema: JsonValue }[] {
    return this.#definitions.flatMap(({ spec }) => {
      const versions = at(spec, ["versions"]);
      return (isArray(versions) ? versions : []).map((version) => ({
        apiVersion: `${at(spec, ["group"])}/${at(version, ["name"])}`,
        kind: String(at(spec, ["names", "kind"])),
        schema: at(version, ["schema", "openAPIV3Schema"]) ?? null,
      }));
    });
  }

  /** The variables of the expression that the place is in; undefined if it is in none. */
  #celScope(
    { path, document }: YamlPlace,
    field: Field,
    state: State,
  ): ReadonlyMap<string, View | undefined> | undefined {
    const last = path.at(-1);
    const rules = path.lastIndexOf("x-kubernetes-validations");
    if (rules >= 0 && (last === "rule" || last === "messageExpression")) {
      const self = this.#schemaAround(document, path.slice(0, rules));
      return new Map([
        ["self", self],
        ["oldSelf", self],
      ]);
    }
    if (field !== "policy" || (last !== "expression" && last !== "valueExpression" && last !== "messageExpression")) {
      return undefined;
    }
    return this.#policyScope(document, state);
  }

  #schemaAround(document: string, path: readonly (string | number)[]): View | undefined {
    const name = /^ {2}name: *(\S+)/m.exec(document)?.[1];
    const definition =
      this.#definitions.find((each) => at(each, ["metadata", "name"]) === name) ?? this.#definitions[0];
    const schema = at(definition, path);
    return schema === undefined ? undefined : schemaView(parseSchema(schema), path.at(-1) === "openAPIV3Schema");
  }

  #policyScope(document: string, { texts }: State): ReadonlyMap<string, View | undefined> {
    const object = texts.object ?? "";
    const view = this.#kindView(rootValue(object, "apiVersion"), rootValue(object, "kind"));
    const namespace = this.#kindView("v1", "Namespace");
    const [, names = ""] = /^ +variables:\n((?: +.*\n)*)/m.exec(document) ?? [];
    const own = [...names.matchAll(/- name: *(\w+)/g)].map(([, name = ""]) => name);
    return new Map<string, View | undefined>([
      ["object", view],
      ["oldObject", view],
      ["request", namesView(REQUEST)],
      ["params", undefined],
      ["namespaceObject", namespace],
      ["authorizer", undefined],
      ["variables", namesView(own)],
    ]);
  }

  #valueSuggestions(place: YamlPlace, view: View | undefined): Suggestions | undefined {
    const { path, from, document } = place;
    const [key] = path;
    if (path.length === 1 && (key === "kind" || key === "apiVersion")) {
      const given = { apiVersion: rootValue(document, "apiVersion"), kind: rootValue(document, "kind") };
      return valueList(from, this.#headers(key, given));
    }
    return valueList(from, (view && viewAt(view, path))?.values ?? []);
  }

  /** What fits the other operand, if that is known already. */
  #headers(key: "kind" | "apiVersion", given: { readonly apiVersion: string; readonly kind: string }): string[] {
    const all = [
      ...this.#kinds(),
      ...builtinResources().map((each) => ({ apiVersion: versionOf(each), kind: each.kind })),
      { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" },
    ];
    const other = key === "kind" ? "apiVersion" : "kind";
    const fitting = all.filter((each) => each[other] === given[other]);
    return [...new Set((fitting.length > 0 ? fitting : all).map((each) => each[key]))].sort();
  }
}

const POLICY_SHAPES: Readonly<Record<string, keyof ReturnType<typeof policyShapes>>> = {
  ValidatingAdmissionPolicy: "policy",
  ValidatingAdmissionPolicyBinding: "binding",
  MutatingAdmissionPolicy: "mutatingPolicy",
  MutatingAdmissionPolicyBinding: "mutatingBinding",
};

function versionOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === "" ? version : `${group}/${version}`;
}

function rootValue(document: string, key: "apiVersion" | "kind"): string {
  return new RegExp(`^${key}: *["']?([^\\s"'#]+)`, "m").exec(document)?.[1] ?? "";
}

function at(json: JsonValue | undefined, path: readonly (string | number)[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, step) => {
    if (typeof step === "number") return isArray(value) ? value[step] : undefined;
    return isObject(value) ? value[step] : undefined;
  }, json);
}

const REQUEST = [
  ...["uid", "kind", "resource", "subResource", "requestKind", "requestResource", "requestSubResource"],
  ...["name", "namespace", "operation", "userInfo", "dryRun", "options"],
];

function namesView(names: readonly string[]): View {
  const unknown: View = {
    type: "any",
    about: "",
    values: [],
    fields: () => [],
    member: () => undefined,
    item: () => undefined,
  };
  const fields = names.map((name) => ({ name, isRequired: false, view: unknown }));
  return { ...unknown, type: "object", fields: () => fields };
}

function variableNames(text: string): string[] {
  return [...text.matchAll(/^([A-Za-z_]\w*):/gm)].map(([, name = ""]) => name);
}

function celSuggestions(
  text: string,
  offset: number,
  { version }: State,
  variables: ReadonlyMap<string, View | undefined>,
): Suggestions | undefined {
  // What is quoted as YAML is an expression all the same.
  const found = completeCel(text.replace(/^["']/, ""), { version, variables });
  return found && { from: offset - found.written.length, options: found.options };
}

/** As `portcullis policy eval --request` reads them. */
const REQUEST_KEYS = [
  ...["operation", "resource", "subresource", "objectName", "namespace", "user", "groups", "options", "dryRun"],
];
const OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

function requestSuggestions({ at: where, path, from, taken, written }: YamlPlace): Suggestions | undefined {
  if (where === "value") return path[0] === "operation" ? valueList(from, OPERATIONS) : undefined;
  const keys = REQUEST_KEYS.filter((key) => !taken.includes(key));
  const options = keys.map((label) => ({ label, kind: "field", detail: "", about: "", apply: `${label}: ` }) as const);
  return path.length === 0 && !written.includes(":") ? { from, options } : undefined;
}

function valueList(from: number, values: readonly string[]): Suggestions | undefined {
  if (values.length === 0) return undefined;
  return {
    from,
    options: values.map((label) => ({ label, kind: "value", detail: "", about: "", apply: quoted(label) })),
  };
}

/** Some texts are not what YAML takes them for. */
function quoted(value: string): string {
  return /^[*&!%@`]/.test(value) ? JSON.stringify(value) : value;
}

function keySuggestions({ from, taken, indent, path }: YamlPlace, view: View | undefined): Suggestions | undefined {
  if (view === undefined) return undefined;
  const free = view.fields().filter(({ name }) => !taken.includes(name) && !(path.length === 0 && name === "status"));
  const options = free.map(({ name, isRequired, view: inner }): Suggestion => {
    const detail = isRequired ? `${inner.type}, required` : inner.type;
    return { label: name, kind: "field", detail, about: inner.about, isRequired, apply: name + opening(inner, indent) };
  });
  return options.length === 0 ? undefined : { from, options };
}

/** What is written behind the key, so that the value can follow. */
function opening({ type }: View, indent: number): string {
  const deeper = `\n${" ".repeat(indent + 2)}`;
  if (type === "list") return `:${deeper}- `;
  return type === "object" || type === "map" ? `:${deeper}` : ": ";
}
