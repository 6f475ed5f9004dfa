import { newObject } from "@portcullis/engine/value/json";
import { expect, test } from "vitest";
import { ClusterError } from "./cluster/client.ts";
import { withoutRefused } from "./configuration.ts";

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
