/** What a case of our own format expects. */
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { UsageError } from "../../input/usage-error.ts";
import type { Fields } from "../../policy/fields.ts";
import { loadObject } from "../../policy/load.ts";
import * as messages from "../../policy/messages.ts";
import { type Expectation, type ExpectedOutcome, OUTCOMES } from "../expectation.ts";
import { containing, exactly, type Matcher, patternMatcher, readMatcher } from "../matcher.ts";
import type { Subject } from "../suite.ts";

/** The outcomes that a case of each type can have. */
const OUTCOMES_OF: Readonly<Record<Subject["type"], readonly ExpectedOutcome[]>> = {
  request: OUTCOMES,
  writes: ["allow", "deny", "warn"],
  expression: ["allow", "deny", "match", "error"],
  authentication: ["allow", "deny", "skip"],
  authorization: ["match", "skip", "error", "deny"],
  device: ["match", "skip", "error"],
};

export function readExpectation(fields: Fields, folder: string, type: Subject["type"]): Expectation {
  const shared = {
    messages: readMatchers(fields, "message"),
    cost: readCost(fields),
  };
  switch (type) {
    case "expression":
      return { ...shared, ...readValue(fields) };
    case "authentication":
      return { ...shared, outcome: readOutcome(fields, type), user: fields.object("user") };
    case "authorization":
      return { ...shared, outcome: readOutcome(fields, type), webhooks: readStates(fields) };
    case "device":
      return { ...shared, outcome: readOutcome(fields, type) };
    case "writes":
      return { ...shared, outcome: readOutcome(fields, type), ...readAnswer(fields, folder) };
    case "request":
      return {
        ...shared, outcome: readOutcome(fields, type), ...readAnswer(fields, folder),
        patch: readPatch(fields), webhooks: readStates(fields),
      };
  }
}

function readOutcome(fields: Fields, type: Subject["type"]): ExpectedOutcome {
  const text = fields.text("expect");
  const outcome = OUTCOMES_OF[type].find((each) => each === text);
  if (outcome === undefined)
    throw new UsageError(messages.unknownExpectation(fields.place, text ?? "", OUTCOMES_OF[type]));
  return outcome;
}

/** `value: true`, or `expect: error` for an expression that fails. */
function readValue(fields: Fields): Expectation {
  const hasValue = fields.has("value");
  const value = fields.any("value");
  const text = fields.text("expect");
  if (hasValue === (text !== undefined)) throw new UsageError(messages.valueOrError(fields.place));
  if (text !== undefined && text !== "error")
    throw new UsageError(messages.unknownExpectation(fields.place, text, ["error"]));
  return hasValue ? { value: value ?? null } : { outcome: "error" };
}

function readAnswer(fields: Fields, folder: string): Expectation {
  const stored = fields.any("stored");
  const exact = fields.any("storedExactly");
  const load = (value: JsonValue | undefined, name: string): JsonObject | undefined =>
    value === undefined ? undefined : loadObject(value, `${fields.place}: ${name}`, folder);
  return {
    reason: fields.text("reason"),
    code: fields.number("code"),
    warnings: fields.any("warnings") === undefined ? undefined : readMatchers(fields, "warnings"),
    auditAnnotations: readAnnotations(fields),
    stored: load(stored, "stored"),
    storedExactly: load(exact, "storedExactly"),
  };
}

function readPatch(fields: Fields): JsonValue | undefined {
  const patch = fields.any("patch");
  if (patch === undefined || isObject(patch) || isArray(patch)) return patch;
  throw new UsageError(messages.notOf(`${fields.place}: patch`, "a merge patch or a JSON patch"));
}

function readCost(fields: Fields): Expectation["cost"] {
  if (!isObject(fields.any("cost"))) return fields.number("cost");
  const range = fields.within("cost");
  const max = range?.number("max");
  range?.finish();
  if (max === undefined) throw new UsageError(messages.notOf(`${fields.place}: cost`, "a number or {max: NUMBER}"));
  return { max };
}

const STATES = ["asked", "not asked", "error"];

function readStates(fields: Fields): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(fields.object("webhooks") ?? {}).map(([name, state]) => {
      if (typeof state === "string" && STATES.includes(state)) return [name, state];
      throw new UsageError(messages.notOf(`${fields.place}: webhooks.${name}`, `one of ${STATES.join(", ")}`));
    }),
  );
}

function readMatchers(fields: Fields, name: string): readonly Matcher[] {
  const value = fields.any(name);
  if (value === undefined) return [];
  return (isArray(value) ? value : [value]).map((each) => readTextMatcher(each, `${fields.place}: ${name}`));
}

/** A text, `/a pattern/`, or `{exact}`, `{contains}` or `{pattern}`. */
function readTextMatcher(value: JsonValue, place: string): Matcher {
  if (typeof value === "string") return readMatcher(value);
  const [entry, second] = isObject(value) ? Object.entries(value) : [];
  const [how, text] = entry ?? [];
  if (second === undefined && typeof text === "string") {
    if (how === "exact") return exactly(text);
    if (how === "contains") return containing(text);
    if (how === "pattern") return patternMatcher(text);
  }
  throw new UsageError(messages.notOf(place, "a text, {exact: TEXT}, {contains: TEXT} or {pattern: PATTERN}"));
}

function readAnnotations(fields: Fields): ReadonlyMap<string, Matcher | undefined> {
  const annotations = fields.object("auditAnnotations") ?? {};
  return new Map(
    Object.entries(annotations).map(([key, value]) =>
      value === null ? [key, undefined] : [key, readTextMatcher(value, `${fields.place}: auditAnnotations.${key}`)],
    ),
  );
}
