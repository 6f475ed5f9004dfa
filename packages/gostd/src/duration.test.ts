import { expect, test } from "vitest";
import { formatDuration, parseDuration } from "./duration.ts";

const SECOND = 1_000_000_000n;

// biome-ignore format: a table
test.each([
  ["0", 0n], ["-0", 0n], ["5s", 5n * SECOND], ["+5s", 5n * SECOND], ["-5s", -5n * SECOND], ["1h30m", 5400n * SECOND],
  ["1.5h", 5400n * SECOND], [".5s", SECOND / 2n], ["1.s", SECOND], ["1us", 1000n], ["1µs", 1000n], ["1μs", 1000n],
  ["1ms", 1_000_000n], ["0.000000001s", 1n], ["0.9999999999s", 999_999_999n], ["2m3.5s", 123_500_000_000n],
  ["9223372036854775807ns", 9223372036854775807n], ["-9223372036854775808ns", -9223372036854775808n],
  ["0.100000000000000000000h", 360n * SECOND], ["00000000000000000000001s", SECOND],
])("ParseDuration(%s)", (text, value) => {
  expect(parseDuration(text)).toEqual({ value });
});

// biome-ignore format: a table
test.each([
  ["", 'time: invalid duration ""'],
  ["-", 'time: invalid duration "-"'],
  ["x", 'time: invalid duration "x"'],
  [".", 'time: invalid duration "."'],
  [".s", 'time: invalid duration ".s"'],
  ["1", 'time: missing unit in duration "1"'],
  ["1.5", 'time: missing unit in duration "1.5"'],
  ["1d", 'time: unknown unit "d" in duration "1d"'],
  ["1h é", 'time: unknown unit "h \\xc3\\xa9" in duration "1h \\xc3\\xa9"'],
  ["9223372036854775808ns", 'time: invalid duration "9223372036854775808ns"'],
  ["3000000h", 'time: invalid duration "3000000h"'],
  ["1s\n\"", 'time: unknown unit "s\\x0a\\"" in duration "1s\\x0a\\""'],
])("ParseDuration returns an error for %j", (text, error) => {
  expect(parseDuration(text)).toEqual({ error });
});

// biome-ignore format: a table
test.each([
  [0n, "0s"], [1n, "1ns"], [1100n, "1.1µs"], [2_200_000n, "2.2ms"], [3_300_000_000n, "3.3s"], [60n * SECOND, "1m0s"],
  [3600n * SECOND, "1h0m0s"], [3661n * SECOND + 1n, "1h1m1.000000001s"], [-1n, "-1ns"], [999_999_999n, "999.999999ms"],
  [-9223372036854775808n, "-2562047h47m16.854775808s"],
])("%d nanoseconds print as %s", (value, text) => {
  expect(formatDuration(value)).toBe(text);
});
