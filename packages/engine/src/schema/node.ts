/** A schema made ready for validating values: each keyword compiled, absent ones left out. */
import type { Combinators } from "./keywords/composition.ts";
import { compileEnum, type EnumCheck } from "./keywords/enum.ts";
import { findFormat, isSupportedFormat } from "./keywords/format.ts";
import { compileNumber, type NumberCheck } from "./keywords/number.ts";
import { compileString, type StringCheck } from "./keywords/string.ts";
import { compileType, type TypeCheck } from "./keywords/type.ts";
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
  readonly additional: ValidatorNode | undefined;
  readonly forbidsAdditional: boolean;
  readonly propertyNames: ValidatorNode | undefined;
  readonly required: readonly string[];
  readonly minProperties: number;
  readonly maxProperties: number;
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
  const { items, additionalProperties, propertyNames } = schema;
  return {
    type: compileType(types, format, schema.nullable),
    combinators: compileCombinators(schema, (inner) => compileNode(inner, { ...options, isNested: true })),
    string: compileString(schema),
    format: accepts === undefined ? undefined : { name: format, accepts },
    number: compileNumber(schema, types, format),
    enum: compileEnum(schema.enum),
    items: items === undefined ? undefined : descend(items),
    minItems: schema.minItems ?? Number.NEGATIVE_INFINITY,
    maxItems: schema.maxItems ?? Number.POSITIVE_INFINITY,
    properties: new Map([...schema.properties].map(([name, inner]) => [name, descend(inner)])),
    additional: additionalProperties?.schema === undefined ? undefined : descend(additionalProperties.schema),
    // Upstream's other rendering knows no `additionalProperties: false` inside combinators.
    forbidsAdditional:
      additionalProperties?.allows === false && !(options.forDefaults === true && options.isNested === true),
    propertyNames: propertyNames === undefined ? undefined : descend(propertyNames),
    required: schema.required,
    minProperties: schema.minProperties ?? Number.NEGATIVE_INFINITY,
    maxProperties: schema.maxProperties ?? Number.POSITIVE_INFINITY,
  };
}

function typesOf(schema: Structural, options: CompileOptions): readonly string[] {
  if (schema.intOrString && options.forDefaults !== true) return ["integer", "string"];
  return schema.type === "" ? [] : [schema.type];
}

function enforcedFormat(schema: Structural, types: readonly string[], options: CompileOptions): string {
  if (options.forDefaults === true) return schema.format;
  return isSupportedFormat(schema.format, types, options.minor) ? schema.format : "";
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
