import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isArray, isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import { expect, test } from "vitest";
import { isStream, type StreamBody } from "../http/exchange.ts";
import { respondList, type Sending, type ShownList } from "./list-text.ts";
import { PLAIN, respondObject } from "./respond.ts";

const data = { list: '"items":[]', lines: "items: []\nitems: []\n", empty: "", text: "ünï", 1: "<&>" };
const item = (name: string) => ({ metadata: { name, annotations: data }, data, rest: [], more: {} });
const list = (items: unknown[], metadata: object = { resourceVersion: "7" }) => ({
  apiVersion: "v1",
  kind: "ConfigMapList",
  metadata,
  items,
});
const row = (name: string) => ({ cells: [name, 1, '"rows": []'], object: { kind: "PartialObjectMetadata", data } });
const table = (rows: unknown[]) => ({
  kind: "Table",
  apiVersion: "meta.k8s.io/v1",
  metadata: { resourceVersion: "7" },
  columnDefinitions: [{ name: "rows: []", type: "string", format: "", description: '"rows":[]', priority: 0 }],
  rows,
});

const whole: Sending = { pause: () => undefined, deadline: 60_000, now: () => 0, takesStreams: false };
const streaming: Sending = { ...whole, takesStreams: true };

function objectFrom(value: object): JsonObject {
  const result = fromPlain(value);
  if (!isObject(result)) throw new Error("not a list");
  return result;
}

function shown(result: JsonObject, member: "items" | "rows" = "items"): ShownList {
  const items = result[member];
  if (!isArray(items)) throw new Error("without items");
  return {
    frame: objectOf({ ...result, [member]: [] }),
    member,
    count: items.length,
    itemAt: (index) => items[index] ?? null,
  };
}

test.each([
  { name: "of two", value: list([item("a"), item("b")]), member: "items" },
  { name: "of none", value: list([]), member: "items" },
  { name: "whose metadata looks like items", value: list([item("a")], { continue: 'items: []\n"items":[]' }) },
  { name: "that is a table", value: table([row("a"), row("b")]), member: "rows" },
] as const)("a list $name has the same text in slices as at once", async ({ value, ...rest }) => {
  const result = objectFrom(value);
  for (const format of ["json", "yaml"] as const) {
    for (const isPretty of [true, false]) {
      const output = { ...PLAIN, format, isPretty };
      const member = "member" in rest ? rest.member : "items";
      expect(await respondList(shown(result, member), output, whole)).toEqual(respondObject(200, result, output));
    }
  }
});

const long = objectFrom(list(Array.from({ length: 6_000 }, (_, i) => item(`a${i}`))));

test("a long list is bytes for another thread, made of the same text", async () => {
  for (const format of ["json", "yaml"] as const) {
    const output = { ...PLAIN, format };
    const { body } = await respondList(shown(long), output, whole);
    if (!(body instanceof Uint8Array)) throw new Error("not in bytes");
    expect(new TextDecoder().decode(body)).toBe(respondObject(200, long, output).body);
  }
});

/** What a client gets that takes a piece when it wants to, and how the stream ends. */
function reading(body: StreamBody) {
  const parts: (string | Uint8Array)[] = [];
  let take = (): void => {};
  const state = { ending: "", parts, take: () => take() };
  body.start({
    write: (part) => void parts.push(part),
    pending: () => 0,
    drained: () =>
      new Promise((resolve) => {
        take = resolve;
      }),
    end: () => {
      state.ending = "end";
    },
    cut: () => {
      state.ending = "cut";
    },
  });
  return state;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

test.each(["json", "yaml"] as const)("a long list in %s is made as the client takes it", async (format) => {
  const output = { ...PLAIN, format };
  let made = 0;
  const listed = shown(long);
  const itemAt = (index: number) => {
    made = Math.max(made, index + 1);
    return listed.itemAt(index);
  };
  const { body } = await respondList({ ...listed, itemAt }, output, streaming);
  if (!isStream(body)) throw new Error("not a stream");
  const client = reading(body);
  await nextTurn();
  expect(client.parts).toHaveLength(1);
  expect(made).toBeLessThan(3_000);
  for (let i = 0; i < 100 && client.ending === ""; i++) {
    client.take();
    await nextTurn();
  }
  expect(client.ending).toBe("end");
  expect(client.parts.join("")).toBe(respondObject(200, long, output).body);
});

test("a client that takes nothing is cut off when the time is over", async () => {
  const { body } = await respondList(shown(long), PLAIN, { ...streaming, deadline: 50 });
  if (!isStream(body)) throw new Error("not a stream");
  const client = reading(body);
  while (client.ending === "") await nextTurn();
  expect(client.ending).toBe("cut");
});

test("an item that cannot be read cuts a list that has begun", async () => {
  const listed = shown(long);
  const itemAt = (index: number) => {
    if (index === 5_999) throw new Error("unreadable");
    return listed.itemAt(index);
  };
  const { body } = await respondList({ ...listed, itemAt }, PLAIN, streaming);
  if (!isStream(body)) throw new Error("not a stream");
  const client = reading(body);
  for (let i = 0; i < 100 && client.ending === ""; i++) {
    client.take();
    await nextTurn();
  }
  expect(client.ending).toBe("cut");
});
