/** The validation rules of CRDs as they run, with their places in the CRD. */
import type { Kinds } from "@portcullis/engine/internal/review/cluster-view";
import type { CompiledRule } from "@portcullis/engine/internal/rules/compile";
import type { RuleNode } from "@portcullis/engine/internal/rules/tree";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { objectOf, objectsOf, textOf } from "@portcullis/engine/internal/value/read";

export interface PlacedRule {
  /** Such as `spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0]`. */
  readonly place: string;
  readonly rule: CompiledRule;
}

/** Those of all versions that are served. */
export function rulesOfCrd(crd: JsonObject, kinds: Kinds): readonly PlacedRule[] {
  const spec = objectOf(crd["spec"]);
  const plural = textOf(objectOf(spec["names"])["plural"]);
  return objectsOf(spec["versions"]).flatMap((version, index) => {
    const tree = kinds.find(textOf(spec["group"]), textOf(version["name"]), plural)?.ruleTree?.();
    const schema = objectOf(version["schema"])["openAPIV3Schema"];
    return tree === undefined ? [] : rulesAt(tree, schema, `spec.versions[${index}].schema.openAPIV3Schema`);
  });
}

function rulesAt(node: RuleNode, schema: JsonValue | undefined, place: string): readonly PlacedRule[] {
  const json = objectOf(schema);
  const inner = (child: RuleNode | undefined, name: string): readonly PlacedRule[] =>
    child === undefined ? [] : rulesAt(child, json[name], `${place}.${name}`);
  const properties = objectOf(json["properties"]);
  return [
    ...node.rules.map((rule, index) => ({ place: `${place}.x-kubernetes-validations[${index}]`, rule })),
    ...branchRules(node.allOf, json["allOf"], place),
    ...inner(node.items, "items"),
    ...node.members.flatMap(([name, child]) => rulesAt(child, properties[name], `${place}.properties.${name}`)),
    ...inner(node.additional, "additionalProperties"),
    ...inner(node.keys, "x-kubernetes-property-names"),
  ];
}

/** Branches without rules are not compiled. */
function branchRules(
  nodes: readonly RuleNode[],
  branches: JsonValue | undefined,
  place: string,
): readonly PlacedRule[] {
  const all = isArray(branches) ? branches : [];
  const withRules = all.flatMap((branch, index) => (hasRules(branch) ? [{ branch, index }] : []));
  return nodes.flatMap((node, at) => {
    const found = withRules[at];
    return rulesAt(node, found?.branch, `${place}.allOf[${found?.index ?? at}]`);
  });
}

function hasRules(value: JsonValue): boolean {
  if (isArray(value)) return value.some(hasRules);
  return isObject(value) && (isArray(value["x-kubernetes-validations"]) || Object.values(value).some(hasRules));
}
