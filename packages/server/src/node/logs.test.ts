import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openAuditFile } from "./logs.ts";
import { scratchFolder } from "./scratch.testing.ts";

test("an event is in the file when write returns", async () => {
  const path = `${scratchFolder()}/audit.log`;
  const audit = openAuditFile({ path, onError: (error) => expect.unreachable(error.message) });
  audit.write("é");
  expect(readFileSync(path, "utf8")).toBe("é\n");
  await audit.close();
});

test("a file that cannot be opened is reported and events are dropped", async () => {
  const errors: string[] = [];
  const audit = openAuditFile({
    path: `${scratchFolder()}/absent/audit.log`,
    onError: ({ message }) => errors.push(message),
  });
  audit.write("lost");
  await audit.close();
  expect(errors).toEqual([expect.stringContaining("ENOENT")]);
});
