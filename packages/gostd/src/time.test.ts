import { expect, test } from "vitest";
import { daysFromCivil, formatRfc3339, formatRfc3339Nano, parseDate, parseRfc3339, toCivil } from "./time.ts";

// biome-ignore format: a table
test.each([
  { text: "1970-01-01T00:00:00Z",                seconds: 0n,             nanos: 0 },
  { text: "2024-02-29T12:34:56.789Z",            seconds: 1709210096n,    nanos: 789_000_000 },
  { text: "2024-02-29T12:34:56.1234567891Z",     seconds: 1709210096n,    nanos: 123_456_789 },
  { text: "2024-02-29T12:34:56,5Z",              seconds: 1709210096n,    nanos: 500_000_000 },
  { text: "2024-02-29T14:34:56+02:00",           seconds: 1709210096n,    nanos: 0 },
  { text: "2024-02-29T12:34:56-24:60",           seconds: 1709300096n,    nanos: 0 },
  { text: "2024-02-29T2:34:56Z",                 seconds: 1709174096n,    nanos: 0 },
  { text: "0001-01-01T00:00:00Z",                seconds: -62135596800n,  nanos: 0 },
  { text: "9999-12-31T23:59:59.999999999Z",      seconds: 253402300799n,  nanos: 999_999_999 },
])("$text parses", ({ text, seconds, nanos }) => {
  expect(parseRfc3339(text)).toEqual({ value: { seconds, nanos } });
});

const LAYOUT = '"2006-01-02T15:04:05Z07:00"';

// biome-ignore format: a table
test.each([
  { text: "",                          problem: ` as ${LAYOUT}: cannot parse "" as "2006"` },
  { text: "x",                         problem: ` as ${LAYOUT}: cannot parse "x" as "2006"` },
  { text: "2024/01/01",                problem: ` as ${LAYOUT}: cannot parse "/01/01" as "-"` },
  { text: "2024-1-01T00:00:00Z",       problem: ` as ${LAYOUT}: cannot parse "1-01T00:00:00Z" as "01"` },
  { text: "2024-01-01 00:00:00Z",      problem: ` as ${LAYOUT}: cannot parse " 00:00:00Z" as "T"` },
  { text: "2024-01-01T00:00:00",       problem: ` as ${LAYOUT}: cannot parse "" as "Z07:00"` },
  { text: "2024-01-01T00:00:00+0100",  problem: ` as ${LAYOUT}: cannot parse "+0100" as "Z07:00"` },
  { text: "2024-01-01T00:00:00z",      problem: ` as ${LAYOUT}: cannot parse "z" as "Z07:00"` },
  { text: "2024-13-01T00:00:00Z",      problem: ": month out of range" },
  { text: "2024-02-30T00:00:00Z",      problem: ": day out of range" },
  { text: "2023-02-29T00:00:00Z",      problem: ": day out of range" },
  { text: "2024-01-01T24:00:00Z",      problem: ": hour out of range" },
  { text: "2024-01-01T00:60:00Z",      problem: ": minute out of range" },
  { text: "2024-01-01T00:00:60Z",      problem: ": second out of range" },
  { text: "2024-01-01T00:00:00+25:00", problem: ": time zone offset hour out of range" },
  { text: "2024-01-01T00:00:00+01:61", problem: ": time zone offset minute out of range" },
  { text: "2024-01-01T00:00:00Zx",     problem: ': extra text: "x"' },
])("$text is an error", ({ text, problem }) => {
  expect(parseRfc3339(text)).toEqual({ error: `parsing time "${text}"${problem}` });
});

test("a text quoted in an error has its bytes escaped", () => {
  expect(parseRfc3339('é"').error).toBe(
    `parsing time "\\xc3\\xa9\\"" as ${LAYOUT}: cannot parse "\\xc3\\xa9\\"" as "2006"`,
  );
});

test("dates are midnight UTC", () => {
  expect(parseDate("2024-02-29")).toEqual({ value: { seconds: 1709164800n, nanos: 0 } });
  expect(parseDate("2024-02-30")).toEqual({ error: 'parsing time "2024-02-30": day out of range' });
  expect(parseDate("2024-02-29T")).toEqual({ error: 'parsing time "2024-02-29T": extra text: "T"' });
});

test("times print with the shortest fraction and the offset", () => {
  expect(formatRfc3339Nano(1709210096n, 120_000_000)).toBe("2024-02-29T12:34:56.12Z");
  expect(formatRfc3339Nano(1709210096n, 1, -12_600)).toBe("2024-02-29T09:04:56.000000001-03:30");
  expect(formatRfc3339(-62135596800n)).toBe("0001-01-01T00:00:00Z");
});

test("civil fields cover the year 1 to the year 9999", () => {
  const first = { year: 1, month: 1, day: 1, hour: 0, minute: 0, second: 0, weekday: 1, yearDay: 1 };
  expect(toCivil(-62135596800n, 0)).toEqual(first);
  const last = { year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59, weekday: 5, yearDay: 365 };
  expect(toCivil(253402300799n, 0)).toEqual(last);
  expect(toCivil(-1n, 3600)).toMatchObject({ year: 1970, month: 1, day: 1, hour: 0, minute: 59, weekday: 4 });
  expect(toCivil(1709164800n, 0)).toMatchObject({ yearDay: 60, weekday: 4 });
});

test("every day survives the round trip to a day number", () => {
  for (let day = daysFromCivil(1, 1, 1); day <= daysFromCivil(9999, 12, 31); day += 97) {
    const civil = toCivil(BigInt(day) * 86_400n, 0);
    expect(daysFromCivil(civil.year, civil.month, civil.day)).toBe(day);
  }
});
