/** A schema made ready for validating values: each keyword compiled, absent ones left out. */
import { OrderedMap } from "../value/key-order.ts";
import type { Combinators } from "./keywords/composition.ts";
import { compileEnum, type EnumCheck } from "./keywords/enum.ts";
import { findFormat, isEnforcedFormat } from "./keywords/format.ts";
import { ARRAY, BOOLEAN, INTEGER, NULL, NUMBER, OBJECT, STRING } from "./keywords/kind.ts";
import { acceptsAll, compileNumber, type NumberCheck } from "./keywords/number.ts";
import { compileString, type StringCheck } from "./keywords/string.ts";
import { compileType, fitsType, type TypeCheck } from "./keywords/type.ts";
import type { Structural } from "./structural.ts";

export interface ValidatorNode {
  readonly type: TypeCheck | undefined;
  readonly combinators: Combinators<ValidatorNode> | undefined;
  readonly string: StringCheck | undefined;
  readonly format: FormatNode | undefined;
  readonly number: NumberCheck;
  readonly enum: EnumCheck | undefined;
  readonly items: ValidatorNode | undefined;
  readonly minItems: number;
  readonly maxItems: number;
  readonly properties: ReadonlyMap<string, ValidatorNode>;
  /** The same for walks over objects; undefined if there are none. */
  readonly members: OrderedMap<ValidatorNode> | undefined;
  readonly additional: ValidatorNode | undefined;
  readonly forbidsAdditional: boolean;
  readonly propertyNames: ValidatorNode | undefined;
  readonly required: readonly string[];
  readonly minProperties: number;
  readonly maxProperties: number;
  /** Whether there is a bound on the number of members. */
  readonly limitsSize: boolean;
  /** Whether members that no property names matter. */
  readonly looksAtOthers: boolean;
  /** The kinds of values that are valid whatever they are. */
  readonly free: number;
}

export interface FormatNode {
  readonly name: string;
  readonly accepts: (text: string) => boolean;
}

export interface CompileOptions {
  /** The minor number of the Kubernetes version: which formats are enforced. */
  readonly minor: number;
  /**
   * Defaults are validated against upstream's other rendering of a schema, in which int-or-string has no type and
   * unknown formats are kept.
   */
  readonly forDefaults?: boolean;
  /** Inside a combinator. */
  readonly isNested?: boolean;
}

export function compileNode(schema: Structural, options: CompileOptions): ValidatorNode {
  const types = typesOf(schema, options);
  const format = enforcedFormat(schema, types, options);
  const accepts = format === "" ? undefined : findFormat(format);
  const descend = (inner: Structural): ValidatorNode => compileNode(inner, options);
  const { items, additionalProperties, propertyNames, minProperties, maxProperties } = schema;
  // Upstream's other rendering knows no `additionalProperties: false` inside combinators.
  const forbidsAdditional =
    additionalProperties?.allows === false && !(options.forDefaults === true && options.isNested === true);
  const properties = new Map([...schema.properties].map(([name, inner]) => [name, descend(inner)]));
  const node = {
    type: compileType(types, format, schema.nullable),
    combinators: compileCombinators(schema, (inner) => compileNode(inner, { ...options, isNested: true })),
    string: compileString(schema),
    format: accepts === undefined ? undefined : { name: format, accepts },
    number: compileNumber(schema, types, format),
    enum: compileEnum(schema.enum),
    items: items === undefined ? undefined : descend(items),
    minItems: schema.minItems ?? Number.NEGATIVE_INFINITY,
    maxItems: schema.maxItems ?? Number.POSITIVE_INFINITY,
    properties,
    members: properties.size === 0 ? undefined : new OrderedMap(properties),
    additional: additionalProperties?.schema === undefined ? undefined : descend(additionalProperties.schema),
    forbidsAdditional,
    propertyNames: propertyNames === undefined ? undefined : descend(propertyNames),
    required: schema.required,
    minProperties: minProperties ?? Number.NEGATIVE_INFINITY,
    maxProperties: maxProperties ?? Number.POSITIVE_INFINITY,
    limitsSize: minProperties !== undefined || maxProperties !== undefined,
    looksAtOthers: propertyNames !== undefined || forbidsAdditional || additionalProperties?.schema !== undefined,
    // Set at once, so that all nodes have one hidden class.
    free: 0,
  };
  node.free = freeKinds(node);
  return node;
}

/** A mask of the kinds of which there is nothing to check but the kind: most, in most schemas. */
function freeKinds(node: ValidatorNode): number {
  if (node.enum !== undefined || node.combinators !== undefined) return 0;
  let free = 0;
  for (const kind of [NULL, BOOLEAN, INTEGER, NUMBER, STRING, ARRAY, OBJECT]) {
    // Only a float's value is checked: a fraction is not an integer.
    const fits = node.type === undefined || fitsType(node.type, 0.5, kind);
    if (fits && isUnchecked(node, kind)) free |= kind;
  }
  return free;
}

function isUnchecked(node: ValidatorNode, kind: number): boolean {
  switch (kind) {
    case STRING:
      return node.string === undefined && node.format === undefined;
    case INTEGER:
    case NUMBER:
      return isUncheckedNumber(node.number, kind);
    case ARRAY:
      return node.items === undefined && node.minItems <= 0 && node.maxItems === Number.POSITIVE_INFINITY;
    case OBJECT:
      return node.properties.size + node.required.length === 0 && !node.looksAtOthers && !node.limitsSize;
    default:
      return true;
  }
}

/** An int64 fits every type but an int32; a float64 can be too large for a float. */
function isUncheckedNumber(check: NumberCheck, kind: number): boolean {
  if (!acceptsAll(check)) return false;
  return kind === INTEGER ? check.format !== "int32" : check.type !== "integer" && check.format !== "float";
}

function typesOf(schema: Structural, options: CompileOptions): readonly string[] {
  if (schema.intOrString && options.forDefaults !== true) return ["integer", "string"];
  return schema.type === "" ? [] : [schema.type];
}

function enforcedFormat(schema: Structural, types: readonly string[], options: CompileOptions): string {
  if (options.forDefaults === true) return schema.format;
  return isEnforcedFormat(schema.format, types, options.minor) ? schema.format : "";
}

function compileCombinators(
  schema: Structural,
  descend: (inner: Structural) => ValidatorNode,
): Combinators<ValidatorNode> | undefined {
  const { anyOf, oneOf, allOf, not } = schema;
  if (anyOf.length + oneOf.length + allOf.length === 0 && not === undefined) return undefined;
  return {
    anyOf: anyOf.map(descend),
    oneOf: oneOf.map(descend),
    allOf: allOf.map(descend),
    not: not === undefined ? undefined : descend(not),
  };
}
