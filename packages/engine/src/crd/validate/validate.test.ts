import { expect, test } from "vitest";
import { formatFieldError } from "../../field/format.ts";
import { decodeDefinition } from "../decode.ts";
import {
  createErrors,
  definitionOf,
  definitionWith,
  ESTABLISHED,
  jsonObject,
  OPTIONS,
  specOf,
  updateErrors,
  versionWith,
} from "../definition.testing.ts";
import { prepareForCreate, prepareStatusUpdate } from "../prepare.ts";
import { validateDefinition, validateDefinitionStatus } from "./validate.ts";

const LABEL =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const names = { plural: "widgets", kind: "Widget" };

test.each([
  { name: "a small definition is accepted", spec: {}, errors: [] },
  {
    name: "the group must have a dot, and the object is named after it",
    spec: { group: "example" },
    errors: [
      'metadata.name: Invalid value: "widgets.example.com": must be spec.names.plural+"."+spec.group',
      'spec.group: Invalid value: "example": should be a domain with at least one dot',
    ],
  },
  {
    name: "a scope is one of two",
    spec: { scope: "Global" },
    errors: ['spec.scope: Unsupported value: "Global": supported values: "Cluster", "Namespaced"'],
  },
  {
    name: "kind and list kind differ",
    spec: { names: { ...names, listKind: "Widget" } },
    errors: ['spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same'],
  },
  {
    name: "a kind may have capitals, a short name may not",
    spec: { names: { ...names, shortNames: ["W"] } },
    errors: [`spec.names.shortNames[0]: Invalid value: "W": ${LABEL}`],
  },
  {
    name: "the name of the first version is also spec.version",
    spec: { versions: [versionWith({ name: "V1" })] },
    errors: [`spec.versions[0].name: Invalid value: "V1": ${LABEL}`, `spec.version: Invalid value: "V1": ${LABEL}`],
  },
  {
    name: "a schema is required in every version",
    spec: { versions: [versionWith({ schema: undefined })] },
    errors: ["spec.versions[0].schema.openAPIV3Schema: Required value"],
  },
  {
    name: "unknown fields are not preserved for the whole resource any more",
    spec: { preserveUnknownFields: true },
    errors: [
      "spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
    ],
  },
  {
    name: "a deprecation warning is printed as JSON",
    spec: { versions: [versionWith({ deprecated: true, deprecationWarning: "<\u0007" })] },
    errors: [
      'spec.versions[0].deprecationWarning: Invalid value: "\\u003c\\u0007": must only contain printable UTF-8 characters; non-printable character found at index 1',
    ],
  },
  {
    name: "groups of the project need an approval",
    spec: { group: "x.k8s.io" },
    metadata: { name: "widgets.x.k8s.io" },
    errors: [
      'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
    ],
  },
])("$name", ({ spec, metadata, errors }) => {
  expect(createErrors(definitionWith(spec, metadata === undefined ? {} : { metadata }))).toEqual(errors);
});

test("a CRD without versions lacks a storage version and a stored version", () => {
  expect(createErrors(definitionWith({ versions: [] }))).toEqual([
    "spec.versions: Invalid value: []: must have exactly one version marked as storage version",
    "status.storedVersions: Invalid value: null: must have at least one stored version",
  ]);
});

test("versions are printed as Go structs, without their common fields", () => {
  const versions = [versionWith({}), versionWith({ name: "v2" })];
  const version = (name: string): string =>
    `{"Name":"${name}","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}`;
  expect(createErrors(definitionWith({ versions }))).toContain(
    `spec.versions: Invalid value: [${version("v1")},${version("v2")}]: must have exactly one version marked as storage version`,
  );
});

test.each([
  {
    name: "a schema that all versions share is reported at the top",
    second: { type: "bogus" },
    path: "spec.validation.openAPIV3Schema.type",
  },
  {
    name: "schemas that differ are reported by version",
    second: { type: "object" },
    path: "spec.versions[0].schema.openAPIV3Schema.type",
  },
])("$name", ({ second, path }) => {
  const versions = [
    versionWith({ schema: { openAPIV3Schema: { type: "bogus" } } }),
    versionWith({ name: "v2", storage: false, schema: { openAPIV3Schema: second } }),
  ];
  expect(createErrors(definitionWith({ versions }))[0]).toContain(path);
});

