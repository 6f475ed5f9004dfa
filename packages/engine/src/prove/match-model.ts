/** Whether policies and bindings match an unknown request. Rules are evaluated by the matcher of `policy` itself. */
import type {
  AdmissionAttributes,
  EquivalentResources,
  GroupVersionKind,
  GroupVersionResource,
} from "../policy/attributes.ts";
import { sameKind } from "../policy/attributes.ts";
import { type Criteria, compileCriteria, matchCriteria } from "../policy/match.ts";
import type { MatchResources, ResourceRule } from "../policy/match-resources.ts";
import type { LabelSelector } from "../selector/labels.ts";
import { memberOf } from "./evaluate/places.ts";
import { isEqual } from "./evaluate/relate.ts";
import type { State } from "./evaluate/state.ts";
import { constant, NULL_SYM, type Sym } from "./evaluate/symbolic.ts";
import { requestParts } from "./request-model.ts";
import { isNamespaceKind, type ProofKind, type Scenario } from "./sorts/kinds.ts";
import { convertedSort, objectSort } from "./sorts/object-sorts.ts";
import { Unmodeled } from "./theory/path-search.ts";

/** What matching needs of a side. */
interface MatchSide {
  readonly equivalents: EquivalentResources;
  readonly kindOf: (kind: GroupVersionKind) => ProofKind | undefined;
}

/** The request as a policy matched it. */
export interface Matched {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

export class RequestMatcher {
  readonly #state: State;
  readonly #side: MatchSide;
  readonly #scenario: Scenario;

  constructor(state: State, side: MatchSide, scenario: Scenario) {
    this.#state = state;
    this.#side = side;
    this.#scenario = scenario;
  }

