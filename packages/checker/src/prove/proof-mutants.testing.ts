/** Policies with one edit each, to be compared with the original. */
import { SERVER_VERSION } from "@portcullis/engine/internal/kubecel/versions";
import type { Random } from "@portcullis/engine/internal/prove/attack";
import { deepCopy } from "@portcullis/engine/internal/value/copy";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";

/** The newest server, with its default settings. */
export const PROOF_ENGINE = {
  version: SERVER_VERSION,
  gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true },
};

export interface Mutant {
  readonly operator: string;
  readonly objects: readonly JsonObject[];
}

/** An edit of an expression; undefined if it does not apply. */
type ExpressionEdit = (text: string, random: Random) => string | undefined;

/** Replaces one match of the pattern. */
function replacing(pattern: RegExp, make: (match: string) => string): ExpressionEdit {
  return (text, random) => {
    const places = [...text.matchAll(pattern)];
    const place = random.pick(places);
    if (place === undefined) return undefined;
    const [found] = place;
    return text.slice(0, place.index) + make(found) + text.slice(place.index + found.length);
  };
}

const COMPARISON = /(?<![<>=!])(<|>)(?!=)/g;

// biome-ignore format: a table
const EXPRESSION_EDITS: Readonly<Record<string, ExpressionEdit>> = {
  "less to at most":            replacing(COMPARISON, (match) => `${match}=`),
  "at most to less":            replacing(/<=|>=/g, (match) => match.slice(0, 1)),
  "turned comparison":          replacing(/<=|>=/g, (match) => (match === "<=" ? ">=" : "<=")),
  "equal to not equal":         replacing(/==/g, () => "!="),
  "not equal to equal":         replacing(/!=/g, () => "=="),
  "and to or":                  replacing(/&&/g, () => "||"),
  "or to and":                  replacing(/\|\|/g, () => "&&"),
  "number and one":             replacing(/\b\d{1,6}\b/g, (match) => String(Number(match) + 1)),
  "number less one":            replacing(/\b\d{1,6}\b/g, (match) => String(Math.max(0, Number(match) - 1))),
  "true to false":              replacing(/\btrue\b/g, () => "false"),
  "false to true":              replacing(/\bfalse\b/g, () => "true"),
  "all to exists":              replacing(/\.all\(/g, () => ".exists("),
  "exists to all":              replacing(/\.exists\(/g, () => ".all("),
  "exists to exists_one":       replacing(/\.exists\(/g, () => ".exists_one("),
  "startsWith to endsWith":     replacing(/\.startsWith\(/g, () => ".endsWith("),
  "startsWith to contains":     replacing(/\.(startsWith|endsWith)\(/g, () => ".contains("),
  "another text":               replacing(/'[^'\\]*'/g, (match) => `'${match.slice(1, -1)}x'`),
  "shorter text":               replacing(/'[^'\\]{2,}'/g, (match) => `${match.slice(0, -2)}'`),
  "has to not has":             replacing(/!?has\(/g, (match) => (match.startsWith("!") ? "has(" : "!has(")),
  "guard dropped":              replacing(/has\([^()]*\) && /g, () => ""),
  "negation dropped":           replacing(/!(?=[a-z(])/g, () => ""),
  "optional to plain":          replacing(/\.\?/g, () => "."),
  "init containers forgotten":  replacing(/initContainers/g, () => "containers"),
  "ephemeral forgotten":        replacing(/ephemeralContainers/g, () => "initContainers"),
  "filter to all of them":      replacing(/\.filter\(\w+, /g, (match) => `${match}true || `),
  "negated":                    (text) => `!(${text})`,
  "the same, twice negated":    (text) => `!!(${text})`,
  "the same and true":          (text) => `(${text}) && true`,
  "the same or false":          (text) => `false || (${text})`,
};

type SpecEdit = (spec: JsonObject, random: Random) => boolean;

function listOf(value: JsonValue | undefined): JsonValue[] {
  return isArray(value) ? value : [];
}

function rules(spec: JsonObject): JsonObject[] {
  const match = spec["matchConstraints"];
  return isObject(match) ? listOf(match["resourceRules"]).filter(isObject) : [];
}

function drop(list: JsonValue[], random: Random): boolean {
  if (list.length < 2) return false;
  list.splice(random.below(list.length), 1);
  return true;
}

// biome-ignore format: a table
const POLICY_EDITS: Readonly<Record<string, SpecEdit>> = {
  "failure policy turned": (spec) => { spec["failurePolicy"] = spec["failurePolicy"] === "Ignore" ? "Fail" : "Ignore"; return true; },
  "validation dropped":    (spec, random) => drop(listOf(spec["validations"]), random),
  "condition dropped":     (spec) => { const has = spec["matchConditions"] !== undefined; delete spec["matchConditions"]; return has; },
  "rule dropped":          (spec, random) => { const match = spec["matchConstraints"]; return isObject(match) && drop(listOf(match["resourceRules"]), random); },
  "operation dropped":     (spec, random) => drop(listOf(random.pick(rules(spec))?.["operations"]), random),
  "resource dropped":      (spec, random) => drop(listOf(random.pick(rules(spec))?.["resources"]), random),
  "delete added":          (spec, random) => { const operations = listOf(random.pick(rules(spec))?.["operations"]); if (operations.includes("DELETE") || operations.includes("*")) return false; operations.push("DELETE"); return true; },
  "selector added":        (spec) => { const match = spec["matchConstraints"]; if (!isObject(match)) return false; match["objectSelector"] = { matchLabels: { app: "x" } }; return true; },
  "message changed":       (spec) => listOf(spec["validations"]).filter(isObject).every((each) => { each["message"] = "no"; delete each["messageExpression"]; return true; }),
};

// biome-ignore format: a table
const BINDING_EDITS: Readonly<Record<string, SpecEdit>> = {
  "deny to warn":       (spec) => { spec["validationActions"] = ["Warn"]; return true; },
  "deny to audit":      (spec) => { spec["validationActions"] = ["Audit"]; return true; },
  "narrowed to dev":    (spec) => { spec["matchResources"] = { namespaceSelector: { matchLabels: { env: "dev" } } }; return true; },
  "not found turned":   (spec) => { const ref = spec["paramRef"]; if (!isObject(ref)) return false; ref["parameterNotFoundAction"] = ref["parameterNotFoundAction"] === "Deny" ? "Allow" : "Deny"; return true; },
};

export const MUTATION_OPERATORS: readonly string[] = [EXPRESSION_EDITS, POLICY_EDITS, BINDING_EDITS].flatMap((edits) =>
  Object.keys(edits),
);

/** Applies one edit to one of the objects; undefined if the operator finds nothing to change. */
export function mutate(objects: readonly JsonObject[], operator: string, random: Random): Mutant | undefined {
  const copies = objects.map((object) => deepCopy(object)).filter(isObject);
  const isOfKind = (kind: string) => (object: JsonObject) => object["kind"] === kind;
  const policy = random.pick(copies.filter(isOfKind("ValidatingAdmissionPolicy")));
  const binding = random.pick(copies.filter(isOfKind("ValidatingAdmissionPolicyBinding")));
  const [edit, specEdit] = [EXPRESSION_EDITS[operator], POLICY_EDITS[operator] ?? BINDING_EDITS[operator]];
  const target = BINDING_EDITS[operator] === undefined ? policy : binding;
  const spec = isObject(target?.["spec"]) ? target["spec"] : undefined;
  if (spec === undefined) return undefined;
  const isChanged = edit === undefined ? specEdit?.(spec, random) === true : editExpression(spec, edit, random);
  return isChanged ? { operator, objects: copies } : undefined;
}

function editExpression(spec: JsonObject, edit: ExpressionEdit, random: Random): boolean {
  const holders = ["validations", "variables", "matchConditions"].flatMap((key) => listOf(spec[key]).filter(isObject));
  const holder = random.pick(holders);
  const { expression } = holder ?? {};
  const changed = typeof expression === "string" ? edit(expression, random) : undefined;
  if (holder === undefined || changed === undefined || changed === expression) return false;
  holder["expression"] = changed;
  return true;
}
