import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { newObject } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/read";
import { expect, test } from "vitest";
import { ClusterError } from "./cluster/client.ts";
import { withOthersBundles, withoutRefused } from "./configuration.ts";

const ENTRIES = ["a", "b", "c"].map((name) => Object.assign(newObject(), { name }));

test.each([
  {
    name: "entries that were refused go",
    status: 422,
    fields: ["webhooks[1].rules[0]", "webhooks[1].name"],
    left: ["a", "c"],
  },
  { name: "a refusal of something else stands", status: 422, fields: ["metadata.name"], left: undefined },
  { name: "a conflict stands", status: 409, fields: [], left: undefined },
])("$name", ({ status, fields, left }) => {
  const good = withoutRefused(ENTRIES, new ClusterError(status, "refused", fields));
  expect(good?.map((entry) => entry["name"])).toEqual(left);
});

test("an entry without CAs keeps an injected caBundle and nothing else", () => {
  const entry = (name: string, clientConfig: object) => objectOf(fromPlain({ name, clientConfig }));
  const live = objectOf(
    fromPlain({ webhooks: [{ name: "a", clientConfig: { url: "https://old", caBundle: "aW5qZWN0ZWQ=" } }] }),
  );
  const kept = withOthersBundles([entry("a", { url: "https://new" }), entry("b", { url: "https://b" })], live);
  expect(kept).toEqual([
    entry("a", { url: "https://new", caBundle: "aW5qZWN0ZWQ=" }),
    entry("b", { url: "https://b" }),
  ]);
  const own = [entry("a", { url: "https://new", caBundle: "b3du" })];
  expect(withOthersBundles(own, live)).toEqual(own);
});