  /** `object` or `oldObject` as a kind sees it. */
  object(name: "object" | "oldObject", kind: GroupVersionKind): Sym {
    const { operation, objectKind } = this.#scenario;
    const isThere = name === "object" ? operation !== "DELETE" : operation === "UPDATE" || operation === "DELETE";
    if (!isThere) return NULL_SYM;
    const isConverted = !sameKind(kind, objectKind);
    const root = isConverted ? `${name}@${kind.group}/${kind.version}` : name;
    const origin = name === "oldObject" ? "stored" : operation === "UPDATE" ? "updated" : "created";
    const sort = isConverted
      ? convertedSort(this.#scenario, this.#side.kindOf(kind), kind, origin)
      : objectSort(this.#scenario, origin);
    return { k: "node", node: this.#state.nodeAt(undefined, root, sort, undefined) };
  }

  /** Undefined if the criteria do not match the request. */
  match(criteria: Criteria | undefined): Matched | undefined {
    if (criteria === undefined) throw new Unmodeled("a policy without matchConstraints");
    const { match } = criteria;
    const included = this.#rulesMatching(match.resourceRules, match.matchPolicy);
    if (match.resourceRules.length > 0 && included.length === 0) return undefined;
    if (!this.#namespaceSelected(criteria) || !this.#objectSelected(criteria)) return undefined;
    const excluded = this.#rulesMatching(match.excludeResourceRules, match.matchPolicy);
    if (excluded.some(({ rule }) => this.#isNamed(rule))) return undefined;
    const { kind, objectKind } = this.#scenario;
    if (match.resourceRules.length === 0) return { resource: kind, kind: objectKind };
    return included.find(({ rule }) => this.#isNamed(rule))?.matched;
  }

  /** Rules that match apart from their resource names: exact ones first. */
  #rulesMatching(rules: readonly ResourceRule[], matchPolicy: string | undefined) {
    const isEquivalent = matchPolicy !== undefined && matchPolicy !== "Exact";
    const exact = rules.flatMap((rule) => this.#ruleMatch(rule, "Exact"));
    const isAlso = (rule: ResourceRule): boolean => !exact.some((each) => each.rule === rule);
    return isEquivalent
      ? [...exact, ...rules.filter(isAlso).flatMap((rule) => this.#ruleMatch(rule, "Equivalent"))]
      : exact;
  }

  #ruleMatch(rule: ResourceRule, matchPolicy: string) {
    const result = matchRule(rule, matchPolicy, this.#scenario, this.#side.equivalents);
    return result === undefined ? [] : [{ rule, matched: result }];
  }

  #isNamed({ resourceNames }: ResourceRule): boolean {
    if (resourceNames.length === 0) return true;
    const { name } = requestParts(this.#state, this.#scenario, {
      resource: this.#scenario.kind,
      kind: this.#scenario.objectKind,
    });
    return name !== undefined && resourceNames.some((each) => isEqual(this.#state, name, constant(each)));
  }

  #namespaceSelected({ namespaceSelector }: Criteria): boolean {
    if (namespaceSelector.error !== undefined) throw new Unmodeled("a selector that is not valid");
    const { kind, operation, subresource } = this.#scenario;
    const isNamespace = isNamespaceKind(kind);
    if (!kind.namespaced && !isNamespace) return true;
    const selector = namespaceSelector.value;
    if (selector === undefined) return false;
    if (selector.length === 0) return true;
    // A namespace that is written has its new labels; for a deletion or a subresource the stored ones are read.
    const own = operation === "DELETE" || subresource !== "" ? "oldObject" : "object";
    const { namespaceObject } = requestParts(this.#state, this.#scenario, {
      resource: kind,
      kind: this.#scenario.objectKind,
    });
    const namespace = isNamespace ? this.object(own, this.#scenario.objectKind) : namespaceObject;
    return this.#isSelected(namespace, selector);
  }

  #objectSelected({ objectSelector }: Criteria): boolean {
    if (objectSelector.error !== undefined) throw new Unmodeled("a selector that is not valid");
    const selector = objectSelector.value;
    if (selector === undefined) return false;
    if (selector.length === 0) return true;
    const { objectKind } = this.#scenario;
    return (["object", "oldObject"] as const).some((name) => {
      const object = this.object(name, objectKind);
      return object !== NULL_SYM && this.#isSelected(object, selector);
    });
  }

  #isSelected(object: Sym, selector: LabelSelector): boolean {
    const metadata = this.#member(object, "metadata");
    // Options of connections have no metadata, and no selector selects them.
    if (metadata === undefined) return false;
    const labels = this.#member(metadata, "labels");
    return selector.every(({ key, operator, values }) => {
      const value = this.#member(labels, key);
      const isIn = (): boolean =>
        value !== undefined && values.some((each) => isEqual(this.#state, value, constant(each)));
      if (operator === "exists") return value !== undefined;
      if (operator === "!") return value === undefined;
      if (operator === "!=" || operator === "notin") return !isIn();
      if (operator === "gt" || operator === "lt") throw new Unmodeled("a selector that compares numbers");
      return isIn();
    });
  }

  #member(sym: Sym | undefined, key: string): Sym | undefined {
    const map = sym && this.#state.resolve(sym);
    return map?.k === "mapnode" || map?.k === "entries" ? memberOf(this.#state, map, key) : undefined;
  }
}

/** Uses the matcher itself, with a request that only lacks a name. */
export function matchRule(
  rule: ResourceRule,
  matchPolicy: string,
  scenario: Scenario,
  equivalents: EquivalentResources,
): Matched | undefined {
  const match: MatchResources = {
    namespaceSelector: EMPTY_SELECTOR,
    objectSelector: EMPTY_SELECTOR,
    resourceRules: [{ ...rule, resourceNames: [] }],
    excludeResourceRules: [],
    matchPolicy,
  };
  const result = matchCriteria(compileCriteria(match), plainAttributes(scenario), {
    equivalents,
    namespace: () => undefined,
  });
  return result.outcome === "match" ? { resource: result.resource, kind: result.kind } : undefined;
}

const EMPTY_SELECTOR = {};

/** A request without its objects, name and user. */
export function plainAttributes({
  operation,
  kind,
  subresource,
  objectKind,
  isGenerated,
}: Scenario): AdmissionAttributes {
  const { group, version, resource, namespaced } = kind;
  return {
    operation,
    resource: { group, version, resource },
    subresource,
    kind: objectKind,
    name: "",
    namespace: namespaced || (isNamespaceKind(kind) && !isGenerated) ? "default" : "",
    object: undefined,
    oldObject: undefined,
    options: undefined,
    dryRun: false,
    userInfo: { name: "", uid: "", groups: [], extra: new Map() },
  };
}
