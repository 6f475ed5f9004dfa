import { expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { isObject } from "../value/json.ts";
import { openApiV2Protobuf } from "./protobuf.ts";

function hexOf(document: unknown): string {
  const json = fromPlain(document);
  if (!isObject(json)) throw new Error("no document");
  return [...openApiV2Protobuf(json)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// What is expected was recorded from gnostic-models.
test("a document has the bytes that gnostic writes", () => {
  const operation = {
    operationId: "read",
    tags: ["core"],
    produces: ["application/json"],
    parameters: [
      { name: "name", in: "path", type: "string", required: true, uniqueItems: true },
      { name: "limit", in: "query", type: "integer", minimum: 1.5 },
      { $ref: "#/parameters/body" },
    ],
    responses: {
      200: { description: "OK", schema: { $ref: "#/definitions/Thing" } },
      401: { description: "Unauthorized" },
    },
  };
  const properties = {
    a: { type: "array", items: { type: "string" }, maxItems: 3 },
    b: { type: "object", additionalProperties: { type: "integer" } },
    c: { additionalProperties: false },
  };
  const document = {
    swagger: "2.0",
    info: { title: "Kubernetes", version: "v1.36.0" },
    paths: { "/api/v1/things/{name}": { get: operation } },
    definitions: { Thing: { type: "object", required: ["a"], properties } },
    parameters: { body: { name: "body", in: "body", schema: { type: "string" } } },
    securityDefinitions: { BearerToken: { type: "apiKey", name: "authorization", in: "header" } },
    security: [{ BearerToken: [] }],
  };
  expect(hexOf(document)).toBe(
    "0a03322e3012150a0a4b756265726e65746573120776312e33362e3042e10112de010a152f6170692f76312f7468696e67732f7b6e616d65" +
      "7d12c40112c1010a04636f72652a047265616432106170706c69636174696f6e2f6a736f6e421f0a1d121b2219080112047061746822046e" +
      "616d652a06737472696e6798010142260a2412221a201205717565727922056c696d69743207696e746567657269000000000000f83f4215" +
      "12130a11232f706172616d65746572732f626f64794a410a260a03323030121f0a1d0a024f4b12170a150a13232f646566696e6974696f6e" +
      "732f5468696e670a170a0334303112100a0e0a0c556e617574686f72697a65644a6f0a6d0a055468696e6712649a010161b201080a066f62" +
      "6a656374ca01520a210a0161121c7003b201070a056172726179ba010d0a0bb201080a06737472696e670a210a0162121caa010e0a0cb201" +
      "090a07696e7465676572b201080a066f626a6563740a0a0a01631205aa0102100052250a230a04626f6479121b0a191204626f64791a0462" +
      "6f64792a0bb201080a06737472696e6762110a0f0a0b426561726572546f6b656e12006a320a300a0b426561726572546f6b656e1221121f" +
      "0a066170694b6579120d617574686f72697a6174696f6e1a06686561646572",
  );
});

test("arbitrary values are texts, and zero is omitted", () => {
  const definitions = { T: { default: 1, enum: [true], "x-a": 7 } };
  expect(hexOf({ swagger: "2.0", info: { title: "", version: "" }, paths: {}, definitions })).toBe(
    "0a03322e30120042004a250a230a0154121e2a041202310aa201071205747275650afa010b0a03782d6112041202370a",
  );
});
