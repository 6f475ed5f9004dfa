/**
 * Conventions for CRDs that the API server does not require.
 *
 * They prevent changes that cannot be made later without breaking objects, and surprises for users of server-side apply
 * and `kubectl explain`. A profile selects them; `portcullis explain RULE` has the reasons.
 */
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import { type DefinitionVersion, readDefinition } from "@portcullis/engine/internal/crd/definition";
import type { Structural } from "@portcullis/engine/internal/schema/structural";
import { findingAt } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";

export const CONVENTION_PROFILES = ["none", "recommended", "strict"] as const;
export type ConventionProfile = (typeof CONVENTION_PROFILES)[number];

type Convention =
  | "unbounded-list"
  | "unbounded-map"
  | "unbounded-string"
  | "list-type"
  | "integer-format"
  | "status-subresource"
  | "description";

const RULES: Readonly<Record<ConventionProfile, ReadonlySet<Convention>>> = {
  none: new Set(),
  recommended: new Set(["list-type", "integer-format", "status-subresource"]),
  strict: new Set([
    "unbounded-list",
    "unbounded-map",
    "unbounded-string",
    "list-type",
    "integer-format",
    "status-subresource",
    "description",
  ]),
};

const MESSAGES: Readonly<Record<Convention, readonly [message: string, hint: string]>> = {
  "unbounded-list": ["the list has no maxItems", "add maxItems"],
  "unbounded-map": ["the map has no maxProperties", "add maxProperties"],
  "unbounded-string": ["the string has no maxLength", "add maxLength or enum"],
  "list-type": ["the list has no x-kubernetes-list-type", "add x-kubernetes-list-type: map, set or atomic"],
  "integer-format": ["the integer has no format", "add format: int32 or int64"],
  "status-subresource": ["the version has a status, but no status subresource", "add subresources: {status: {}}"],
  description: ["the field has no description", "add a description"],
};

/** A breach of a convention, at a place in the CRD. */
interface Breach {
  readonly rule: Convention;
  readonly path: string;
}

export function conventionFindings(document: ManifestDocument, profile: ConventionProfile): readonly Finding[] {
  const rules = RULES[profile];
  if (rules.size === 0) return [];
  const { versions } = readDefinition(decodeDefinition(document.object).value);
  return versions
    .flatMap((version, index) => [...breachesOf(version, `spec.versions[${index}]`)])
    .filter(({ rule }) => rules.has(rule))
    .map(({ rule, path }) => {
      const [message, hint] = MESSAGES[rule];
      return findingAt(document, { rule: `convention/${rule}`, severity: "warning", message, path, hint });
    });
}

/** The fields that every object has. */
const COMMON: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

function* breachesOf({ schema, subresources }: DefinitionVersion, path: string): Generator<Breach> {
  if (schema === undefined) return;
  const root = `${path}.schema.openAPIV3Schema`;
  for (const [name, member] of schema.properties) {
    if (COMMON.has(name)) continue;
    const at = `${root}.properties[${name}]`;
    if (name === "status" && subresources?.status !== true) yield { rule: "status-subresource", path: at };
    if (member.description === "") yield { rule: "description", path: at };
    yield* breachesIn(member, at, name !== "status");
  }
}

/** Limits matter where users write. */
function* breachesIn(schema: Structural, path: string, isInput: boolean): Generator<Breach> {
  if (isInput) yield* unbounded(schema, path);
  if (schema.type === "array" && schema.listType === undefined) yield { rule: "list-type", path };
  if (schema.type === "integer" && schema.format === "") yield { rule: "integer-format", path };
  for (const [name, member] of schema.properties) {
    if (schema.embeddedResource && COMMON.has(name)) continue;
    const at = `${path}.properties[${name}]`;
    if (member.description === "") yield { rule: "description", path: at };
    yield* breachesIn(member, at, isInput);
  }
  if (schema.items !== undefined) yield* breachesIn(schema.items, `${path}.items`, isInput);
  const additional = schema.additionalProperties?.schema;
  if (additional !== undefined) yield* breachesIn(additional, `${path}.additionalProperties`, isInput);
}

/** Formats whose texts are short. */
const SHORT_FORMATS: ReadonlySet<string> = new Set([
  "date",
  "date-time",
  "datetime",
  "duration",
  "ipv4",
  "ipv6",
  "cidr",
  "mac",
  "uuid",
  "uuid3",
  "uuid4",
  "uuid5",
]);

function* unbounded(schema: Structural, path: string): Generator<Breach> {
  if (schema.type === "array" && schema.maxItems === undefined) yield { rule: "unbounded-list", path };
  if (schema.additionalProperties !== undefined && schema.maxProperties === undefined)
    yield { rule: "unbounded-map", path };
  const isShort = schema.maxLength !== undefined || schema.enum !== undefined || SHORT_FORMATS.has(schema.format);
  if (schema.type === "string" && !isShort) yield { rule: "unbounded-string", path };
}
