/** An example: a lesson with the texts that show it. */
import { FIELDS, type Field } from "../modes.ts";
import { isRecord, readState, type State } from "../state.ts";

export interface Example {
  /** Part of links to it. */
  readonly name: string;
  readonly title: string;
  /** What there is to learn, in two sentences. */
  readonly lesson: string;
  readonly topic: string;
  readonly state: State;
}

const KEYS: readonly string[] = ["title", "lesson", "topic", "mode", "version", "fieldValidation", ...FIELDS];

/** From a file under `examples/playground`: the settings, and each text under the name of its field. */
export function readExample(file: string, json: unknown): Example {
  const name = file.replace(/^\d+-/, "").replace(/\.yaml$/, "");
  if (!isRecord(json)) throw new Error(`${name}: not an object`);
  const stray = Object.keys(json).find((key) => !KEYS.includes(key));
  if (stray !== undefined) throw new Error(`${name}: unknown field ${stray}`);
  const text = (key: string): string => {
    const value = json[key];
    if (typeof value !== "string" || value.trim() === "") throw new Error(`${name}: ${key} is missing`);
    return value.trim();
  };
  const texts = Object.fromEntries(
    FIELDS.flatMap((field: Field) => (json[field] === undefined ? [] : [[field, json[field]]])),
  );
  return {
    name,
    title: text("title"),
    lesson: text("lesson").replaceAll(/\s+/g, " "),
    topic: text("topic"),
    state: readState({ ...json, mode: text("mode"), texts }),
  };
}
