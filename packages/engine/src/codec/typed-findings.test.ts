import { expect, test } from "vitest";
import { decodeJson } from "./json.ts";
import { typedFindings } from "./typed-findings.ts";

function findingsOf(text: string, unknown: string[], opaque: string[]): string[] {
  const decoded = decodeJson(text, { duplicates: true, positions: true });
  if (decoded.error !== undefined) throw new Error(decoded.error);
  return typedFindings({ strictErrors: decoded.strictErrors, source: decoded.source, unknown, opaque });
}

test.each([
  {
    name: "duplicates and unknown fields come in the order of the document",
    text: '{"x":1,"a":1,"a":2,"y":1}',
    unknown: ["x", "y"],
    opaque: ["x", "y"],
    findings: ['unknown field "x"', 'duplicate field "a"', 'unknown field "y"'],
  },
  {
    name: "a key that is both is unknown",
    text: '{"x":1,"x":2}',
    unknown: ["x"],
    opaque: ["x"],
    findings: ['unknown field "x"'],
  },
  {
    name: "nothing is found below a type that decodes itself",
    text: '{"items":{"a":1,"a":2},"items":{}}',
    unknown: [],
    opaque: ["items"],
    findings: ['duplicate field "items"'],
  },
])("$name", ({ text, unknown, opaque, findings }) => {
  expect(findingsOf(text, unknown, opaque)).toEqual(findings);
});
