/**
 * Named string formats: `format.named("…")`, `format.dns1123Label()` and the like, and `validate`.
 *
 * Follows apiserver pkg/cel/library/format.go.
 */
import {
  ArrayList,
  type CelError,
  type CostEstimate,
  listOf,
  multiplyByCostFactor,
  OpaqueValue,
  OptionalValue,
  objectType,
  optionalOf,
  STRING,
  type Type,
  type Value,
} from "@portcullis/cel/internal";
import { parseRequestUri } from "@portcullis/gostd/url";
import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  checkQualifiedName,
  maskTrailingDash,
} from "../../field/names.ts";
import { findFormat } from "../../schema/keywords/format.ts";
import { MAX_FORMAT_SIZE, MAX_NAME_FORMAT_REGEX_SIZE } from "../limits.ts";
import {
  actualSize,
  estimatedSize,
  estimatedTraversal,
  type FunctionCost,
  matchingCost,
  REGEX_LENGTH_FACTOR,
  UNIT_COST,
} from "./cost.ts";
import { defineLibrary, type FunctionDefinition } from "./define.ts";
import { onText, unfit, withText } from "./operands.ts";

const FORMAT_TYPE: Type = objectType("kubernetes.NamedFormat");

type Check = (text: string) => readonly string[];

export interface NamedFormat {
  readonly name: string;
  readonly validate: Check;
  /** The length of the format's pattern, or of an equivalent one: the cost of validation depends on it. */
  readonly regexSize: number;
  /** A valid string. */
  readonly example: string;
}

export class FormatValue extends OpaqueValue {
  readonly type = FORMAT_TYPE;
  readonly format: NamedFormat;
  constructor(format: NamedFormat) {
    super();
    this.format = format;
  }
  override get goTypeName(): string {
    return "*cel.Format";
  }
  equalTo(other: Value): boolean | CelError {
    if (other instanceof FormatValue) return this.format.name === other.format.name;
    return unfit(other);
  }
}

// biome-ignore format: a table
const FORMATS: ReadonlyMap<string, FormatValue> = new Map([
  format("dns1123Label", { name: "DNS1123Label", regexSize: 30, validate: checkDnsLabel, example: "my-name" }),
  format("dns1123Subdomain", { name: "DNS1123Subdomain", regexSize: 60, validate: checkDnsSubdomain, example: "my.example.com" }),
  format("dns1035Label", { name: "DNS1035Label", regexSize: 30, validate: checkDns1035Label, example: "my-name" }),
  format("qualifiedName", { name: "QualifiedName", regexSize: 60, validate: checkQualifiedName, example: "example.com/my-name" }),
  format("dns1123LabelPrefix", { name: "DNS1123LabelPrefix", regexSize: 30, validate: (text) => checkDnsLabel(maskTrailingDash(text)), example: "my-" }),
  format("dns1123SubdomainPrefix", { name: "DNS1123SubdomainPrefix", regexSize: 60, validate: (text) => checkDnsSubdomain(maskTrailingDash(text)), example: "my.example-" }),
  format("dns1035LabelPrefix", { name: "DNS1035LabelPrefix", regexSize: 30, validate: (text) => checkDns1035Label(maskTrailingDash(text)), example: "my-" }),
  format("labelValue", { name: "LabelValue", regexSize: 40, validate: checkLabelValue, example: "my_value" }),
  format("uri", { name: "URI", regexSize: 1103, validate: checkUri, example: "https://example.com" }),
  format("uuid", { name: "uuid", regexSize: 70, validate: unless("uuid", "does not match the UUID format"), example: "123e4567-e89b-12d3-a456-426614174000" }),
  format("byte", { name: "byte", regexSize: 84, validate: unless("byte", "invalid base64"), example: "aGVsbG8=" }),
  format("date", { name: "date", regexSize: 71, validate: unless("date", "invalid date"), example: "2021-02-28" }),
  format("datetime", { name: "datetime", regexSize: 71, validate: unless("datetime", "invalid datetime"), example: "2021-02-28T00:00:00Z" }),
]);

const VALIDATE_COST: FunctionCost = {
  estimate: (hints, _target, [text]) =>
    text && { cost: multiplyByPattern(estimatedTraversal(estimatedSize(hints, text)), MAX_NAME_FORMAT_REGEX_SIZE) },
  actual: ([format, text]) => {
    return format instanceof FormatValue ? matchingCost(actualSize(text), format.format.regexSize) : undefined;
  },
};

export const formatLibrary = defineLibrary({
  name: "kubernetes.format",
  equality: [
    { type: FORMAT_TYPE, estimate: () => ({ cost: estimatedTraversal({ min: 1n, max: BigInt(MAX_FORMAT_SIZE) }) }) },
  ],
  functions: [
    {
      name: "validate",
      id: "format-validate",
      on: FORMAT_TYPE,
      params: [STRING],
      result: optionalOf(listOf(STRING)),
      call: withText(FormatValue, validate),
      cost: VALIDATE_COST,
      doc: "returns the errors of a string in the format; none if it is valid",
      example: "!format.dns1123Label().validate('my-name').hasValue()",
    },
    {
      name: "format.named",
      id: "format-named",
      params: [STRING],
      result: optionalOf(FORMAT_TYPE),
      call: onText(named),
      cost: UNIT_COST,
      doc: "returns the format of a name; none if there is no such format",
      example: "format.named('uuid').hasValue() && !format.named('other').hasValue()",
    },
    ...[...FORMATS].map(([name, value]) => formatFunction(name, value)),
  ],
});

function formatFunction(key: string, value: FormatValue): FunctionDefinition {
  const { name, example } = value.format;
  return {
    name: `format.${key}`,
    id: `format.${key}`,
    params: [],
    result: FORMAT_TYPE,
    call: () => value,
    cost: UNIT_COST,
    doc: `returns the format ${name}`,
    example: `!format.${key}().validate('${example}').hasValue()`,
  };
}

function named(name: string): Value {
  const found = FORMATS.get(name);
  return found === undefined ? OptionalValue.none : new OptionalValue(found);
}

function validate({ format }: FormatValue, text: string): Value {
  const problems = format.validate(text);
  return problems.length === 0 ? OptionalValue.none : new OptionalValue(new ArrayList(problems));
}

function format(key: string, named: NamedFormat): [key: string, value: FormatValue] {
  return [key, new FormatValue(named)];
}

function multiplyByPattern(cost: CostEstimate, patternSize: number): CostEstimate {
  return multiplyByCostFactor(cost, patternSize * REGEX_LENGTH_FACTOR);
}

/** The same check as the keyword `format` of schemas. */
function unless(schemaFormat: string, problem: string): Check {
  const isValid = findFormat(schemaFormat);
  return (text) => (isValid?.(text) === true ? [] : [problem]);
}

function checkUri(text: string): readonly string[] {
  const parsed = parseRequestUri(text);
  return parsed.error === undefined ? [] : [parsed.error];
}
