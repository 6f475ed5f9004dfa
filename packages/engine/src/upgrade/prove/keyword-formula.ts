/**
 * The keywords of a schema as formulas about a value, as the server checks them.
 *
 * A keyword that is not modelled becomes a flag named after the keyword, its value and the data it checks. The flag
 * means the same on both sides if all of these are the same.
 */

import type { Structural } from "../../schema/structural.ts";
import { and, FALSE, type Formula, flag, implies, matches, not, or, sizeName, TRUE } from "../../symbolic/formula.ts";
import { atMost, constantLinear, equalTo, variable } from "../../symbolic/linear.ts";
import { oneOfPattern } from "../../symbolic/texts.ts";
import { isNumber, type JsonValue } from "../../value/json.ts";
import { canonicalJson } from "../../value/text.ts";
import { formatBounds, regularFormat } from "../contain/formats.ts";
import { kindsOf } from "../contain/kinds.ts";
import { enforcedFormat, nodeKeywords, schemaText } from "../schema-text.ts";
import type { LocalCheck } from "../witness/local-check.ts";
import { isSteadyPair, type Node } from "./node.ts";
import { doubleMember, integersOf, numberFormula, truncated } from "./number-formula.ts";
import { isPresent, type Raw, type SideView } from "./side-view.ts";

/** The keywords that are translated here; those of lists, keys and resources are checked elsewhere. */
export const VALUE_KEYWORDS: readonly string[] = [
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "minItems",
  "maxItems",
  "required",
  "enum",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
];

export class KeywordFormulas {
  readonly #view: SideView;
  readonly #check: LocalCheck;
  /** The number of branches that may still be expanded. */
  #branches = 150;

  constructor(view: SideView, check: LocalCheck) {
    this.#view = view;
    this.#check = check;
  }

  /**
   * Everything that the schema requires of the node's value, for premises. `branch` is the node's own schema or a part.
   */
  all(branch: Structural, node: Node): Formula {
    return and(...VALUE_KEYWORDS.map((keyword) => this.keyword(keyword, branch, node)));
  }

