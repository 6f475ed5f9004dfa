/** Validations of the early shape: rules, scopes, codes and failure policies of their own. */
import type { Expr } from "@portcullis/cel/internal";
import { isInteger, type JsonObject, newObject } from "../../value/json.ts";
import { textOf } from "../../value/read.ts";
import { ident, parseExpression, type Rewritten, rewriteExpression, select } from "./expression.ts";
import type { Report } from "./findings.ts";
import * as findings from "./findings.ts";
import { isTypeName, parseScope, type ScopePath, scopedExpression } from "./scope.ts";
import { type Action, actionOf } from "./severity.ts";

export interface ValidationContext {
  /** False if the rules match several kinds: expressions then see metadata only. */
  readonly isSingleKind: boolean;
  /** The paths of a type in the matched kinds; undefined if schemas are not known. */
  readonly placesOf: ((typeName: string) => readonly string[]) | undefined;
  readonly report: Report;
  /** Of validations that do not say. */
  readonly action: Action;
  /** Collects the fields that are read from the configuration. */
  readonly configReads: Set<string>;
}

export interface ConvertedValidation {
  readonly validation: JsonObject;
  readonly failurePolicy: string | undefined;
  readonly action: Action;
}

const KNOWN = new Set([
  ...["rule", "expression", "message", "messageExpression", "reason"],
  ...["failurePolicy", "scope", "severity", "code"],
]);

/** What `config` and `configuration` stand for. */
export const CONFIG_VARIABLE: Expr = select(ident("variables"), "config");
const CONFIG_NAMES = ["config", "configuration"];

/** Undefined if the validation cannot be converted; the report says why. */
export function convertValidation(
  json: JsonObject,
  path: string,
  context: ValidationContext,
): ConvertedValidation | undefined {
  const { report } = context;
  for (const key of Object.keys(json)) {
    if (!KNOWN.has(key)) report("error", `${path}.${key}`, findings.unknownField(key));
  }
  if (json["rule"] !== undefined && json["expression"] !== undefined) {
    report("warning", `${path}.rule`, findings.bothExpressions());
  }
  const field = json["expression"] === undefined ? "rule" : "expression";
  const expression = convertExpression(textOf(json[field]), textOf(json["scope"]), `${path}.${field}`, context);
  if (expression === undefined) return undefined;
  const validation = newObject();
  validation["expression"] = expression;
  if (json["message"] !== undefined) validation["message"] = json["message"];
  const messageExpression = convertMessage(json, path, context);
  if (messageExpression !== undefined) validation["messageExpression"] = messageExpression;
  const reason = convertReason(json, path, report);
  if (reason !== "") validation["reason"] = reason;
  const severity = textOf(json["severity"]);
  const action = severity === "" ? context.action : actionOf(severity, `${path}.severity`, report);
  const failurePolicy = textOf(json["failurePolicy"]);
  return { validation, failurePolicy: failurePolicy === "" ? undefined : failurePolicy, action };
}

function convertMessage(json: JsonObject, path: string, context: ValidationContext): string | undefined {
  const text = textOf(json["messageExpression"]);
  return text === "" ? undefined : convertPlain(text, `${path}.messageExpression`, context)?.text;
}

function convertExpression(text: string, scope: string, path: string, context: ValidationContext): string | undefined {
  if (scope === "") return checkAccess(convertPlain(text, path, context), path, context)?.text;
  const scopes = placesOf(scope, path, context);
  const converted = scopes?.map((each) => convertScoped(text, each, path, context));
  if (converted === undefined || converted.includes(undefined)) return undefined;
  return converted.length === 1 ? converted[0] : converted.map((each) => `(${each})`).join(" && ");
}

function placesOf(scope: string, path: string, { placesOf: find, report }: ValidationContext): ScopePath[] | undefined {
  if (!isTypeName(scope)) {
    const parsed = parseScope(scope);
    if (parsed === undefined) report("error", path, findings.scopeMalformed(scope));
    return parsed && [parsed];
  }
  const places = (find?.(scope) ?? []).flatMap((place) => {
    const parsed = parseScope(place);
    return parsed === undefined ? [] : [parsed];
  });
  if (places.length > 0) return places;
  report("error", path, findings.scopeNotAPath(scope));
  return undefined;
}

function convertScoped(text: string, scope: ScopePath, path: string, context: ValidationContext): string | undefined {
  const plain = convertPlain(text, path, context);
  if (plain === undefined) return undefined;
  const usesOld = plain.free.has("oldSelf");
  if (usesOld && scope.includes("*")) {
    context.report("error", path, findings.scopeOldSelf());
    return undefined;
  }
  const place = (self: Expr, oldSelf: Expr): Expr => {
    const names = new Map([
      ["self", self],
      ["oldSelf", oldSelf],
    ]);
    const placed = rewriteExpression(plain.text, { names, warn: () => {} });
    const parsed = parseExpression(typeof placed === "string" ? plain.text : placed.text);
    return typeof parsed === "string" ? ident("self") : parsed;
  };
  return scopedExpression(scope, place, usesOld);
}

/** The expression with its names replaced; undefined if it does not parse. */
function convertPlain(text: string, path: string, context: ValidationContext): Rewritten | undefined {
  const names = new Map(CONFIG_NAMES.map((name) => [name, CONFIG_VARIABLE]));
  const rewritten = rewriteExpression(text, { names, warn: (message) => context.report("warning", path, message) });
  if (typeof rewritten === "string") {
    context.report("error", path, findings.doesNotParse(rewritten));
    return undefined;
  }
  for (const name of CONFIG_NAMES) {
    if (rewritten.free.has(name)) context.configReads.add("");
    for (const field of rewritten.reads.get(name) ?? []) context.configReads.add(field);
  }
  return rewritten;
}

const ALWAYS_ACCESSIBLE = new Set(["metadata", "kind", "apiVersion"]);

/** The early shape refuses access to fields of which it cannot know the type. */
function checkAccess(
  rewritten: Rewritten | undefined,
  path: string,
  { isSingleKind, report }: ValidationContext,
): Rewritten | undefined {
  if (rewritten === undefined || isSingleKind) return rewritten;
  const fields = ["object", "oldObject"].flatMap((name) => [...(rewritten.reads.get(name) ?? [])]);
  const refused = fields.find((field) => !ALWAYS_ACCESSIBLE.has(field));
  if (refused === undefined) return rewritten;
  report("error", path, findings.metadataOnly(refused));
  return undefined;
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["403", "Forbidden"],
  ["413", "RequestEntityTooLarge"],
  ["422", "Invalid"],
]);

function convertReason(json: JsonObject, path: string, report: Report): string {
  const reason = textOf(json["reason"]);
  const { code } = json;
  if (reason !== "" || !isInteger(code)) return reason;
  const found = REASONS.get(String(code));
  if (found !== undefined) return found;
  const nearest = code === 401 ? "Forbidden" : "Invalid";
  report("warning", `${path}.code`, findings.codeLossy(String(code), nearest));
  return nearest;
}
