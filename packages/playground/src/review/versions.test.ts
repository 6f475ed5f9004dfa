import { expect, test } from "vitest";
import { VERSIONS, type Version } from "../state.ts";
import { compareVersions, type VersionVerdict } from "./versions.ts";

const accepted = { tone: "accepted", headline: "Accepted", summary: "" } as const;
const refused = { tone: "refused", headline: "Refused", summary: "1 error" } as const;

function note(differing: readonly Version[]) {
  const all = VERSIONS.map(
    (version): VersionVerdict => ({ version, verdict: differing.includes(version) ? refused : accepted }),
  );
  const [current, ...others] = all;
  if (current === undefined) throw new Error("no versions");
  return compareVersions(current, others);
}

test("one verdict for all versions is said in one sentence", () => {
  expect(note([])).toEqual({ isSame: true, text: "the same in every version from 1.30 to 1.37" });
});

test.each([
  { differing: ["1.30"] as const, text: "differs between versions; 1.30: Refused, 1 error" },
  { differing: ["1.30", "1.31", "1.32"] as const, text: "differs between versions; 1.30 to 1.32: Refused, 1 error" },
  {
    differing: ["1.30", "1.34"] as const,
    text: "differs between versions; 1.30: Refused, 1 error; 1.34: Refused, 1 error",
  },
])("versions that differ are named: $differing", ({ differing, text }) => {
  expect(note(differing)).toEqual({ isSame: false, text });
});
