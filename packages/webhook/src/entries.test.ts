import { expect, test } from "vitest";
import { entryName } from "./entries.ts";

test.each([
  { policy: "limits", entry: "limits.policies.portcullis" },
  { policy: "limits.example", entry: "limits.example.policies.portcullis" },
  { policy: "limits.example.com", entry: "limits.example.com" },
  { policy: "limits.policies.portcullis", entry: "limits.policies.portcullis.policies.portcullis" },
])("the entry of $policy is called $entry", ({ policy, entry }) => {
  expect(entryName(policy)).toBe(entry);
});

test("a name that would be too long is replaced by its hash", () => {
  const entry = entryName(`${"a".repeat(120)}.${"b".repeat(120)}`);
  expect(entry).toMatch(/^[0-9a-f]{40}\.policies\.portcullis$/);
});
