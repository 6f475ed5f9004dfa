/**
 * Server-side apply against recordings of the real merge library: scripts of writes to one object, their errors, and
 * the final object with its owners.
 */
import { expect, test } from "vitest";
import { errorText, objectText, readLines, runScript, scriptOf, topics } from "./apply/script.ts";

test.each(topics())("%s comes to the recorded objects and owners", (topic) => {
  const failures = readLines(topic).flatMap((line) => {
    const want = line["want"] as unknown as { errors: (null | object)[]; object: null };
    const got = runScript(scriptOf(line));
    const expected = [...want.errors.map((error) => errorText(error as null)), objectText(want.object)];
    const actual = [...got.errors.map(errorText), objectText(got.objects.at(-1))];
    const index = expected.findIndex((text, at) => text !== actual[at]);
    return index < 0 ? [] : [`${line["id"]} at ${index}\n  want ${expected[index]}\n  got  ${actual[index]}`];
  });
  expect(failures.length, failures.slice(0, 5).join("\n\n")).toBe(0);
});

test("there are at least 300 scripts", () => {
  const count = topics().reduce((sum, topic) => sum + readLines(topic).length, 0);
  expect(count).toBeGreaterThanOrEqual(300);
});
