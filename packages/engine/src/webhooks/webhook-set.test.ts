import { expect, test } from "vitest";
import { NO_EQUIVALENTS } from "../policy/attributes.ts";
import { readWebhooks } from "./webhook.ts";
import { WebhookSet } from "./webhook-set.ts";
import { attributes, json } from "./webhooks.testing.ts";

function configuration(name: string, groups: readonly string[] = [""]) {
  const webhook = { name: `w.${name}.x`, rules: [{ apiGroups: groups, resources: ["configmaps"] }] };
  return { name, webhooks: readWebhooks(json({ metadata: { name }, webhooks: [webhook, webhook] })) };
}

test("configurations are ordered by name in byte order, and their webhooks as listed", () => {
  const set = new WebhookSet(["x.a", "x-9", "x-10", "x-b"].map((name) => configuration(name)));
  expect(set.webhooks.map(({ uid }) => uid)).toEqual(
    ["x-10", "x-9", "x-b", "x.a"].flatMap((name) => [`${name}/w.${name}.x/0`, `${name}/w.${name}.x/1`]),
  );
});

test("webhooks for other resources are skipped and keep their index", () => {
  const set = new WebhookSet([configuration("a", ["apps"]), configuration("b"), configuration("c", ["*"])]);
  expect(set.candidates(attributes(), NO_EQUIVALENTS).map(({ index }) => index)).toEqual([2, 3, 4, 5]);
});

test("a configuration is added and removed without a change to the others", () => {
  const [a, b, c] = [configuration("a"), configuration("b", ["apps"]), configuration("c")];
  const set = new WebhookSet([c, a]);
  const indexes = (): number[] => set.candidates(attributes(), NO_EQUIVALENTS).map(({ index }) => index);
  expect(indexes()).toEqual([0, 1, 2, 3]);
  set.add(b);
  expect(indexes()).toEqual([0, 1, 4, 5]);
  set.remove(a);
  expect(indexes()).toEqual([2, 3]);
  set.remove(c);
  expect([indexes(), set.isEmpty]).toEqual([[], false]);
  set.remove(b);
  expect(set.isEmpty).toBe(true);
});

test("webhooks from files come first and count for the index", () => {
  const set = new WebhookSet([configuration("a")], new WebhookSet([configuration("z")]));
  const found = set.candidates(attributes(), NO_EQUIVALENTS);
  expect(found.map(({ webhook, index }) => [webhook.configuration, index])).toEqual([
    ["z", 0],
    ["z", 1],
    ["a", 2],
    ["a", 3],
  ]);
});
