/**
 * Fields that every resource has, whether or not its schema names them: type and metadata, of the root and of embedded
 * resources.
 */
import { newSchema, type Structural } from "../schema/structural.ts";

export const RESOURCE_MEMBERS: readonly string[] = ["apiVersion", "kind", "metadata"];

const NAME = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
const TEXT = newSchema({ type: "string" });

const ROOT_MEMBERS: ReadonlyMap<string, Structural> = new Map([
  ["apiVersion", TEXT],
  ["kind", TEXT],
  [
    "metadata",
    newSchema({
      type: "object",
      preserveUnknownFields: true,
      required: ["name"],
      properties: new Map([
        ["name", newSchema({ type: "string", pattern: NAME, maxLength: 253, minLength: 1 })],
        ["generateName", TEXT],
      ]),
    }),
  ],
]);

const EMBEDDED_MEMBERS: ReadonlyMap<string, Structural> = new Map([
  ["apiVersion", newSchema({ type: "string", minLength: 1 })],
  ["kind", newSchema({ type: "string", minLength: 1 })],
  [
    "metadata",
    newSchema({
      type: "object",
      preserveUnknownFields: true,
      properties: new Map([
        ["name", TEXT],
        ["generateName", TEXT],
      ]),
    }),
  ],
]);

/** Members that the server adds to or keeps in a resource, with their schema. */
export function resourceMember(schema: Structural, key: string, isRoot: boolean): Structural | undefined {
  if (!isRoot && !schema.embeddedResource) return undefined;
  const implicit = (isRoot ? ROOT_MEMBERS : EMBEDDED_MEMBERS).get(key);
  const declared = schema.properties.get(key);
  if (implicit === undefined || declared === undefined) return implicit;
  return key === "metadata" ? mergedMetadata(implicit, declared) : declared;
}

const merged = new WeakMap<Structural, Structural>();

function mergedMetadata(implicit: Structural, declared: Structural): Structural {
  const known = merged.get(declared);
  if (known !== undefined) return known;
  const made: Structural = {
    ...declared,
    preserveUnknownFields: true,
    required: [...new Set([...implicit.required, ...declared.required])],
    properties: new Map([...implicit.properties, ...declared.properties]),
  };
  merged.set(declared, made);
  return made;
}
