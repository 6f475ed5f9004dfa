import { expect, test } from "vitest";
import { EMPTY_STATE } from "../state.ts";
import type { Stage } from "./outcome.ts";
import { Reviewer } from "./review.ts";

const reviewer = new Reviewer(() => "2026-12-31", {
  policies: () => import("./policies.ts"),
  upgrades: () => import("./upgrades.ts"),
  proofs: () => import("./proofs.ts"),
});

async function stagesOf(object: string): Promise<readonly Stage[]> {
  const state = { ...EMPTY_STATE, fieldValidation: "warn", texts: { object } } as const;
  return (await reviewer.review(state)).outcome.pipeline ?? [];
}

function linesOf(stage: Stage | undefined, kind: "added" | "removed"): string[] {
  return (stage?.lines ?? []).filter((line) => line.kind === kind).map(({ text }) => text.trim());
}

const SERVICE =
  "spec:\n  ports: [{port: 80}]\n  selector: {app: web}\nmetadata: {name: web}\nkind: Service\napiVersion: v1\n";

test("a built-in kind shows its defaults apart from what is pruned", async () => {
  const [pruned, defaulted, stored] = await stagesOf(`${SERVICE}unknown: 1\n`);
  expect(linesOf(pruned, "removed")).toEqual(["unknown: 1"]);
  expect(linesOf(pruned, "added")).toEqual([]);
  expect(linesOf(defaulted, "added")).toContain("sessionAffinity: None");
  expect(linesOf(stored, "added").join("\n")).toContain("creationTimestamp:");
});

test("the order of keys is not a change", async () => {
  const [pruned, defaulted] = await stagesOf(SERVICE);
  expect(pruned?.changes).toBe(0);
  expect(linesOf(defaulted, "removed")).toEqual([]);
});

test("a null is pruned, and a quantity gets its canonical form", async () => {
  const pod = (cpu: string) => `apiVersion: v1
kind: Pod
metadata: {name: a, labels: null}
spec: {containers: [{name: a, image: a, resources: {limits: {cpu: ${cpu}}}}]}
`;
  const [pruned, defaulted] = await stagesOf(pod("1000m"));
  expect(linesOf(pruned, "removed")).toEqual(["labels: null"]);
  expect(linesOf(defaulted, "removed")).toEqual(["cpu: 1000m"]);
});
