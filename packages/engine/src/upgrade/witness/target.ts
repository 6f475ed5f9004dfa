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

/** The keyword that an error is reported for if no change explains it. */
export function keywordOfError({ origin }: FieldError): string {
  if (PLAIN.includes(origin)) return origin;
  const keyword = OWN_NAMES.find((name) => ORIGINS[name]?.includes(origin));
  return keyword ?? "x-kubernetes-embedded-resource";
}

const OWN_NAMES: readonly string[] = ["x-kubernetes-list-type", "x-kubernetes-validations", "subresources.scale"];

/** Errors about combinators and ranges of numbers have no path; their text names the place. */
const COMBINATORS: readonly string[] = ["anyOf", "oneOf", "allOf", "not"];
const PLACELESS: readonly string[] = [...COMBINATORS, "format"];
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

/** Keywords whose errors have their own name as origin. */
const PLAIN: readonly string[] = [...EXACT, ...COMBINATORS, "required", "additionalProperties"];

/** Whether the keyword, at whatever place, can be the reason of the error. */
export function isOfKeyword(error: FieldError, { keyword, rule }: Target): boolean {
  const origins = ORIGINS[keyword] ?? [keyword];
  if (origins.length > 0 && !origins.includes(error.origin)) return false;
  return rule === undefined || isOfRule(error, rule);
}

export function isAbout(error: FieldError, target: Target, path: readonly DataStep[]): boolean {
  if (!isOfKeyword(error, target)) return false;
  const place = formatDataPath(path);
  const text = placeOfError(error);
  if (error.origin === "scale") return target.keyword !== "subresources.scale" || text === target.detail;
  if (PLACELESS.includes(target.keyword)) return isSamePath(text, place);
  if (target.keyword === "required")
    return isSamePath(text, place === "" ? target.detail : `${place}.${target.detail}`);
  if (place === "" && NO_PLACE.includes(text)) return true;
  if (EXACT.includes(target.keyword) || target.rule?.rule.fieldPath === "") return isSamePath(text, place);
  if (target.keyword === "x-kubernetes-list-type" && !isItemOf(text, place)) return false;
  return place === "" || normalizePath(text).startsWith(normalizePath(place));
}

/** The place of the value that the error is about, as errors write it. */
export function placeOfError({ path, origin, detail }: FieldError): string {
  const text = path.toString();
  if (!NO_PLACE.includes(text)) return text;
  if (COMBINATORS.includes(origin)) return unquoted(/^"(?:[^"\\]|\\.)*"/.exec(detail)?.[0] ?? "");
  return origin === "format" ? (/ value must be of type .* in (.*)$/s.exec(detail)?.[1] ?? text) : text;
}

/** Go writes some characters that JSON cannot read; such a key is compared as it is written. */
function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}

/** Errors about keys of list maps and about duplicates name an item, or a key of it. */
function isItemOf(text: string, place: string): boolean {
  const [at, list] = [normalizePath(text), normalizePath(place)];
  return at.startsWith(list) && at.slice(list.length).split(/[.[]/).length <= 3;
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
