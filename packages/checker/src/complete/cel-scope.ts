/** The variables of an expression in a manifest, with what is known of their types. */

import { parseSchema } from "@portcullis/engine/internal/schema/parse";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { resolveChain } from "./cel-suggestions.ts";
import { type KindViews, valueAt } from "./kind-views.ts";
import { namesView, schemaView, type View } from "./view.ts";

type Steps = readonly (string | number)[];
/** What is known of each variable; undefined if nothing is. */
export type Variables = ReadonlyMap<string, View | undefined>;

export interface ExpressionPlace {
  /** From the root of the document to the value. */
  readonly path: Steps;
  /** The document, or its last version that could be read. */
  readonly object: JsonObject | undefined;
  /** The object that a policy is about, if that does not follow from its rules. */
  readonly target?: View | undefined;
}

/** Undefined if the value is not an expression. */
export function celScope(place: ExpressionPlace, kinds: KindViews): Variables | undefined {
  const { path, object } = place;
  const last = path.at(-1);
  const rules = path.lastIndexOf("x-kubernetes-validations");
  if (rules >= 0)
    return last === "rule" || last === "messageExpression" ? ruleScope(object, path.slice(0, rules)) : undefined;
  if (typeof last !== "string" || !EXPRESSIONS.includes(last)) return undefined;
  const kind = String(object?.["kind"]);
  if (POLICIES.includes(kind)) return policyScope(place, kinds);
  if (WEBHOOKS.includes(kind) && path.includes("matchConditions")) return webhookScope(place, kinds);
  if (path.at(-2) === "cel") return new Map([["device", namesView(DEVICE)]]);
  return undefined;
}

const EXPRESSIONS = ["expression", "valueExpression", "messageExpression"];
const POLICIES = ["ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"];
const WEBHOOKS = ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"];
const DEVICE = ["driver", "attributes", "capacity", "allowMultipleAllocations"];

function ruleScope(object: JsonObject | undefined, path: Steps): Variables {
  const schema = valueAt(object, path);
  const self = schema === undefined ? undefined : schemaView(parseSchema(schema), path.at(-1) === "openAPIV3Schema");
  return new Map([
    ["self", self],
    ["oldSelf", self],
  ]);
}

function policyScope({ path, object, target }: ExpressionPlace, kinds: KindViews): Variables {
  const spec = object?.["spec"];
  const view = target ?? viewOfRules(valueAt(spec, ["matchConstraints", "resourceRules"]), kinds);
  const paramKind = valueAt(spec, ["paramKind"]);
  const scope = new Map<string, View | undefined>([
    ...requestScope(view),
    ["params", isObject(paramKind) ? kinds.find(headerOf(paramKind)) : undefined],
    ["namespaceObject", kinds.find({ apiVersion: "v1", kind: "Namespace" })],
  ]);
  // Match conditions are evaluated before variables.
  if (!path.includes("matchConditions"))
    scope.set("variables", variablesView(valueAt(spec, ["variables"]), path, scope));
  return scope;
}

function webhookScope({ path, object }: ExpressionPlace, kinds: KindViews): Variables {
  const webhook = valueAt(object, path.slice(0, path.indexOf("matchConditions")));
  return new Map(requestScope(viewOfRules(valueAt(webhook, ["rules"]), kinds)));
}

function requestScope(view: View | undefined): [string, View | undefined][] {
  return [
    ["object", view],
    ["oldObject", view],
    ["request", namesView(REQUEST)],
    ["authorizer", undefined],
  ];
}

/** The kind of the first resource that is named. */
function viewOfRules(rules: JsonValue | undefined, kinds: KindViews): View | undefined {
  for (const rule of isArray(rules) ? rules : []) {
    for (const group of texts(valueAt(rule, ["apiGroups"]))) {
      for (const version of texts(valueAt(rule, ["apiVersions"]))) {
        for (const resource of texts(valueAt(rule, ["resources"]))) {
          const name = kinds.ofResource(group, version, resource.split("/")[0] ?? "");
          if (name !== undefined) return kinds.find(name);
        }
      }
    }
  }
  return undefined;
}

/** A variable sees the ones before it. One that only names a field has the type of that field. */
function variablesView(list: JsonValue | undefined, path: Steps, scope: Variables): View {
  const own = path[0] === "spec" && path[1] === "variables" ? Number(path[2]) : Number.POSITIVE_INFINITY;
  let view = namesView([]);
  for (const variable of (isArray(list) ? list : []).slice(0, own)) {
    const [name, expression] = [valueAt(variable, ["name"]), valueAt(variable, ["expression"])];
    if (typeof name !== "string") continue;
    const known = new Map([...scope, ["variables", view] as const]);
    const type = typeof expression === "string" ? resolveChain(expression.trim(), known) : undefined;
    view = withField(view, name, type ?? namesView([], "any"));
  }
  return view;
}

function withField(view: View, name: string, type: View): View {
  const fields = [...view.fields(), { name, isRequired: false, view: type }];
  return { ...view, fields: () => fields, member: (key) => fields.find((each) => each.name === key)?.view };
}

function texts(value: JsonValue | undefined): readonly string[] {
  return (isArray(value) ? value : []).flatMap((each) => (typeof each === "string" ? [each] : []));
}

function headerOf(object: JsonObject): { apiVersion: string; kind: string } {
  return { apiVersion: String(object["apiVersion"]), kind: String(object["kind"]) };
}

const REQUEST = [
  ...["uid", "kind", "resource", "subResource", "requestKind", "requestResource", "requestSubResource"],
  ...["name", "namespace", "operation", "userInfo", "dryRun", "options"],
];
