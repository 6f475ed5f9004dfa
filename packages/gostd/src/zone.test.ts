import { expect, test } from "vitest";
import { zoneNames } from "./generated/zone-names.ts";
import { fixedZone, loadLocation } from "./zone.ts";

const JANUARY = 1704067200n;
const JULY = 1719792000n;

// biome-ignore format: a table
test.each([
  { name: "",                    winter: 0,      summer: 0 },
  { name: "UTC",                 winter: 0,      summer: 0 },
  { name: "Local",               winter: 0,      summer: 0 },
  { name: "America/New_York",    winter: -18000, summer: -14400 },
  { name: "US/Eastern",          winter: -18000, summer: -14400 },
  { name: "Europe/Berlin",       winter: 3600,   summer: 7200 },
  { name: "Asia/Kolkata",        winter: 19800,  summer: 19800 },
  { name: "Australia/Lord_Howe", winter: 39600,  summer: 37800 },
  { name: "Etc/GMT+5",           winter: -18000, summer: -18000 },
  { name: "EST5EDT",             winter: -18000, summer: -14400 },
])("$name has its offsets", ({ name, winter, summer }) => {
  const zone = loadLocation(name).value;
  expect(zone?.offsetAt(JANUARY)).toBe(winter);
  expect(zone?.offsetAt(JULY)).toBe(summer);
});

test.each(["america/new_york", "Nowhere", "+01:00", "EST6", "America"])("%s is unknown", (name) => {
  expect(loadLocation(name)).toEqual({ error: `unknown time zone ${name}` });
});

test.each(["../x", "/etc/localtime", "\\x", "a..b"])("%s is not a name", (name) => {
  expect(loadLocation(name)).toEqual({ error: "time: invalid location name" });
});

test("the JavaScript engine has every zone of Go", () => {
  for (const name of zoneNames.split(" ")) expect(loadLocation(name).value?.offsetAt(JULY), name).toBeTypeOf("number");
});

test("a fixed zone never changes", () => {
  expect(fixedZone(-3600).offsetAt(JULY)).toBe(-3600);
});
