import { expect, test } from "vitest";
import { explainWebhooks } from "./explain.ts";
import { attributes, webhookSet } from "./webhooks.testing.ts";

test("every webhook is explained, called or not", () => {
  const set = webhookSet(
    { name: "a.b.c" },
    { name: "d.e.f", objectSelector: { matchLabels: { l: "2" } } },
    { name: "g.h.i", matchConditions: [{ name: "never", expression: "false" }] },
    { name: "j.k.l", matchConditions: [{ name: "broken", expression: "object.x == 1" }] },
    { name: "m.n.o", rules: [] },
  );
  const explained = explainWebhooks(set, attributes(), {
    version: "1.36",
    namespace: () => undefined,
    authorizer: { authorize: () => ({ decision: "allow", reason: "", error: undefined }) },
  });
  expect(explained.map(({ webhook, outcome }) => [webhook, outcome])).toEqual([
    ["a.b.c", "asked"],
    ["d.e.f", "not asked"],
    ["g.h.i", "not asked"],
    ["j.k.l", "error"],
    ["m.n.o", "not asked"],
  ]);
  expect(explained[2]?.reason).toBe("the match condition `never` is false");
});
