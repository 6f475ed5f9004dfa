import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { toPlain } from "@portcullis/engine/internal/value/copy";
import { expect, test } from "vitest";
import { crdsFromSchemas, schemaNameOf, UsedKinds } from "./catalogue.ts";

test.each([
  ["catalogue/example.com/widget_v1beta1.json", { group: "example.com", kind: "widget", version: "v1beta1" }],
  ["example.com/widget_v1.json", { group: "example.com", kind: "widget", version: "v1" }],
  ["master-standalone/deployment-apps-v1.json", undefined],
  ["example.com/widget_v1.yaml", undefined],
  ["widget_v1.json", undefined],
])("%s", (file, name) => {
  expect(schemaNameOf(file)).toEqual(name);
});

function used(text: string): UsedKinds {
  const kinds = new UsedKinds();
  kinds.add(text);
  return kinds;
}

const OBJECT = "apiVersion: example.com/v1\nkind: Widget\n";

function crdOf(schema: object, text = OBJECT) {
  const file = { file: "c/example.com/widget_v1.json", text: JSON.stringify(schema) };
  const { crds, unusable } = crdsFromSchemas([file], used(text));
  const decoded = crds[0] && decodeJson(crds[0].text);
  return { crd: decoded?.error === undefined && decoded !== undefined ? toPlain(decoded.value) : undefined, unusable };
}

test("the closing of schemas is undone, and only there", () => {
  const { crd } = crdOf({
    type: "object",
    additionalProperties: false,
    properties: {
      default: { type: "object", additionalProperties: false, properties: { a: { type: "string" } } },
      labels: { type: "object", additionalProperties: { type: "string" } },
      port: { oneOf: [{ type: "string" }, { type: "integer" }] },
      note: { type: ["string", "null"], default: { additionalProperties: false } },
    },
  });
  expect(crd).toMatchObject({
    metadata: { name: "widgets.example.com" },
    spec: {
      names: { kind: "Widget" },
      versions: [
        {
          name: "v1",
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                default: { type: "object", properties: { a: { type: "string" } } },
                labels: { type: "object", additionalProperties: { type: "string" } },
                port: { "x-kubernetes-int-or-string": true },
                note: { type: "string", nullable: true, default: { additionalProperties: false } },
              },
            },
          },
        },
      ],
    },
  });
  expect(JSON.stringify(crd).match(/"additionalProperties":false/g)).toHaveLength(1);
});

test("a schema with status has the subresource", () => {
  const { crd } = crdOf({ type: "object", properties: { status: { type: "object" } } });
  expect(crd).toMatchObject({ spec: { versions: [{ subresources: { status: {} } }] } });
});

test("versions of the same kind become one CRD, and kinds that nobody uses none", () => {
  const file = (name: string) => ({ file: `c/example.com/${name}.json`, text: '{"type":"object"}' });
  const text = `${OBJECT}---\napiVersion: "example.com/v2"\nkind: 'Widget'\n`;
  const { crds } = crdsFromSchemas(
    [file("widget_v1"), file("widget_v2"), file("widget_v3"), file("gadget_v1")],
    used(text),
  );
  expect(crds).toHaveLength(1);
  expect(crds[0]?.text).toContain('"name":"v2"');
  expect(crds[0]?.text).not.toContain('"name":"v3"');
});

test("the name of a kind is the one that starts with an upper-case letter", () => {
  expect(crdOf({ type: "object" }, `kind: widget\n---\n${OBJECT}`).crd).toMatchObject({
    spec: { names: { kind: "Widget" } },
  });
});

const deep = `${'{"items":'.repeat(300)}{}${"}".repeat(300)}`;

test.each([
  ['{"$ref": "#/definitions/x"}', "it refers to other schemas with $ref"],
  ["[]", "it is not an object"],
  ["{", "unexpected end of JSON input"],
  [deep, "it is nested too deeply"],
])("an unusable schema is reported: %.20s", (text, reason) => {
  const { crds, unusable } = crdsFromSchemas([{ file: "c/example.com/widget_v1.json", text }], used(OBJECT));
  expect(crds).toEqual([]);
  expect(unusable).toEqual([["c/example.com/widget_v1.json", expect.stringContaining(reason)]]);
});
