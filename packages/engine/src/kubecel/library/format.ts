/**
 * Named string formats: `format.named("…")`, `format.dns1123Label()` and the like, and `validate`.
 *
 * Follows apiserver pkg/cel/library/format.go.
 */
import {
  ArrayList,
  type CelError,
  fn,
  global,
  type Library,
  listOf,
  method,
  OpaqueValue,
  OptionalValue,
  objectType,
  optionalOf,
  STRING,
  type Type,
  type Value,
} from "@portcullis/cel";
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
import { onText, unfit, withText } from "./operands.ts";

export const FORMAT_TYPE: Type = objectType("kubernetes.NamedFormat");

export interface NamedFormat {
  readonly name: string;
  readonly validate: (text: string) => readonly string[];
  /** The length of the format's pattern, or of one that would do its work: what running it is priced by. */
  readonly regexSize: number;
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
  format("dns1123Label",           "DNS1123Label",           30, checkDnsLabel),
  format("dns1123Subdomain",       "DNS1123Subdomain",       60, checkDnsSubdomain),
  format("dns1035Label",           "DNS1035Label",           30, checkDns1035Label),
  format("qualifiedName",          "QualifiedName",          60, checkQualifiedName),
  format("dns1123LabelPrefix",     "DNS1123LabelPrefix",     30, (text) => checkDnsLabel(maskTrailingDash(text))),
  format("dns1123SubdomainPrefix", "DNS1123SubdomainPrefix", 60, (text) => checkDnsSubdomain(maskTrailingDash(text))),
  format("dns1035LabelPrefix",     "DNS1035LabelPrefix",     30, (text) => checkDns1035Label(maskTrailingDash(text))),
  format("labelValue",             "LabelValue",             40, checkLabelValue),
  format("uri",                    "URI",                  1103, checkUri),
  format("uuid",                   "uuid",                   70, unless("uuid", "does not match the UUID format")),
  format("byte",                   "byte",                   84, unless("byte", "invalid base64")),
  format("date",                   "date",                   71, unless("date", "invalid date")),
  format("datetime",               "datetime",               71, unless("datetime", "invalid datetime")),
]);

export const formatLibrary: Library = {
  name: "kubernetes.format",
  functions: [
    fn("validate", [
      method("format-validate", FORMAT_TYPE, [STRING], optionalOf(listOf(STRING)), withText(FormatValue, validate)),
    ]),
    fn("format.named", [global("format-named", [STRING], optionalOf(FORMAT_TYPE), onText(named))]),
    ...[...FORMATS].map(([name, value]) => {
      return fn(`format.${name}`, [global(`format.${name}`, [], FORMAT_TYPE, () => value)]);
    }),
  ],
};

function named(name: string): Value {
  const found = FORMATS.get(name);
  return found === undefined ? OptionalValue.none : new OptionalValue(found);
}

function validate({ format }: FormatValue, text: string): Value {
  const problems = format.validate(text);
  return problems.length === 0 ? OptionalValue.none : new OptionalValue(new ArrayList(problems));
}

function format(
  key: string,
  name: string,
  regexSize: number,
  check: NamedFormat["validate"],
): [key: string, value: FormatValue] {
  return [key, new FormatValue({ name, regexSize, validate: check })];
}

/** As the keyword `format` of schemas has it. */
function unless(schemaFormat: string, problem: string): NamedFormat["validate"] {
  const isValid = findFormat(schemaFormat);
  return (text) => (isValid?.(text) === true ? [] : [problem]);
}

function checkUri(text: string): readonly string[] {
  const parsed = parseRequestUri(text);
  return parsed.error === undefined ? [] : [parsed.error];
}
