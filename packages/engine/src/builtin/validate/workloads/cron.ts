/** Schedules of cron jobs. Follows the standard parser of robfig/cron v3. */
import { parseDuration } from "@portcullis/gostd/duration";
import { atoi } from "@portcullis/gostd/strconv";
import * as messages from "./messages.ts";

/** What is wrong with a schedule; undefined for nothing. */
export function checkSchedule(schedule: string): string | undefined {
  // A zone at the start is read by the parser and refused by others.
  const times = schedule.replace(/^(CRON_)?TZ=\S*\s*/, "");
  if (times.startsWith("@")) return checkDescriptor(times);
  const fields = times.split(/\s+/).filter((field) => field !== "");
  if (fields.length !== FIELDS.length) return messages.cronFields(fields);
  for (const [index, bounds] of FIELDS.entries()) {
    for (const part of (fields[index] ?? "").split(",")) {
      const problem = checkRange(part, bounds);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

const DESCRIPTORS = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];
const EVERY = "@every ";

function checkDescriptor(text: string): string | undefined {
  if (DESCRIPTORS.includes(text)) return undefined;
  if (!text.startsWith(EVERY)) return messages.badDescriptor(text);
  const { error } = parseDuration(text.slice(EVERY.length));
  return error === undefined ? undefined : messages.badEvery(text, error);
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Minute, hour, day of the month, month, day of the week. */
const FIELDS: readonly Bounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];

function checkRange(text: string, bounds: Bounds): string | undefined {
  const [range = "", step, ...slashes] = text.split("/");
  const [low = "", high, ...hyphens] = range.split("-");
  if (hyphens.length > 0) return messages.tooManyHyphens(text);
  const isAny = low === "*" || low === "?";
  const start = isAny ? { value: bounds.min } : readNumber(low, bounds);
  if (start.error !== undefined) return start.error;
  const end = isAny ? { value: bounds.max } : high === undefined ? start : readNumber(high, bounds);
  if (end.error !== undefined) return end.error;
  if (slashes.length > 0) return messages.tooManySlashes(text);
  const every = step === undefined ? { value: 1 } : readNumber(step, { ...bounds, names: [] });
  if (every.error !== undefined) return every.error;
  const last = step !== undefined && high === undefined ? bounds.max : end.value;
  if (start.value < bounds.min) return messages.belowRange(start.value, bounds.min, text);
  if (last > bounds.max) return messages.aboveRange(last, bounds.max, text);
  if (start.value > last) return messages.crossedRange(start.value, last, text);
  return every.value === 0 ? messages.zeroStep(text) : undefined;
}

type Read = { readonly value: number; readonly error?: undefined } | { readonly error: string };

function readNumber(text: string, { names, min }: Bounds): Read {
  const named = names.indexOf(text.toLowerCase());
  if (named !== -1) return { value: named + min };
  const parsed = atoi(text);
  if (parsed.error !== undefined) return { error: messages.badCronNumber(text, parsed.error) };
  return parsed.value < 0n
    ? { error: messages.negativeCronNumber(parsed.value, text) }
    : { value: Number(parsed.value) };
}
