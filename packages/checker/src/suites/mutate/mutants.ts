/** Policies and CRDs with one edit each. */
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { textOf } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { isPolicyObject } from "../../policy/policy-objects.ts";
import { nameOf } from "../formats/third-party.ts";
import { expressionEdits } from "./expression-edits.ts";

export interface Mutant {
  /** The name of the policy or CRD. */
  readonly name: string;
  /** Where the expression is, such as `spec.validations[0].expression`. */
  readonly path: string;
  readonly operator: string;
  /** The edited expression. */
  readonly expression: string;
  /** The message of a rule of a CRD, if it has one. */
  readonly message: string | undefined;
  readonly original: JsonObject;
  readonly mutated: JsonObject;
}

/** All mutants of the expressions of an object; none for other kinds. */
export function mutantsOf(object: JsonObject): readonly Mutant[] {
  const isCrd = object["kind"] === "CustomResourceDefinition";
  if (!isCrd && !isEdited(object)) return [];
  return expressionsIn(object["spec"], ["spec"], isCrd).flatMap((found) =>
    expressionEdits(found.text).map(({ operator, text }) => edited(object, found, operator, text)),
  );
}

/** Each rule of a CRD with the same edit, which gets the text of the rule. */
export function ruleMutants(crd: JsonObject, operator: string, edit: (rule: string) => string): readonly Mutant[] {
  return expressionsIn(crd["spec"], ["spec"], true).map((found) => edited(crd, found, operator, edit(found.text)));
}

function edited(original: JsonObject, { steps, message }: Found, operator: string, expression: string): Mutant {
  const mutated = withText(original, steps, expression);
  return { name: nameOf(original), path: pathText(steps), operator, expression, message, original, mutated };
}

function isEdited(object: JsonObject): boolean {
  return isPolicyObject(object) && !textOf(object["kind"]).endsWith("Binding");
}

type Step = string | number;

interface Found {
  readonly steps: readonly Step[];
  readonly text: string;
  readonly message: string | undefined;
}

/** Fields that hold expressions, wherever they are. Messages do not change what is decided. */
const POLICY_FIELDS: ReadonlySet<string> = new Set(["expression", "valueExpression"]);

function expressionsIn(value: JsonValue | undefined, steps: readonly Step[], isCrd: boolean): Found[] {
  if (isArray(value)) return value.flatMap((item, index) => expressionsIn(item, [...steps, index], isCrd));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const inner = [...steps, name];
    const isRule = isCrd && name === "rule" && steps.at(-2) === "x-kubernetes-validations";
    const isExpression = isRule || (!isCrd && POLICY_FIELDS.has(name));
    return typeof member === "string" && isExpression
      ? [{ steps: inner, text: member, message: isRule ? messageOf(value) : undefined }]
      : expressionsIn(member, inner, isCrd);
  });
}

function messageOf({ message }: JsonObject): string | undefined {
  return typeof message === "string" && message !== "" ? message : undefined;
}

function pathText(steps: readonly Step[]): string {
  return steps.map((step, at) => (typeof step === "number" ? `[${step}]` : `${at === 0 ? "" : "."}${step}`)).join("");
}

function withText(object: JsonObject, [step, ...rest]: readonly Step[], text: string): JsonObject {
  if (typeof step !== "string") return object;
  return withMember(object, step, replaced(object[step] ?? null, rest, text));
}

function replaced(value: JsonValue, steps: readonly Step[], text: string): JsonValue {
  const [step, ...rest] = steps;
  if (step === undefined) return text;
  if (typeof step === "number" && isArray(value)) {
    return value.map((item, index) => (index === step ? replaced(item, rest, text) : item));
  }
  return isObject(value) ? withText(value, steps, text) : value;
}
