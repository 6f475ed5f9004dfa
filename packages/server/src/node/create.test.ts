import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { expect, test } from "vitest";
import { startServer } from "./start.ts";

const objectFrom = (plain: object): JsonObject => {
  const value = fromPlain(plain);
  if (!isObject(value)) throw new Error("not an object");
  return value;
};

test("objects are created as by an administrator, custom resources right after their CRD", async () => {
  const server = await startServer({ tls: "none", tokenFile: "t,alice,1" });
  try {
    const schema = { openAPIV3Schema: { type: "object" } };
    const definition = objectFrom({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "things.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "things", kind: "Thing" },
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    });
    const thing = objectFrom({ apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "a" } });
    expect((await server.create(thing)).code).toBe(404);
    expect((await server.create(definition)).code).toBe(201);
    expect((await server.create(thing)).code).toBe(201);
    expect((await server.create(thing)).code).toBe(409);
  } finally {
    await server.stop();
  }
});
