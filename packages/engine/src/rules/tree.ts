/**
 * The rules of a whole schema, compiled and arranged as the schema is; nodes below which there are no rules are left out.
 *
 * Follows `validator` of apiextensions pkg/apiserver/schema/cel/validation.go. Where a property has no declared type
 * its rules are left out; where its name cannot be written in an expression they still run.
 */
import type { Value } from "@portcullis/cel";
import { type DeclType, schemaDeclType } from "../kubecel/decl-type.ts";
import { escapeName } from "../kubecel/escaping.ts";
import { withResourceFields } from "../kubecel/resource-fields.ts";
import { schemaReader } from "../kubecel/unstructured.ts";
import { newSchema, type Structural } from "../schema/structural.ts";
import type { JsonValue } from "../value/json.ts";
import { type CompiledRule, compileRules, type RuleCompileOptions } from "./compile.ts";
import * as messages from "./messages.ts";

export interface RuleNode {
  /** The schema of the data, in the form that values are read with. */
  readonly schema: Structural;
  /** The value of data under that schema. */
  readonly read: (data: JsonValue) => Value;
  readonly rules: readonly CompiledRule[];
  /** Set if the rules of this node could not even be tried. */
  readonly problem: string | undefined;
  readonly items: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
  /** The same as a list: walked for every object. */
  readonly members: readonly (readonly [name: string, node: RuleNode])[];
  readonly additional: RuleNode | undefined;
  /** Rules on the keys of a map. */
  readonly keys: RuleNode | undefined;
  readonly allOf: readonly RuleNode[];
}

export interface RuleTreeOptions extends RuleCompileOptions {
  readonly isResourceRoot: boolean;
}

/** Undefined if the schema has no rules. */
export function compileRuleTree(schema: Structural, options: RuleTreeOptions): RuleNode | undefined {
  if (!hasRules(schema)) return undefined;
  const declared = schemaDeclType(schema, { resourceRoot: options.isResourceRoot });
  return compileNode({ rules: schema, node: schema, isResourceRoot: options.isResourceRoot, declared }, options);
}

/** Rules inside `allOf` alone do not count: upstream does not look there either. */
function hasRules(schema: Structural): boolean {
  if (schema.validations.length > 0) return true;
  const inner = [
    schema.items,
    schema.additionalProperties?.schema,
    schema.propertyNames,
    ...schema.properties.values(),
  ];
  return inner.some((each) => each !== undefined && hasRules(each));
}

interface Node {
  /** Where the rules stand: the node itself or a branch of its `allOf`. */
  readonly rules: Structural;
  readonly node: Structural;
  readonly isResourceRoot: boolean;
  readonly declared: DeclType | undefined;
}

function compileNode(at: Node, options: RuleTreeOptions): RuleNode | undefined {
  const { rules, node, declared } = at;
  const compiled = declared === undefined ? [] : compileRules(node, rules.validations, declared, options);
  const schema = at.isResourceRoot ? withResourceFields(node) : node;
  const properties = compileProperties(at, options);
  const made: RuleNode = {
    schema,
    read: schemaReader(schema),
    rules: compiled,
    problem: rules.validations.length > 0 && declared === undefined ? messages.noDeclaredType() : undefined,
    items: compileItems(at, options),
    properties,
    members: [...properties],
    additional: compileAdditional(at, options),
    keys: compileKeys(at, options),
    allOf: rules.allOf.flatMap((branch) => compileNode({ ...at, rules: branch }, options) ?? []),
  };
  const isEmpty =
    made.rules.length + made.properties.size + made.allOf.length === 0 &&
    (made.problem ?? made.items ?? made.additional ?? made.keys) === undefined;
  return isEmpty ? undefined : made;
}

function compileItems({ rules, node, declared }: Node, options: RuleTreeOptions): RuleNode | undefined {
  if (rules.items === undefined || node.items === undefined) return undefined;
  const isResourceRoot = node.items.embeddedResource;
  return compileNode({ rules: rules.items, node: node.items, isResourceRoot, declared: declared?.element }, options);
}

function compileAdditional({ rules, node, declared }: Node, options: RuleTreeOptions): RuleNode | undefined {
  const [ruleSchema, schema] = [rules.additionalProperties?.schema, node.additionalProperties?.schema];
  if (ruleSchema === undefined || schema === undefined) return undefined;
  const isResourceRoot = schema.embeddedResource;
  return compileNode({ rules: ruleSchema, node: schema, isResourceRoot, declared: declared?.element }, options);
}

/** A key is always a CEL string, whatever its format. */
function compileKeys({ rules, node }: Node, options: RuleTreeOptions): RuleNode | undefined {
  const { propertyNames } = node;
  if (propertyNames === undefined || rules !== node) return undefined;
  const plain = newSchema({ ...propertyNames, format: "" });
  const declared = schemaDeclType(plain, { resourceRoot: false });
  return compileNode({ rules: plain, node: plain, isResourceRoot: false, declared }, options);
}

function compileProperties({ rules, node, declared }: Node, options: RuleTreeOptions): ReadonlyMap<string, RuleNode> {
  const compiled = new Map<string, RuleNode>();
  for (const [name, ruleSchema] of rules.properties) {
    const schema = node.properties.get(name);
    if (schema === undefined || !(hasRules(ruleSchema) || ruleSchema.allOf.length > 0)) continue;
    const isResourceRoot = schema.embeddedResource;
    const property = propertyType(name, schema, declared);
    if (property === undefined) continue;
    const inner = compileNode({ rules: ruleSchema, node: schema, isResourceRoot, declared: property }, options);
    if (inner !== undefined) compiled.set(name, inner);
  }
  return compiled;
}

/** Properties whose data no expression can see are left out, rules and all. */
function propertyType(name: string, schema: Structural, parent: DeclType | undefined): DeclType | undefined {
  const escaped = escapeName(name);
  if (escaped !== undefined) return parent?.fields?.get(escaped);
  return schemaDeclType(schema, { resourceRoot: schema.embeddedResource });
}
