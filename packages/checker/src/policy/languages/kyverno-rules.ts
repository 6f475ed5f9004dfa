/**
 * The rules of Kyverno's ClusterPolicy that are written in CEL.
 *
 * Kyverno goes by the kind of an object, not by its resource. Without the cluster's list of kinds a rule becomes a policy
 * about everything, with match conditions for the kinds, names, namespaces and labels. Rules about all pods name the
 * resource instead, so that policies for their controllers can be generated.
 */
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { metaOf } from "@portcullis/engine/internal/value/metadata";
import { objectOf, objectsOf, textOf, textsOf } from "@portcullis/engine/internal/value/read";
import { celText, type Loss, nameIn } from "./objects.ts";

/** A rule with the fields of a ValidatingPolicy. */
export interface ClusterRule {
  readonly name: string;
  readonly spec: JsonObject;
  /** For which policies are generated. */
  readonly controllers: readonly string[];
}

/** The resources for which Kyverno generates policies from those about pods. */
export const CONTROLLERS: readonly string[] = [
  ...["daemonsets", "deployments", "jobs", "replicasets", "statefulsets", "cronjobs"],
];

/** Only one with a rule in CEL: others have nothing that could be evaluated here. */
export function isClusterPolicy({ apiVersion, kind, spec }: JsonObject): boolean {
  return textOf(apiVersion).startsWith("kyverno.io/") && kind === "ClusterPolicy" && rulesIn(spec).some(isCelRule);
}

function rulesIn(spec: JsonValue | undefined): readonly JsonObject[] {
  return objectsOf(objectOf(spec)["rules"]);
}

function isCelRule(rule: JsonObject): boolean {
  return isObject(objectOf(rule["validate"])["cel"]);
}

