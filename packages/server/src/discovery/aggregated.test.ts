import { answerJson } from "@portcullis/engine/internal/builtin/answers/answer-json";
import { expect, test } from "vitest";
import { openWithWidgets } from "../app/app.testing.ts";
import { AggregatedDiscovery } from "./aggregated.ts";
import { aggregatedGroup, aggregatedList } from "./documents.ts";
import { groupOf, groupsOf } from "./groups.ts";
import { discoveryProtobuf } from "./protobuf.ts";

test.each([true, false])("the pieces are those of the whole document (core: %s)", async (isCore) => {
  const { app } = await openWithWidgets();
  const { registry } = app.context;
  const pieces = new AggregatedDiscovery(registry, () => () => undefined);
  const groups = isCore ? [groupOf(registry, "")] : groupsOf(registry);
  const whole = aggregatedList(groups.map(aggregatedGroup));
  expect((await pieces.json(isCore)).json).toBe(`${answerJson(whole)}\n`);
  expect(await pieces.protobuf(isCore, "v2")).toEqual(discoveryProtobuf(whole));
  await app.close();
});
