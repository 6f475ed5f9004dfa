import { expect, test } from "vitest";
import { readCompactionInterval } from "./serve-storage.ts";

test.each([
  [undefined, {}],
  ["5m", { compactionInterval: 300_000 }],
  ["1h30m", { compactionInterval: 5_400_000 }],
  ["0", { compactionInterval: 0 }],
])("an interval of %s", (text, expected) => {
  expect(readCompactionInterval(text)).toEqual(expected);
});

test.each([
  ["5", 'time: missing unit in duration "5"'],
  ["soon", 'time: invalid duration "soon"'],
  ["-5m", "it is negative"],
])("%s is not an interval", (text, reason) => {
  expect(() => readCompactionInterval(text)).toThrow(
    `invalid argument "${text}" for "--etcd-compaction-interval" flag: ${reason}`,
  );
});
