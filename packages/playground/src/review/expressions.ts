/** Bare expressions: `portcullis cel`. */
import { fromJson, type Value } from "@portcullis/cel";
import { celEnvironment, celEvaluator } from "@portcullis/checker/internal/cel/evaluate";
import { celParts } from "@portcullis/checker/internal/cel/parts";
import { offsetOfPlace } from "@portcullis/engine/internal/codec/scalar-position";
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { toPlain } from "@portcullis/engine/internal/value/copy";
import { isObject } from "@portcullis/engine/internal/value/json";
import { PER_CALL_LIMIT } from "@portcullis/engine/kubecel";
import type { State } from "../state.ts";
import type { Problem } from "./outcome.ts";
import type { Source } from "./places.ts";
import type { Report } from "./report.ts";

export function reviewExpression(state: State): Report {
  const expression = (state.texts.expression ?? "").trimEnd();
  const sources = [textSource("expression", expression), textSource("variables", state.texts.variables ?? "")];
  const variables = readVariables(state.texts.variables ?? "");
  if (typeof variables === "string") {
    const problem = problemAt("variables", 0, 0, variables);
    return {
      verdict: {
        tone: "failed",
        headline: "Not readable",
        summary: "the variables are not a YAML map",
        transcripts: [],
      },
      problems: [problem],
      sources,
    };
  }
  if (expression.trim() === "") {
    return {
      verdict: {
        tone: "warned",
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

/** With the kind of quotes that needs no escapes, if there is one. */
function shellQuoted(text: string): string {
  if (text.includes("'") && !/["$`\\!]/.test(text)) return `"${text}"`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