  /** One keyword of the schema, or of a branch of a combinator, for the value of the node. */
  keyword(keyword: string, branch: Structural, node: Node): Formula {
    switch (keyword) {
      case "allOf":
        return and(...branch.allOf.map((each) => this.#branch(each, node)));
      case "anyOf":
        return branch.anyOf.length === 0 ? TRUE : or(...branch.anyOf.map((each) => this.#branch(each, node)));
      case "oneOf":
        return branch.oneOf.length === 0 ? TRUE : exactlyOne(branch.oneOf.map((each) => this.#branch(each, node)));
      case "not":
        return branch.not === undefined ? TRUE : not(this.#branch(branch.not, node));
      case "required":
        return branch.required.length === 0 ? TRUE : this.#requiredAll(branch, node);
      case "enum":
        return branch.enum === undefined || branch.enum.length === 0 ? TRUE : this.#enum(branch.enum, node);
      default:
        return this.#scalar(keyword, branch, node);
    }
  }

  /** Only objects have required members. */
  #requiredAll(branch: Structural, node: Node): Formula {
    if (this.#isNeverObject(node)) return TRUE;
    const schema = this.#view.schemaOf(node);
    if (schema?.type === "object") return and(...branch.required.map((name) => this.required(name, node)));
    return schema === undefined || (schema.type === "" && !schema.intOrString)
      ? this.#opaque("required", branch, node)
      : TRUE;
  }

  /** Whether the old schema has a place for the value, and accepts no objects there. */
  #isNeverObject({ old }: Node): boolean {
    return old !== undefined && !kindsOf(old, this.#check.minor).has("object");
  }

  required(name: string, node: Node): Formula {
    return isPresent(this.#view.raw(node, name));
  }

  /**
   * A branch validates the value as it is, without pruning or defaults. Beyond a limit it becomes a flag named by its
   * text.
   */
  #branch(branch: Structural, node: Node): Formula {
    if (this.#branches-- <= 0) return this.#opaqueText(schemaText(branch, this.#check.minor), node);
    const members = [...branch.properties].map(([name, inner]) => this.#member(inner, node, name));
    const keywords = [...nodeKeywords(branch, this.#check.minor).keys()];
    const others = keywords.filter(
      (keyword) => !VALUE_KEYWORDS.includes(keyword) && keyword !== "additionalProperties",
    );
    const own = others.map((keyword) =>
      keyword === "type" ? this.#type(branch, node) : this.#opaque(keyword, branch, node),
    );
    return and(this.all(branch, node), ...own, ...members, this.#items(branch, node));
  }

  /** Types in branches are declared for values that are an integer or a string. */
  #type({ type }: Structural, node: Node): Formula {
    const schema = this.#view.schemaOf(node);
    if (schema?.intOrString === true && type === "integer") return this.#isInteger(node);
    if (schema?.intOrString === true && type === "string") return not(this.#isInteger(node));
    return schema?.type === type ? TRUE : this.#opaqueText(`type ${type}`, node);
  }

  /** Whether all values are integers because the old schema allows no others. */
  #isWhole(node: Node): boolean {
    const schema = this.#view.schemaOf(node);
    return (node.old ?? schema)?.type === "integer" && (schema?.type === "integer" || schema?.type === "number");
  }

  #isInteger(node: Node): Formula {
    if (node.old?.type === "integer") return TRUE;
    if (node.old?.type === "string") return FALSE;
    return flag(`is an integer: ${this.#view.textName(node)}`);
  }

  #member(inner: Structural, node: Node, name: string): Formula {
    const { type = "", intOrString = false } = this.#view.schemaOf(node) ?? {};
    if (type === "" && !intOrString) return this.#opaqueText(`${name}: ${schemaText(inner, this.#check.minor)}`, node);
    const cases = this.#view.raw(node, name).map(({ when, is }) => implies(when, this.#rawBranch(inner, is)));
    return and(...cases);
  }

  #rawBranch(inner: Structural, raw: Raw): Formula {
    if (raw.kind === "missing") return TRUE;
    if (raw.kind === "node") return this.#branch(inner, raw.node);
    const value = raw.kind === "null" ? null : this.#check.normalize(raw.schema, raw.value);
    return this.#check.matches(inner, value) ? TRUE : FALSE;
  }

  #items(branch: Structural, node: Node): Formula {
    const { items } = branch;
    const values = branch.additionalProperties;
    if (values !== undefined) return this.#opaqueText(`values ${schemaText(branch, this.#check.minor)}`, node);
    if (items === undefined) return TRUE;
    const range = this.#view.range(node);
    if (range === undefined) return this.#opaqueText(`items ${schemaText(items, this.#check.minor)}`, node);
    return {
      op: "every",
      range,
      body: (element) => {
        const inner = this.#view.elementOf(node, element);
        if (inner === undefined || !isSteadyPair(inner.old, inner.new, node))
          return this.#opaqueText(`item ${element} ${schemaText(items, this.#check.minor)}`, node);
        const isNull = this.#view.isNull(inner);
        const ofValue = this.#branch(items, inner);
        return this.#check.matches(items, null) ? or(isNull, ofValue) : and(not(isNull), ofValue);
      },
    };
  }

  #opaque(keyword: string, branch: Structural, node: Node): Formula {
    return this.#opaqueText(`${keyword} ${nodeKeywords(branch, this.#check.minor).get(keyword) ?? ""}`, node);
  }

  #opaqueText(text: string, node: Node): Formula {
    return flag(`${text} of ${this.#view.place(node).whole}`);
  }

  #enum(values: readonly JsonValue[], node: Node): Formula {
    const { type, intOrString } = this.#view.schemaOf(node) ?? { type: "", intOrString: false };
    if (intOrString) {
      const isInteger = this.#isInteger(node);
      return or(
        and(isInteger, this.#integerEnum(values, this.#view.textName(node))),
        and(not(isInteger), this.#textEnum(values, node)),
      );
    }
    if (type === "string") return this.#textEnum(values, node);
    if (this.#isWhole(node)) return this.#integerEnum(values, this.#view.textName(node));
    if (type === "boolean") {
      const isTrue = flag(`true ${this.#view.nameOf(node)}`);
      return or(...(values.includes(true) ? [isTrue] : []), ...(values.includes(false) ? [not(isTrue)] : []));
    }
    if (type === "number") {
      const name = this.#view.nameOf(node);
      return or(...values.filter(isNumber).map((value) => doubleMember(name, value)));
    }
    return this.#opaqueText(`enum ${values.map((value) => canonicalJson(value)).join()}`, node);
  }

  #textEnum(values: readonly JsonValue[], node: Node): Formula {
    const texts = values.filter((value) => typeof value === "string");
    return texts.length === 0 ? FALSE : matches(this.#view.textName(node), oneOfPattern(texts));
  }

  #integerEnum(values: readonly JsonValue[], name: string): Formula {
    return or(...integersOf(values).map((value) => equalTo(variable(name), constantLinear(value))));
  }

  #scalar(keyword: string, branch: Structural, node: Node): Formula {
    const schema = this.#view.schemaOf(node);
    if (!nodeKeywords(branch, this.#check.minor).has(keyword)) return TRUE;
    if (schema === undefined) return this.#opaque(keyword, branch, node);
    if (schema.intOrString) return this.#intOrString(keyword, branch, node);
    if (schema.type === "number" && this.#isWhole(node)) {
      const found = numberFormula(keyword, branch, "integer", this.#view.textName(node));
      if (found !== undefined) return found;
    }
    if (TEXT_KEYWORDS.includes(keyword) && schema.type === "string") return this.#text(keyword, branch, node);
    if (keyword === "format" && schema.type === "string") return this.#format(branch, node);
    if (schema.type === "integer" || schema.type === "number") {
      const name = schema.type === "integer" ? this.#view.textName(node) : this.#view.nameOf(node);
      const found = numberFormula(keyword, branch, schema.type, name);
      if (found !== undefined) return found;
    }
    if (SIZE_KEYWORDS.includes(keyword) && schema.type === "array") return this.#size(keyword, branch, node);
    return isIdle(keyword, schema.type) ? TRUE : this.#opaque(keyword, branch, node);
  }

  /** Each keyword checks the values of its own type. */
  #intOrString(keyword: string, branch: Structural, node: Node): Formula {
    const isInteger = this.#isInteger(node);
    if (TEXT_KEYWORDS.includes(keyword)) return or(isInteger, this.#text(keyword, branch, node));
    const name = this.#view.textName(node);
    if (keyword === "minimum" || keyword === "exclusiveMinimum") {
      const edge = constantLinear(truncated(branch.minimum ?? 0) + (branch.exclusiveMinimum ? 1n : 0n));
      return or(not(isInteger), atMost(edge, variable(name)));
    }
    if (keyword === "maximum" || keyword === "exclusiveMaximum") {
      const edge = constantLinear(truncated(branch.maximum ?? 0) - (branch.exclusiveMaximum ? 1n : 0n));
      return or(not(isInteger), atMost(variable(name), edge));
    }
    return SIZE_KEYWORDS.includes(keyword) ? TRUE : this.#opaque(keyword, branch, node);
  }

  #text(keyword: string, branch: Structural, node: Node): Formula {
    const name = this.#view.textName(node);
    if (keyword === "pattern") return matches(name, branch.pattern);
    const length = variable(sizeName(name));
    if (keyword === "minLength") return atMost(constantLinear(BigInt(branch.minLength ?? 0)), length);
    return atMost(length, constantLinear(BigInt(branch.maxLength ?? 0)));
  }

  #format(branch: Structural, node: Node): Formula {
    const format = enforcedFormat(branch, this.#check.minor);
    const name = this.#view.textName(node);
    const regular = regularFormat(format);
    if (regular === undefined) return irregular(format, name);
    const { maxLength } = regular;
    const isShort =
      maxLength === undefined ? TRUE : atMost(variable(sizeName(name)), constantLinear(BigInt(maxLength)));
    return and(matches(name, regular.pattern), isShort);
  }

  #size(keyword: string, branch: Structural, node: Node): Formula {
    const size = variable(sizeName(this.#view.textName(node)));
    if (keyword === "minItems") return atMost(constantLinear(BigInt(branch.minItems ?? 0)), size);
    return atMost(size, constantLinear(BigInt(branch.maxItems ?? 0)));
  }
}

const TEXT_KEYWORDS: readonly string[] = ["minLength", "maxLength", "pattern"];
const SIZE_KEYWORDS: readonly string[] = ["minItems", "maxItems"];
const NUMBER_KEYWORDS: readonly string[] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/** Keywords that do not check values of another type. */
function isIdle(keyword: string, type: string): boolean {
  if (TEXT_KEYWORDS.includes(keyword)) return type !== "string" && type !== "";
  if (SIZE_KEYWORDS.includes(keyword)) return type !== "array" && type !== "";
  return NUMBER_KEYWORDS.includes(keyword) && type !== "integer" && type !== "number" && type !== "";
}

/** Formats that are not regular languages are bounded by two that are. */
function irregular(format: string, name: string): Formula {
  const { certainly, possibly } = formatBounds(format);
  const isOne = flag(`format ${format} of ${name}`);
  const isPossible = possibly === undefined ? isOne : and(isOne, matches(name, possibly));
  return certainly === undefined ? isPossible : or(matches(name, certainly), isPossible);
}

function exactlyOne(parts: readonly Formula[]): Formula {
  return or(...parts.map((_, chosen) => and(...parts.map((part, index) => (index === chosen ? part : not(part))))));
}
