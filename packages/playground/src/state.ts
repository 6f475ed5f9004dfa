/** All that decides the outcome: what is shared in a link, kept in an example and sent to the worker. */
import { FIELDS, type Field, MODES, type Mode } from "./modes.ts";

export const FIELD_VALIDATIONS = ["strict", "warn", "ignore"] as const;
export type FieldValidation = (typeof FIELD_VALIDATIONS)[number];

/** Those of the engine, newest first. Written out, because the page is to load without the engine; a test compares. */
export const VERSIONS = ["1.37", "1.36", "1.35", "1.34", "1.33", "1.32", "1.31", "1.30"] as const;
export type Version = (typeof VERSIONS)[number];

export interface State {
  readonly mode: Mode;
  readonly version: Version;
  readonly fieldValidation: FieldValidation;
  readonly texts: Readonly<Partial<Record<Field, string>>>;
}

export const EMPTY_STATE: State = {
  mode: "create",
  version: VERSIONS[0],
  fieldValidation: "strict",
  texts: {},
};

/** What a link or a file says, as far as it makes sense; everything else is as if it were not there. */
export function readState(json: unknown): State {
  if (!isRecord(json)) return EMPTY_STATE;
  const texts = isRecord(json["texts"]) ? json["texts"] : {};
  const known = FIELDS.flatMap((field) => {
    const text = texts[field];
    return typeof text === "string" ? [[field, text] as const] : [];
  });
  return {
    mode: pick(json["mode"], MODES) ?? EMPTY_STATE.mode,
    version: pick(json["version"], VERSIONS) ?? EMPTY_STATE.version,
    fieldValidation: pick(json["fieldValidation"], FIELD_VALIDATIONS) ?? EMPTY_STATE.fieldValidation,
    texts: Object.fromEntries(known),
  };
}

/** The value where it is one of those allowed. */
export function pick<T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  return allowed.find((each) => each === value);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
