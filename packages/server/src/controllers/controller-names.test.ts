import { expect, test } from "vitest";
import { CONTROLLER_NAMES, enabledControllers } from "./controller-names.ts";

test.each([
  { items: ["*"], names: CONTROLLER_NAMES },
  { items: [], names: [] },
  { items: ["namespace"], names: ["namespace-controller"] },
  { items: ["*", "-garbagecollector"], names: CONTROLLER_NAMES.filter((name) => !name.startsWith("garbage")) },
  { items: ["-namespace-controller", "namespace-controller"], names: [] },
  { items: ["-deployment-controller"], names: [] },
])("$items turns on $names", ({ items, names }) => {
  expect([...enabledControllers(items)]).toEqual(names);
});

test.each([
  { item: "red-controller", message: '"red-controller" is not in the list of known controllers' },
  { item: "-grey-controller", message: '"grey-controller" is not in the list of known controllers' },
  { item: "deployment-controller", message: 'the controller "deployment-controller" is not supported' },
])("$item is refused", ({ item, message }) => {
  expect(() => enabledControllers([item])).toThrow(message);
});
