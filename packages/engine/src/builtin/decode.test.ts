import { expect, test } from "vitest";
import { decodeJson } from "../codec/json.ts";
import type { FieldValidation } from "../codec/strict.ts";
import { decodeYaml } from "../codec/yaml.ts";
import { StatusError } from "../status/error.ts";
import { canonicalJson } from "../value/text.ts";
import { decodeTyped, type TypedBody } from "./decode.ts";

const CONFIG_MAP = { group: "", version: "v1", kind: "ConfigMap" };
const DEPLOYMENT = { group: "apps", version: "v1", kind: "Deployment" };

// biome-ignore format: a table
test.each([
  { kind: CONFIG_MAP, text: '{"kind":"Foo"}', message: 'Foo in version "v1" cannot be handled as a ConfigMap: no kind "Foo" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"' },
  { kind: CONFIG_MAP, text: '{"kind":"Secret","apiVersion":"v1"}', message: 'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion' },
  { kind: CONFIG_MAP, text: '{"apiVersion":"a/b/c"}', message: 'the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c"})' },
  { kind: CONFIG_MAP, text: '{"kind":5,"metadata":{"name":"x"}}', message: `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"kind":5,"metadata":{"name":" ...)` },
  { kind: CONFIG_MAP, text: '{"kind":false,"kind":"ConfigMap"}', message: `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: json: cannot unmarshal bool into Go struct field .kind of type string ({"kind":false,"kind":"ConfigMa ...)` },
  { kind: CONFIG_MAP, text: '{"KIND":false,"kind":"ConfigMap"}', message: `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: json: cannot unmarshal bool into Go struct field .kind of type string ({"KIND":false,"kind":"ConfigMa ...)` },
  { kind: CONFIG_MAP, text: '{"kind":"ConfigMap","Kind":"Foo"}', message: 'Foo in version "v1" cannot be handled as a ConfigMap: no kind "Foo" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"' },
  { kind: CONFIG_MAP, text: "[]", message: `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b5d)` },
  { kind: CONFIG_MAP, text: '{"data":{"a":null,"b":1}}', message: 'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string' },
  { kind: CONFIG_MAP, text: '{"metadata":5}', message: 'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.metadata of type v1.ObjectMeta' },
  { kind: CONFIG_MAP, text: '{"binaryData":{"b":"!!"}}', message: 'ConfigMap in version "v1" cannot be handled as a ConfigMap: illegal base64 data at input byte 0' },
  { kind: DEPLOYMENT, text: '{"spec":{"replicas":"a","template":{"spec":{"containers":[{"resources":{"limits":{"cpu":true}}}]}}}}', message: `Deployment in version "v1" cannot be handled as a Deployment: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'` },
  { kind: DEPLOYMENT, text: '{"spec":{"template":{"spec":{"containers":[{"livenessProbe":{"httpGet":{"port":1.5}}}]}}}}', message: 'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal number 1.5 into Go struct field HTTPGetAction.spec.template.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32' },
  { kind: DEPLOYMENT, text: '{"spec":{"template":{"spec":{"volumes":[{"hostPath":5}]}}}}', message: 'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal number into Go struct field Volume.spec.template.spec.volumes.VolumeSource.hostPath of type v1.HostPathVolumeSource' },
  { kind: DEPLOYMENT, text: '{"metadata":{"creationTimestamp":5}}', message: 'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string' },
  { kind: { group: "coordination.k8s.io", version: "v1", kind: "Lease" }, text: '{"spec":{"renewTime":"2020-01-01T00:00:00Z"}}', message: 'Lease in version "v1" cannot be handled as a Lease: parsing time "2020-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"' },
  { kind: { group: "coordination.k8s.io", version: "v1", kind: "Lease" }, text: '{"spec":{"renewTime":"garbage"}}', message: 'Lease in version "v1" cannot be handled as a Lease: parsing time "garbage" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "garbage" as "2006"' },
])("$text is refused", ({ kind, text, message }) => {
  expect(() => decodeTyped(jsonBody(text), kind, "Warn")).toThrow(new StatusError({ code: 400, reason: "BadRequest", message }));
});

