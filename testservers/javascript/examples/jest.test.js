import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { testServer } from "portcullis-testserver";
import { CRD, countWidgets, createWidget } from "./widgets.js";

const api = testServer({ beforeAll, beforeEach, afterAll }, { load: [CRD] });

test("a widget is stored", async () => {
  await createWidget(api, "one", 1);
  expect(await countWidgets(api)).toBe(1);
});

test("tests do not see each other's objects, and refusals have the server's message", async () => {
  expect(await countWidgets(api)).toBe(0);
  await expect(createWidget(api, "none", 0)).rejects.toThrow("should be greater than or equal to 1");
});
