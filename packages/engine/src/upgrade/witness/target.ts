/** What a witness must show: an error of the new CRD about one keyword at one place. */
import type { FieldError } from "../../field/error.ts";
import type { CompiledRule } from "../../rules/compile.ts";
import { type DataStep, formatDataPath, normalizePath } from "../place.ts";

export interface Target {
  readonly keyword: string;
  /** The name of a required field. */
  readonly detail: string;
  readonly rule?: CompiledRule | undefined;
  /** Strings that the rule may refuse. */
  readonly texts?: readonly string[] | undefined;
}

/** Keywords whose errors have another origin. */
const ORIGINS: Readonly<Record<string, readonly string[]>> = {
  exclusiveMinimum: ["minimum"],
  exclusiveMaximum: ["maximum"],
  "x-kubernetes-list-type": ["set", "map"],
  "x-kubernetes-validations": ["rule", "budget"],
  "x-kubernetes-property-names": [],
  "x-kubernetes-embedded-resource": [],
  type: ["type", "format"],
  format: ["type", "format"],
  nullable: ["type"],
  default: [],
  "subresources.scale": ["scale"],
  additionalProperties: ["additionalProperties", "required", "type"],
};

/** Errors about combinators and ranges of numbers have no path. */
const PLACELESS: readonly string[] = ["anyOf", "oneOf", "allOf", "not", "format", "scale"];
const NO_PLACE: readonly string[] = ["", "<nil>"];

/** Keywords whose errors name the place itself. Those of other keywords may name a place below. */
const EXACT: readonly string[] = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "enum",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "type",
  "format",
];

export function isAbout(error: FieldError, target: Target, path: readonly DataStep[]): boolean {
  const origins = ORIGINS[target.keyword] ?? [target.keyword];
  if (origins.length > 0 && !origins.includes(error.origin)) return false;
  if (target.rule !== undefined && !isOfRule(error, target.rule)) return false;
  const place = formatDataPath(path);
  const text = error.path.toString();
  if (PLACELESS.includes(error.origin) && NO_PLACE.includes(text)) return true;
  if (target.keyword === "required")
    return isSamePath(text, place === "" ? target.detail : `${place}.${target.detail}`);
  if (EXACT.includes(target.keyword)) return isSamePath(text, place);
  return place === "" || normalizePath(text).startsWith(normalizePath(place));
}

const FAILED = "failed rule: ";

export function isOfRule({ detail, origin }: FieldError, { rule }: CompiledRule): boolean {
  if (origin === "budget" || rule.messageExpression !== "") return true;
  if (rule.message !== "" && detail.includes(rule.message.trim())) return true;
  const text = rule.rule.trim();
  if (detail.startsWith(FAILED)) return detail === `${FAILED}${text}` || text.includes("\n");
  return detail.includes(text.split("\n")[0] ?? "");
}

function isSamePath(left: string, right: string): boolean {
  return normalizePath(left) === normalizePath(right);
}