test.each([
  {
    name: "columns are checked under the name of the Go field",
    version: { additionalPrinterColumns: [{ name: "a", type: "bad", format: "bad", jsonPath: "x" }] },
    errors: [
      'spec.additionalPrinterColumns[0].type: Invalid value: "bad": must be one of boolean,date,integer,number,string',
      'spec.additionalPrinterColumns[0].format: Invalid value: "bad": must be one of byte,date,date-time,double,float,int32,int64,password',
      'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "x": must be a simple json path starting with .',
    ],
  },
  {
    name: "scale paths stand below spec and status",
    version: { subresources: { scale: { specReplicasPath: ".x", statusReplicasPath: "", labelSelectorPath: ".x" } } },
    errors: [
      'spec.subresources.scale.specReplicasPath: Invalid value: ".x": should be a json path under .spec',
      "spec.subresources.scale.statusReplicasPath: Required value",
      'spec.subresources.scale.labelSelectorPath: Invalid value: ".x": should be a json path under either .spec or .status',
    ],
  },
  {
    name: "selectable fields are scalars outside of metadata, named once",
    version: {
      selectableFields: [{ jsonPath: ".spec" }, { jsonPath: ".spec.a" }, { jsonPath: ".spec.a" }, { jsonPath: ".x" }],
    },
    errors: [
      'spec.selectableFields[0].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      'spec.selectableFields[2].jsonPath: Duplicate value: ".spec.a"',
      'spec.selectableFields[3].jsonPath: Invalid value: ".x": is an invalid path: does not refer to a valid field',
    ],
  },
])("$name", ({ version, errors }) => {
  const schema = specOf({ type: "object", properties: { a: { type: "string" } } });
  expect(createErrors(definitionOf(schema, version))).toEqual(errors);
});

test("shared selectable fields are refused if the schemas differ", () => {
  const selectableFields = [{ jsonPath: ".a" }];
  const schemaOf = (type: string) => ({ openAPIV3Schema: { type: "object", properties: { a: { type } } } });
  const versions = [
    versionWith({ selectableFields, schema: schemaOf("string") }),
    versionWith({ selectableFields, name: "v2", storage: false, schema: schemaOf("integer") }),
  ];
  expect(createErrors(definitionWith({ versions }))).toEqual([
    'spec.selectableFields: Invalid value: "": may only be set when validations.schema is included',
  ]);
});

test.each([
  {
    name: "group and plural never change",
    old: {},
    spec: { group: "example.org" },
    errors: ['spec.group: Invalid value: "example.org": field is immutable'],
  },
  { name: "scope may change until the definition is established", old: {}, spec: { scope: "Cluster" }, errors: [] },
  {
    name: "scope may not change after that",
    old: { status: ESTABLISHED },
    spec: { scope: "Cluster" },
    errors: ['spec.scope: Invalid value: "Cluster": field is immutable'],
  },
  {
    name: "a version that was stored stays",
    old: { status: { storedVersions: ["v1"] } },
    spec: { versions: [versionWith({ name: "v2" })] },
    errors: [
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
    ],
  },
])("$name", ({ old, spec, errors }) => {
  expect(updateErrors(definitionWith({}, old), definitionWith(spec))).toEqual(errors);
});

test("a status update validates only metadata and accepted names", () => {
  const old = decodeDefinition(
    definitionWith({}, { metadata: { name: "widgets.example.com", resourceVersion: "1" } }),
  ).value;
  const status = { acceptedNames: { plural: "Bad", kind: "Widget" }, storedVersions: [] };
  const changed = prepareStatusUpdate(decodeDefinition(jsonObject({ ...old, spec: {}, status })).value, old);
  expect(validateDefinitionStatus(changed, old).map(formatFieldError)).toEqual([
    `status.acceptedNames.plural: Invalid value: "Bad": ${LABEL}`,
  ]);
});

test.each([
  {
    name: "an unknown format is warned about",
    type: "string",
    format: "k8s-no-such-format",
    warnings: ['unrecognized format "k8s-no-such-format"'],
  },
  {
    name: "a format of another type is unknown",
    type: "integer",
    format: "date",
    warnings: ['unrecognized format "date"'],
  },
  { name: "a known format is not", type: "string", format: "date-time", warnings: [] },
])("$name", ({ type, format, warnings }) => {
  const json = prepareForCreate(decodeDefinition(definitionOf(specOf({ type, format }))).value, OPTIONS.gates);
  expect(validateDefinition(json, undefined, OPTIONS).warnings).toEqual(warnings);
  expect(validateDefinition(json, json, OPTIONS).warnings).toEqual([]);
});
