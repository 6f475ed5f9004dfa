/** Sends questions to the real code and to ours. */
import { spawnSync } from "node:child_process";
import { newObject } from "@portcullis/engine/internal/value/json";
import { type Answer, type EngineCase, type Kind, parseCase } from "../../runners/engine/case.ts";
import { type Difference, differences } from "../../runners/engine/compare.ts";
import { answerDefinition } from "../../runners/engine/definitions.ts";
import { answerUpdate, answerValue } from "../../runners/engine/subject.ts";
import { lineText, type Question } from "./question.ts";

export interface Asked {
  readonly question: Question;
  /** The line as the oracle answered it. */
  readonly line: string;
  readonly case: EngineCase;
  readonly differences: readonly Difference[];
}

const answerers: Readonly<Record<Kind, (asked: EngineCase) => Answer>> = {
  values: answerValue,
  updates: answerUpdate,
  definitions: answerDefinition,
};

export function askBoth(oracle: string, kind: Kind, questions: readonly Question[]): Asked[] {
  const lines = askOracle(oracle, kind, questions);
  return questions.map((question, index) => {
    const line = lines[index] ?? "";
    const parsed = parseCase(line);
    return { question, line, case: parsed, differences: differencesOf(kind, parsed) };
  });
}

/** A crash of our code is a difference too. */
function differencesOf(kind: Kind, parsed: EngineCase): readonly Difference[] {
  try {
    return differences(parsed.want, answerers[kind](parsed));
  } catch (crash) {
    return [{ field: "crash", want: "an answer", got: crash instanceof Error ? (crash.stack ?? "") : String(crash) }];
  }
}

/** Whether the real code always gives the same result; some results depend on the order of Go's maps. */
export function isStable(oracle: string, kind: Kind, question: Question): boolean {
  return new Set(askOracle(oracle, kind, Array(24).fill(question))).size === 1;
}

function askOracle(oracle: string, kind: Kind, questions: readonly Question[]): string[] {
  const input = questions.map((question) => lineText(question)).join("\n");
  const asked = spawnSync(oracle, [kind], { input: `${input}\n`, maxBuffer: 2 ** 31, encoding: "utf8", stdio: "pipe" });
  if (asked.status !== 0) throw new Error(`the oracle failed: ${asked.status} ${asked.error} ${asked.stderr}`);
  const lines = asked.stdout.split("\n").filter((line) => line !== "");
  if (lines.length !== questions.length) throw new Error(`${questions.length} questions, ${lines.length} answers`);
  return lines;
}

export function copyOf(question: Question): Question {
  return Object.assign(newObject(), question);
}
