/** Bare expressions: `portcullis cel`. */
import { fromJson, type Value } from "@portcullis/cel";
import { celEnvironment, celEvaluator } from "@portcullis/checker/internal/cel/evaluate";
import { celParts } from "@portcullis/checker/internal/cel/parts";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import { offsetOfPlace } from "@portcullis/engine/internal/codec/scalar-position";
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { toPlain } from "@portcullis/engine/internal/value/copy";
import { isObject } from "@portcullis/engine/internal/value/json";
import { PER_CALL_LIMIT } from "@portcullis/engine/kubecel";
import { shellQuoted } from "../command-line.ts";
import { CONTEXT_FIELDS, contextNames } from "../modes.ts";
import type { State } from "../state.ts";
import { readSource } from "./definitions.ts";
import { inputProblems } from "./objects.ts";
import type { Problem } from "./outcome.ts";
import type { Source } from "./places.ts";
import type { Report } from "./report.ts";

export function reviewExpression(state: State): Report {
  const expression = (state.texts.expression ?? "").trimEnd();
  const sources = [textSource("expression", expression), textSource("variables", state.texts.variables ?? "")];
  const given = readVariables(state.texts.variables ?? "");
  if (typeof given === "string") {
    return notReadable("the variables are not a YAML map", [problemAt("variables", 0, 0, given)], sources);
  }
  const context = readContext(state);
  if (context.problems.length > 0) {
    return notReadable("an object is not valid YAML", inputProblems(context.sources), context.sources);
  }
  const variables = { ...context.variables, ...given };
  if (expression.trim() === "") {
    return {
      verdict: {
        tone: "empty",
        headline: "Nothing to evaluate yet",
        summary: "there is no expression",
        transcripts: [],
      },
      problems: [],
      sources,
    };
  }
  const answer = celEvaluator(variables, state.version)(expression);
  const transcript = {
    command: `portcullis cel ${shellQuoted(expression)}`,
    output: answer.text,
    isRefusal: !answer.isValue,
  };
  const problems = answer.issues.map(({ message, location: { line, column } }) => {
    const from = line < 1 ? 0 : offsetOfPlace(expression, { line, column: column + 1 });
    const word = /^[A-Za-z0-9_]+/.exec(expression.slice(from))?.[0].length ?? 1;
    return problemAt("expression", from, Math.min(from + word, expression.length), message);
  });
  const { result } = answer;
  return {
    verdict: {
      tone: answer.isValue ? "accepted" : "refused",
      headline: result === undefined ? "Does not compile" : answer.isValue ? clip(result.value) : "Error",
      summary: result === undefined ? "" : `${result.type}, cost ${result.cost}`,
      transcripts: [transcript],
    },
    problems,
    sources,
    cel: result && {
      value: clip(result.value) === result.value ? undefined : result.value,
      cost: `Cost: ${result.cost.toLocaleString("en")}; the limit for one evaluation is ${Number(PER_CALL_LIMIT).toLocaleString("en")}.`,
      parts: celParts(expression, celEnvironment(variables, state.version), variables),
    },
  };
}

function notReadable(summary: string, problems: readonly Problem[], sources: readonly Source[]): Report {
  return { verdict: { tone: "failed", headline: "Not readable", summary, transcripts: [] }, problems, sources };
}

interface Context {
  readonly variables: Readonly<Record<string, Value>>;
  readonly sources: readonly Source[];
  readonly problems: readonly Finding[];
}

/** The object is what rules call `self` and policies `object`; they are values without a schema. */
function readContext(state: State): Context {
  const sources = CONTEXT_FIELDS.map((field) => readSource(field, state));
  const variables = sources.flatMap(({ field, documents: [document] }) =>
    document === undefined
      ? []
      : contextNames(field).map((name) => [name, fromJson(toPlain(document.object))] as const),
  );
  return {
    variables: Object.fromEntries(variables),
    sources,
    problems: sources.flatMap(({ problems }) => problems),
  };
}

const MAX_HEADLINE = 60;

function clip(text: string): string {
  return text.length <= MAX_HEADLINE ? text : `${text.slice(0, MAX_HEADLINE)}…`;
}

/** A string is an error message. */
function readVariables(text: string): Record<string, Value> | string {
  const decoded = decodeYaml(text);
  if (decoded.error !== undefined) return decoded.error;
  if (decoded.value === null) return {};
  if (!isObject(decoded.value)) return "write variables as `name: value`";
  const bad = Object.keys(decoded.value).find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (bad !== undefined) return `\`${bad}\` cannot be the name of a variable`;
  return Object.fromEntries(Object.entries(decoded.value).map(([name, value]) => [name, fromJson(toPlain(value))]));
}

function textSource(field: "expression" | "variables", text: string): Source {
  return { field, text, documents: [], problems: [] };
}

function problemAt(field: "expression" | "variables", from: number, to: number, message: string): Problem {
  return { field, from, to, severity: "error", message, hint: undefined, rule: "cel", path: "" };
}
