import { expect, test } from "vitest";
import { keyElement, valueElement } from "../fieldset/element.ts";
import { formatPath, makePath } from "../fieldset/path.ts";
import { type FieldSet, pathsOf, setOf } from "../fieldset/set.ts";
import { toPlain } from "../value/copy.ts";
import { compareTyped } from "./compare.ts";
import { mergeValues } from "./merge.ts";
import { reconcileWithSchema } from "./reconcile.ts";
import { removeItems } from "./remove.ts";
import { toFieldSet } from "./to-set.ts";
import { mapOf, newType, scalarType } from "./types/types.ts";
import { formatFindings, validateType } from "./validate.ts";
import { TYPES, widget } from "./widget.testing.ts";

const TYPE = TYPES.typeOf("example.com/v1", "Widget");

function widgetType() {
  if (TYPE === undefined) throw new Error("the widget has no type");
  return TYPE;
}

const items = (names: string): object => ({ items: [...names].map((name) => ({ name })) });

// biome-ignore format: a table
test.each([
  { live: "abc",    config: "cba",    merged: "cba",     why: "shared items follow the configuration" },
  { live: "abc",    config: "ca",     merged: "bca",     why: "items only the live list has stay before the next shared one" },
  { live: "abc",    config: "ac",     merged: "abc",     why: "the order of both is kept where it agrees" },
  { live: "abc",    config: "adb",    merged: "adbc",    why: "new items come where the configuration has them" },
  { live: "ab",     config: "cd",     merged: "abcd",    why: "new items come last where nothing is shared" },
  { live: "",       config: "ba",     merged: "ba",      why: "nothing live leaves the configuration" },
  { live: "ba",     config: "",       merged: "ba",      why: "an empty configuration leaves the live list" },
])("$live with $config is $merged: $why", ({ live, config, merged }) => {
  const result = mergeValues(widgetType(), widget(items(live)), widget(items(config)));
  expect(result && toPlain(result)).toMatchObject({ spec: items(merged) });
});

// biome-ignore format: a table
test.each([
  { spec: { items: [{ value: "x" }] },                message: 'element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)', path: ".spec.items" },
  { spec: { tags: ["a", "a"] },                       message: 'duplicate entries for key [="a"]',           path: ".spec.tags" },
  { spec: { zzz: 1 },                                 message: "field not declared in schema",               path: ".spec.zzz" },
  { spec: { name: { b: [1, null], a: 1.5 } },         message: 'expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":1.5, "b":[]interface {}{1, interface {}(nil)}}}', path: ".spec.name" },
  { spec: { replicas: [] },                           message: "expected numeric (int or float), got []interface {}", path: ".spec.replicas" },
  { spec: { items: { a: "b" } },                      message: "expected list, got &{map[a:b]}",             path: ".spec.items" },
  { spec: { grain: [1, "x"] },                        message: "expected map, got &{[1 x]}",                 path: ".spec.grain" },
  { spec: { plain: ["a", 1] },                        message: "expected string, got &value.valueUnstructured{Value:1}", path: ".spec.plain[1]" },
  { spec: { items: [{ name: "a", value: true }] },    message: "expected string, got &value.valueUnstructured{Value:true}", path: '.spec.items[name="a"].value' },
])("$path: $message", ({ spec, message, path }) => {
  const findings = validateType(widgetType(), widget(spec), { allowDuplicates: false });
  expect(formatFindings(findings)).toBe(`${path}: ${message}`);
});

test("several findings are listed in the order of keys; a map stops at its first undeclared member", () => {
  const findings = validateType(widgetType(), widget({ zzz: 1, name: 1, block: "x", aaa: 1 }), {
    allowDuplicates: false,
  });
  expect(formatFindings(findings)).toBe(".spec.aaa: field not declared in schema");
  const wrong = validateType(widgetType(), widget({ replicas: "x", name: 1 }), { allowDuplicates: false });
  expect(formatFindings(wrong)).toBe(
    "errors:\n  .spec.name: expected string, got &value.valueUnstructured{Value:1}\n  .spec.replicas: expected numeric (int or float), got string",
  );
});

test("stored objects may have duplicates", () => {
  expect(validateType(widgetType(), widget({ tags: ["a", "a"] }), { allowDuplicates: true })).toEqual([]);
});