test.each([
  {
    name: "unknown and duplicate fields are in the order of the document, a key that is both once",
    text: '{"metadata":{"name":"x"},"data":{"a":"1"},"zz":1,"data":{"b":"2","b":"3"},"zz":2,"yy":{"q":1,"q":2}}',
    warnings: ['unknown field "zz"', 'duplicate field "data"', 'duplicate field "data.b"', 'unknown field "yy"'],
  },
  { name: "field names are case-sensitive", text: '{"Data":{}}', warnings: ['unknown field "Data"'] },
  { name: "paths are quoted as Go quotes", text: '{"z\\"é.b\\n":1}', warnings: ['unknown field "z\\"é.b\\n"'] },
])("$name", ({ text, warnings }) => {
  expect(decodeTyped(jsonBody(text), CONFIG_MAP, "Warn").warnings).toEqual(warnings);
});

test("a repeated struct or map is decoded into the existing value", () => {
  const text = '{"metadata":{"name":"x"},"metadata":{"labels":{"a":"b"}},"data":{"a":"1"},"data":{"b":"2"}}';
  const { object } = decodeTyped(jsonBody(text), CONFIG_MAP, "Warn");
  expect(canonicalJson(object)).toBe(
    '{"apiVersion":"v1","data":{"a":"1","b":"2"},"kind":"ConfigMap","metadata":{"labels":{"a":"b"},"name":"x"}}',
  );
});

test("no more than 100 findings are reported", () => {
  const members = Array.from({ length: 150 }, (_, index) => `"f${index}":1`).join(",");
  expect(decodeTyped(jsonBody(`{${members}}`), CONFIG_MAP, "Warn").warnings).toHaveLength(100);
});

test.each([
  {
    name: "a kind whose name is in the wrong case counts and is unknown",
    text: '{"Kind":"ConfigMap"}',
    unknown: "Kind",
  },
  { name: "so does a version", text: '{"apiversion":"v1"}', unknown: "apiversion" },
  { name: "null leaves the kind that was there", text: '{"kind":"ConfigMap","KIND":null}', unknown: "KIND" },
])("$name", ({ text, unknown }) => {
  const { object, warnings } = decodeTyped(jsonBody(text), CONFIG_MAP, "Warn");
  expect([object["kind"], object["apiVersion"], warnings]).toEqual(["ConfigMap", "v1", [`unknown field "${unknown}"`]]);
});

test("a slash alone is not a version", () => {
  expect(decodeTyped(jsonBody('{"apiVersion":"/"}'), CONFIG_MAP, "Warn").object["apiVersion"]).toBe("v1");
});

test("of kinds whose keys differ only in case, the last in sorted order wins in YAML", () => {
  expect(decodeTyped(yamlBody("kind: ConfigMap\nKIND: Foo\n"), CONFIG_MAP, "Warn").object["kind"]).toBe("ConfigMap");
});

test("the fields of a YAML body are decoded in sorted order", () => {
  const body = yamlBody("zz: 1\nmetadata:\n  name: x\naa: 1\n");
  expect(decodeTyped(body, CONFIG_MAP, "Warn").warnings).toEqual(['unknown field "aa"', 'unknown field "zz"']);
});

test.each<{ directive: FieldValidation; message: string | undefined }>([
  {
    directive: "Strict",
    message: 'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "zz"',
  },
  { directive: "Ignore", message: undefined },
])("an unknown field under $directive", ({ directive, message }) => {
  const decode = () => decodeTyped(jsonBody('{"zz":1}'), CONFIG_MAP, directive);
  if (message === undefined) expect(decode().warnings).toEqual([]);
  else expect(decode).toThrow(message);
});

test("zero values are written as Go writes them, members in the order of the struct", () => {
  const text = '{"spec":{"template":{"spec":{"containers":[{"image":"i","name":"c"}]}}},"metadata":{"name":"x"}}';
  expect(JSON.stringify(decodeTyped(jsonBody(text), DEPLOYMENT, "Strict").object)).toBe(
    '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"x"},"spec":{"selector":null,"template":{"metadata":{},"spec":{"containers":[{"name":"c","image":"i","resources":{}}]}},"strategy":{}},"status":{}}',
  );
});

function jsonBody(text: string): TypedBody {
  const decoded = decodeJson(text, { duplicates: true });
  if (decoded.error !== undefined) throw new Error(decoded.error);
  return { value: decoded.value, strictErrors: decoded.strictErrors, text };
}

function yamlBody(text: string): TypedBody {
  const decoded = decodeYaml(text, { duplicates: true });
  if (decoded.error !== undefined) throw new Error(decoded.error);
  return { value: decoded.value, strictErrors: decoded.strictErrors, isYaml: true };
}
