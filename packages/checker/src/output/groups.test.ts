import { expect, test } from "vitest";
import type { Finding } from "../report/finding.ts";
import { groupFindings } from "./groups.ts";

function denied(name: string, message: string): Finding {
  return {
    rule: "policy/deny",
    severity: "error",
    file: `${name}.yaml`,
    range: undefined,
    object: { apiVersion: "v1", kind: "Pod", namespace: "", name },
    path: "",
    message,
    hint: undefined,
    fingerprint: name,
  };
}

test("refusals that differ only in the name of their object are one group", () => {
  const findings = ["a", "b", "c"].map((name) => denied(name, `pods "${name}" is forbidden: no`));
  expect(groupFindings(findings).map(({ others }) => others.length)).toEqual([2]);
});

test("messages that differ in something else stay apart", () => {
  const findings = ["a", "b", "c"].map((name) => denied(name, `pods "x" is forbidden: ${name} is no`));
  expect(groupFindings(findings)).toHaveLength(3);
});
