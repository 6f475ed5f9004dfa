import { expect, test } from "vitest";
import { parseDateTime, parseFormattedDuration } from "./strfmt.ts";

test.each([
  ["", 0n, 0],
  ["2020-02-29T12:00:00Z", 1582977600n, 0],
  ["2020-02-29T12:00:00", 1582977600n, 0],
  ["2020-02-29T12:00:00.5", 1582977600n, 500_000_000],
  ["2020-02-29T12:00:00,25Z", 1582977600n, 250_000_000],
  ["2020-02-29T12:00:00.123456789+01:30", 1582972200n, 123_456_789],
  ["2020-01-01T1:02:03Z", 1577840523n, 0],
])("the date-time %j parses, whether or not it is valid", (text, seconds, nanos) => {
  expect(parseDateTime(text)).toEqual({ value: { seconds, nanos } });
});

test.each([
  ["2020-02-29t12:00:00z", ' as "2006-01-02T15:04:05": cannot parse "t12:00:00z" as "T"'],
  ["2020-02-29T12:00:00z", ': extra text: "z"'],
  ["2021-02-29T12:00:00Z", ': extra text: "Z"'],
  ["2021-02-29T12:00:00", ": day out of range"],
  ["2020-13-01T00:00:00", ": month out of range"],
  ["2020-01-01T24:00:00Z", ": hour out of range"],
  ["2020-01-01T23:60:00Z", ": minute out of range"],
  ["2020-01-01T23:59:60Z", ": second out of range"],
  ["2020-01-01T01:2:03Z", ' as "2006-01-02T15:04:05": cannot parse "2:03Z" as "04"'],
  ["202x-01-01T00:00:00Z", ' as "2006-01-02T15:04:05": cannot parse "202x-01-01T00:00:00Z" as "2006"'],
  ["2020", ' as "2006-01-02T15:04:05": cannot parse "" as "-"'],
  ["2020-01-01T00:00:00+25:00", ': extra text: "+25:00"'],
  ["2020-01-01T00:00:00x123Z", ': extra text: "x123Z"'],
  ["2020-01-01T00:00:00.", ': extra text: "."'],
])("the date-time %j is refused by the layout without a zone", (text, problem) => {
  expect(parseDateTime(text).error).toBe(`parsing time "${text}"${problem}`);
});

test.each([
  ["1h30m", 5_400_000_000_000n],
  ["-1h", -3_600_000_000_000n],
  ["1 week 2 days", 777_600_000_000_000n],
  ["3 hr", 10_800_000_000_000n],
  ["5 HOURS", 18_000_000_000_000n],
  ["7 microseconds", 7_000n],
  ["1.5 hours", 18_000_000_000_000n],
  ["4 min, 5 sec", 245_000_000_000n],
  ["200000 days", -1_166_744_073_709_551_616n],
])("the duration %j has %d nanoseconds", (text, nanos) => {
  expect(parseFormattedDuration(text)).toEqual({ value: nanos });
});

test.each([
  ["", "unable to parse  as duration"],
  ["3 hrs", "unable to parse 3 hrs as duration"],
  ["1 month", "unable to parse 1 month as duration"],
  ["99999999999999999999 s", 'strconv.Atoi: parsing "99999999999999999999": value out of range'],
])("the duration %j is refused", (text, error) => {
  expect(parseFormattedDuration(text)).toEqual({ error });
});