function texts(set: FieldSet): string[] {
  return [...pathsOf(set)].map(formatPath).filter((path) => path.startsWith(".spec"));
}

// biome-ignore format: a table
test.each([
  { name: "declared containers are no members, their content is", spec: { grain: { a: "x" }, name: "n" },             paths: [".spec.name", ".spec.grain.a"] },
  { name: "empty maps and nulls are members, empty lists are not", spec: { grain: {}, tags: null, items: [] },         paths: [".spec.grain", ".spec.tags"] },
  { name: "atomic containers are members as a whole",              spec: { plain: ["a"], block: { a: "x" } },          paths: [".spec.block", ".spec.plain"] },
  { name: "items are members beside their fields",                 spec: { items: [{ name: "a" }] },                   paths: ['.spec.items[name="a"]', '.spec.items[name="a"].name'] },
  { name: "free-form maps are granular, their lists are not",      spec: { free: { a: { b: 1 }, c: [1] } },            paths: [".spec.free.a", ".spec.free.c", ".spec.free.a.b"] },
])("$name", ({ spec, paths }) => {
  expect(texts(toFieldSet(widgetType(), widget(spec)))).toEqual(paths);
});

// biome-ignore format: a table
test.each([
  { before: { name: "a" },              after: { name: "b" },                      added: [],                                   modified: [".spec.name"],  removed: [] },
  { before: {},                         after: { grain: { a: "x" } },              added: [".spec.grain", ".spec.grain.a"],     modified: [],              removed: [] },
  { before: { tags: ["a"] },            after: { tags: ["b"] },                    added: ['.spec.tags[="b"]'],                 modified: [],              removed: ['.spec.tags[="a"]'] },
  { before: { plain: ["a"] },           after: { plain: ["b"] },                   added: [],                                   modified: [".spec.plain"], removed: [] },
  { before: { free: { a: "x" } },       after: { free: { a: { b: 1 } } },          added: [".spec.free.a.b"],                   modified: [".spec.free.a"], removed: [] },
  { before: { tags: ["a", "a"] },       after: { tags: ["a"] },                    added: ['.spec.tags[="a"]'],                 modified: [],              removed: ['.spec.tags[="a"]'] },
  { before: { replicas: 1 },            after: { replicas: 1 },                    added: [],                                   modified: [],              removed: [] },
])("$before to $after", ({ before, after, added, modified, removed }) => {
  const changes = compareTyped(widgetType(), widget({ name: "n", ...before }), widget({ name: "n", ...after }));
  expect([changes.added, changes.modified, changes.removed].map(texts)).toEqual([added, modified, removed]);
});

const specPath = (...parts: Parameters<typeof makePath>) => setOf(makePath("spec", ...parts));
const item = (name: string) => keyElement([{ name: "name", value: name }]);

// biome-ignore format: a table
test.each([
  { name: "a field",                            fields: specPath("name"),                     left: { items: [{ name: "a", value: "x" }], tags: ["t"] } },
  { name: "a field of an item",                 fields: specPath("items", item("a"), "value"), left: { items: [{ name: "a" }], name: "n", tags: ["t"] } },
  { name: "the last item leaves null",          fields: specPath("tags", valueElement("t")),  left: { items: [{ name: "a", value: "x" }], name: "n", tags: null } },
])("removing $name", ({ fields, left }) => {
  const whole = widget({ items: [{ name: "a", value: "x" }], name: "n", tags: ["t"] });
  expect(toPlain(removeItems(widgetType(), whole, fields))).toMatchObject({ spec: left });
});

test("an owner of parts of a value that became atomic owns all of it", () => {
  const owned = setOf(makePath("block", "a"), makePath("other"), makePath("free", "x", "y"));
  const string = scalarType("string");
  const atomic = newType({ map: { ...mapOf(string), relationship: "atomic" } });
  const fields = new Map([
    ["block", { type: atomic, default: undefined }],
    ["other", { type: string, default: undefined }],
  ]);
  const type = newType({ map: { fields, element: undefined, relationship: "separable" } });
  const reconciled = reconcileWithSchema(owned, type);
  expect([...pathsOf(reconciled)].map(formatPath)).toEqual([".block", ".other", ".free.x.y"]);
  expect(reconcileWithSchema(reconciled, type)).toBe(reconciled);
});