/** The name of the policy that a rule becomes. */
export function ruleName(policy: string, rule: string): string {
  return `${policy}.${rule.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
}

export function clusterRules(policy: JsonObject): {
  readonly rules: readonly ClusterRule[];
  readonly losses: readonly Loss[];
} {
  const losses: Loss[] = [];
  const rules = rulesIn(policy["spec"]).flatMap((rule, index) => {
    const lost = (at: string, message: string): void => {
      losses.push({ object: nameIn(policy), path: `spec.rules[${index}]${at}`, message });
    };
    if (!isCelRule(rule)) {
      lost("", "the rule is not in CEL");
      return [];
    }
    const unknown = unknownFilters(rule);
    if (unknown !== undefined) {
      lost("", `a filter by ${unknown} cannot be converted`);
      return [];
    }
    return [convertRule(policy, rule)];
  });
  return { rules, losses };
}

function convertRule(policy: JsonObject, rule: JsonObject): ClusterRule {
  const own = objectOf(policy["spec"]);
  const cel = objectOf(objectOf(rule["validate"])["cel"]);
  const isAboutPods = podsOnly(rule);
  const [first] = blocksOf(rule["match"]);
  const operations = textsOf(objectOf(first?.["resources"])["operations"]);
  const action = textOf(objectOf(rule["validate"])["failureAction"]) || textOf(own["validationFailureAction"]);
  const conditions = isAboutPods
    ? []
    : [
        { name: "match", expression: matchText(rule["match"], "match") },
        ...(rule["exclude"] === undefined
          ? []
          : [{ name: "exclude", expression: `!(${matchText(rule["exclude"], "exclude")})` }]),
      ];
  const everything = { apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] };
  const pods = { apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] };
  const spec = fromPlain({
    ...(own["failurePolicy"] !== undefined && { failurePolicy: own["failurePolicy"] }),
    validationActions: [action.toLowerCase() === "enforce" ? "Deny" : "Audit"],
    matchConstraints: {
      resourceRules: [
        {
          ...(isAboutPods ? pods : everything),
          operations: operations.length === 0 ? ["CREATE", "UPDATE"] : operations,
        },
      ],
    },
    matchConditions: [...conditions, ...objectsOf(rule["celPreconditions"])],
    validations: objectsOf(cel["expressions"]),
    ...Object.fromEntries(
      ["variables", "auditAnnotations", "paramKind", "paramRef"].flatMap((key) =>
        cel[key] === undefined ? [] : [[key, cel[key]]],
      ),
    ),
  });
  if (!isObject(spec)) throw new Error("a policy is an object");
  return {
    name: ruleName(nameIn(policy), textOf(rule["name"])),
    spec,
    controllers: isAboutPods ? controllersOf(policy) : [],
  };
}

const AUTOGEN = "pod-policies.kyverno.io/autogen-controllers";

function controllersOf(policy: JsonObject): readonly string[] {
  const chosen = objectOf(metaOf(policy)["annotations"])[AUTOGEN];
  if (typeof chosen !== "string") return CONTROLLERS;
  return chosen.split(",").map((kind) => `${kind.trim().toLowerCase()}s`);
}

/** Whether it is about all pods, so that Kyverno generates rules for their controllers. */
function podsOnly(rule: JsonObject): boolean {
  const blocks = blocksOf(rule["match"]);
  return (
    rule["exclude"] === undefined &&
    blocks.length === 1 &&
    blocks.every(({ resources }) => {
      const { kinds, operations: _, ...others } = objectOf(resources);
      return ["Pod", "v1/Pod"].includes(textsOf(kinds).join()) && Object.keys(others).length === 0;
    })
  );
}

/** Written as a list of alternatives, a list of requirements, or one filter. */
function blocksOf(match: JsonValue | undefined): readonly JsonObject[] {
  const { any, all, ...own } = objectOf(match);
  return any === undefined && all === undefined ? [own] : [...objectsOf(any), ...objectsOf(all)];
}

const FILTERS: ReadonlySet<string> = new Set([
  ...["kinds", "operations", "names", "name", "namespaces", "selector", "annotations"],
]);

function unknownFilters(rule: JsonObject): string | undefined {
  const blocks = [rule["match"], rule["exclude"]].flatMap((each) => (each === undefined ? [] : blocksOf(each)));
  const names = blocks.flatMap(({ resources, ...others }) => [
    ...Object.keys(objectOf(resources)).filter((key) => !FILTERS.has(key)),
    ...Object.keys(others),
  ]);
  return names[0];
}

function matchText(match: JsonValue | undefined, part: "match" | "exclude"): string {
  const isEvery = objectOf(match)["all"] !== undefined;
  const texts = blocksOf(match).map((block) => blockText(objectOf(block["resources"]), part));
  return texts.length === 0
    ? String(part === "match")
    : texts.map((text) => `(${text})`).join(isEvery ? " && " : " || ");
}

/** A deleted object is the old one. */
const META = "(object == null ? oldObject : object).metadata";

function blockText(resources: JsonObject, part: "match" | "exclude"): string {
  const operations = textsOf(resources["operations"]);
  const names = [...textsOf(resources["names"]), textOf(resources["name"])].filter((name) => name !== "");
  const all = [
    anyOf(textsOf(resources["kinds"]).map(kindText)),
    anyOf(names.map((name) => patternText(`${META}.?name.orValue("")`, name))),
    anyOf(textsOf(resources["namespaces"]).map((name) => patternText('request.?namespace.orValue("")', name))),
    ...Object.entries(objectOf(resources["annotations"])).map(([key, value]) => memberText("annotations", key, value)),
    ...selectorTexts(objectOf(resources["selector"])),
    // Those of the first match are operations of the rule.
    ...(part === "exclude" && operations.length > 0
      ? [`request.operation in [${operations.map(celText).join(", ")}]`]
      : []),
  ].filter((text) => text !== "");
  return all.length === 0 ? "true" : all.join(" && ");
}

function anyOf(texts: readonly string[]): string {
  return texts.length > 1 ? `(${texts.join(" || ")})` : (texts[0] ?? "");
}

/** `Kind`, `version/Kind`, `group/version/Kind`. */
function kindText(text: string): string {
  const [kind = "", version = "*", group = version === "*" ? "*" : ""] = text.split("/").reverse();
  const parts = [
    [group, "group"],
    [version, "version"],
    [kind, "kind"],
  ].flatMap(([pattern = "", field]) => (pattern === "*" ? [] : [patternText(`request.kind.${field}`, pattern)]));
  return parts.length === 0 ? "true" : parts.join(" && ");
}

/** With the wildcards `*` and `?`. */
function patternText(value: string, pattern: string): string {
  if (!/[*?]/.test(pattern)) return `${value} == ${celText(pattern)}`;
  const regex = pattern
    .replaceAll(/[^\w*?-]/g, (each) => `\\${each}`)
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return `${value}.matches(${celText(`^${regex}$`)})`;
}

function memberText(map: "labels" | "annotations", key: string, value: JsonValue): string {
  return `${META}.?${map}[?${celText(key)}].optMap(each, ${patternText("each", textOf(value))}).orValue(false)`;
}

function selectorTexts(selector: JsonObject): string[] {
  const labels = Object.entries(objectOf(selector["matchLabels"])).map(([key, value]) =>
    memberText("labels", key, value),
  );
  const expressions = objectsOf(selector["matchExpressions"]).map(({ key, operator, values }) => {
    const found = `${META}.?labels[?${celText(textOf(key))}]`;
    const listed = `[${textsOf(values).map(celText).join(", ")}]`;
    switch (operator) {
      case "In":
        return `${found}.optMap(each, each in ${listed}).orValue(false)`;
      case "NotIn":
        return `!${found}.optMap(each, each in ${listed}).orValue(false)`;
      case "Exists":
        return `${found}.hasValue()`;
      default:
        return `!${found}.hasValue()`;
    }
  });
  return [...labels, ...expressions];
}
