/** What a false rule says: its messageExpression, its message or itself, in the form its reason asks for. */
import { isError, type Value } from "@portcullis/cel";
import { quote } from "@portcullis/gostd/quote";
import { trimSpace } from "@portcullis/gostd/space";
import { byteLength } from "@portcullis/gostd/utf8";
import { duplicate, type FieldError, forbidden, invalid, required } from "../field/error.ts";
import type { FieldPath } from "../field/path.ts";
import { MAX_MESSAGE_EXPRESSION_SIZE_BYTES } from "../kubecel/limits.ts";
import type { ValidationRule } from "../schema/structural.ts";
import type { JsonValue } from "../value/json.ts";
import type { CompiledRule } from "./compile.ts";
import * as messages from "./messages.ts";

export interface RuleMessage {
  readonly text: string;
  /** Set if the expression exhausted the budget: it replaces the message and ends the validation. */
  readonly refusal: string | undefined;
  readonly remaining: number;
}

/**
 * A message expression that fails, or says nothing usable, falls back to the message. It sees `oldSelf` as it is even
 * where its rule sees an optional.
 */
export function evaluateMessage(
  { rule, messageProgram }: CompiledRule,
  self: Value,
  oldSelf: Value | undefined,
  budget: number,
): RuleMessage {
  const fallback = messages.ruleMessage(rule);
  if (messageProgram === undefined) return { text: fallback, refusal: undefined, remaining: budget };
  const { value, cost } = messageProgram.evaluate(oldSelf === undefined ? { self } : { self, oldSelf });
  if (cost > budget) return { text: "", refusal: messages.messageOutOfBudget(), remaining: -1 };
  if (isError(value) && value.message.startsWith("operation cancelled: actual cost limit exceeded")) {
    return { text: "", refusal: messages.messageCallCostExceeded(quote(rule.messageExpression)), remaining: -1 };
  }
  return { text: usableText(value) ?? fallback, refusal: undefined, remaining: budget - cost };
}

function usableText(value: Value): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = trimSpace(value);
  const isUsable = text !== "" && !text.includes("\n") && byteLength(text) <= MAX_MESSAGE_EXPRESSION_SIZE_BYTES;
  return isUsable ? text : undefined;
}

/** A duplicate has no room for the message; a value is left out where it is undefined. */
export function errorForReason(
  rule: ValidationRule,
  path: FieldPath,
  value: JsonValue | undefined,
  detail: string,
): FieldError {
  switch (rule.reason) {
    case "FieldValueForbidden":
      return forbidden(path, detail, "rule");
    case "FieldValueRequired":
      return required(path, detail, "rule");
    case "FieldValueDuplicate":
      return value === undefined
        ? { type: "FieldValueDuplicate", path, origin: "rule", detail: "" }
        : duplicate(path, value, "rule");
    default:
      return value === undefined
        ? { type: "FieldValueInvalid", path, origin: "rule", detail }
        : invalid(path, value, detail, "rule");
  }
}
