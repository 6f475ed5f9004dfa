/** Strings that functions convert to numbers, durations, times or quantities, in several spellings. */
import { parseDuration } from "@portcullis/gostd/duration";
import { parseRfc3339 } from "@portcullis/gostd/time";
import { parseQuantity } from "../../value/quantity.ts";
import type { Constants } from "./constants.ts";

const MAX_CONSTANTS = 12;

/** Spellings of the constants of the rules, values next to them, and extremes. Empty if no rule converts strings. */
export function amountTexts({ functions, texts, integers }: Constants): string[] {
  const made = Object.entries(SPELLINGS).flatMap(([name, { extremes, spell }]) => {
    if (!functions.has(name)) return [];
    return [...extremes, ...[...texts, ...[...integers].map(String)].slice(0, MAX_CONSTANTS).flatMap(spell)];
  });
  return [...new Set(made)];
}

interface Spelling {
  readonly extremes: readonly string[];
  /** Other strings for the same value, and for values next to it. */
  readonly spell: (text: string) => string[];
}

const QUANTITY: Spelling = {
  extremes: ["0", "1n", "-1", "1e30", "10E", "1Ki", "1k", "100m"],
  spell: (text) => {
    const { value } = parseQuantity(text);
    if (value === undefined || value.exponent < -9 || value.exponent > 18) return [];
    const nano = value.unscaled * 10n ** BigInt(value.exponent + 9);
    const inUnit = (unit: bigint, suffix: string): string[] => (nano % unit === 0n ? [`${nano / unit}${suffix}`] : []);
    return [
      ...inUnit(10n ** 9n, ""),
      ...inUnit(10n ** 6n, "m"),
      ...inUnit(10n ** 12n, "k"),
      ...inUnit(1024n * 10n ** 9n, "Ki"),
      `${nano + 1n}n`,
      `${nano - 1n}n`,
    ];
  },
};

const DURATION: Spelling = {
  extremes: ["0s", "1ns", "-1s", "2562047h", "-2562047h"],
  spell: (text) => {
    const { value } = parseDuration(text);
    if (value === undefined) return [];
    const units = { h: 3_600_000_000_000n, m: 60_000_000_000n, s: 1_000_000_000n, ms: 1_000_000n };
    const same = Object.entries(units).flatMap(([unit, size]) =>
      value % size === 0n ? [`${value / size}${unit}`] : [],
    );
    return [...same, `${value + 1n}ns`, `${value - 1n}ns`];
  },
};

const INTEGER: Spelling = {
  extremes: ["9999999999999999999", "-9999999999999999999", "-0", "+0", "1_0"],
  spell: (text) => (/^-?[0-9]{1,18}$/.test(text) ? [text, `+${text}`, `0${text}`, `${BigInt(text) - 1n}`] : []),
};

const TIME: Spelling = {
  extremes: ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"],
  spell: (text) => (parseRfc3339(text).value === undefined ? [] : [text.slice(0, "2006-01-02".length)]),
};

const SPELLINGS: Readonly<Record<string, Spelling>> = {
  quantity: QUANTITY,
  duration: DURATION,
  int: INTEGER,
  timestamp: TIME,
};
