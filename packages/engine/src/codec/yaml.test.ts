import { describe, expect, test } from "vitest";
import { typedText } from "../value/typed-text.testing.ts";
import { decodeYaml } from "./yaml.ts";

// What sigs.k8s.io/yaml answers, the way back from JSON included.
// biome-ignore format: a table
describe("errors are go-yaml's", () => {
  test.each([
    { text: "a: b: c", error: "yaml: mapping values are not allowed in this context" },
    { text: "x: 1\na: b: c", error: "yaml: line 2: mapping values are not allowed in this context" },
    { text: "a:\n\tb: 1", error: "yaml: line 2: found character that cannot start any token" },
    { text: "a: \"x", error: "yaml: found unexpected end of stream" },
    { text: "x: 1\na: \"x", error: "yaml: line 2: found unexpected end of stream" },
    { text: "a: [1, 2", error: "yaml: line 1: did not find expected ',' or ']'" },
    { text: "x: 1\na: [1,\n2", error: "yaml: line 3: did not find expected ',' or ']'" },
    { text: "a: {b: 1", error: "yaml: line 1: did not find expected ',' or '}'" },
    { text: "- a\nb: 1", error: "yaml: line 1: did not find expected '-' indicator" },
    { text: "x: 1\n- a", error: "yaml: line 1: did not find expected key" },
    { text: "a: 1\n b: 2", error: "yaml: line 2: mapping values are not allowed in this context" },
    { text: "x:\n  a: 1\n b: 2", error: "yaml: line 2: did not find expected key" },
    { text: "a: @x", error: "yaml: found character that cannot start any token" },
    { text: "a: `x", error: "yaml: found character that cannot start any token" },
    { text: "%FOO\n---\n", error: "yaml: found unknown directive name" },
    { text: "%YAML 1.2\n---\na", error: "yaml: found incompatible YAML document" },
    { text: "a: *x", error: "yaml: unknown anchor 'x' referenced" },
    { text: "a: &x [*x]", error: "yaml: anchor 'x' value contains itself" },
    { text: "a: !!int x", error: "yaml: cannot decode !!str `x` as a !!int" },
    { text: "a: !!float x", error: "yaml: cannot decode !!str `x` as a !!float" },
    { text: "a: !!int 1.5", error: "yaml: cannot decode !!float `1.5` as a !!int" },
    { text: "a: !!binary \"%\"", error: "yaml: !!binary value contains invalid base64 data" },
    { text: "a: !!timestamp x", error: "yaml: cannot decode !!str `x` as a !!timestamp" },
    { text: "a: .nan", error: "json: unsupported value: NaN" },
    { text: "a: .inf", error: "json: unsupported value: +Inf" },
    { text: "~: 1", error: "unsupported map key of type: %!s(<nil>), key: <nil>, value: 1" },
    { text: "{{ .Values.x }}", error: "yaml: invalid map key: map[interface {}]interface {}{\".Values.x\":interface {}(nil)}" },
    { text: "a: {{ .Values.x }}", error: "yaml: invalid map key: map[interface {}]interface {}{\".Values.x\":interface {}(nil)}" },
    { text: "? [a]\n: b", error: "yaml: invalid map key: []interface {}{\"a\"}" },
    { text: "18446744073709551615: 1", error: "unsupported map key of type: uint64, key: 0xffffffffffffffff, value: 1" },
    { text: "<<: 1", error: "yaml: map merge requires map or sequence of maps as the value" },
    { text: "a: \"\\q\"", error: "yaml: found unknown escape character" },
    { text: "a: \"\\ud800\"", error: "yaml: found invalid Unicode character escape code" },
    { text: "!e!x a", error: "yaml: found undefined tag handle" },
    { text: "a: \u0001", error: "yaml: control characters are not allowed" },
    { text: "a: - b", error: "yaml: block sequence entries are not allowed in this context" },
    { text: "a: ? b", error: "yaml: mapping keys are not allowed in this context" },
    { text: "a: b\n  c: d", error: "yaml: line 2: mapping values are not allowed in this context" },
    { text: "key: [x]y", error: "yaml: did not find expected key" },
    { text: "a: |0\n", error: "yaml: found an indentation indicator equal to 0" },
    { text: "a:\n  - b\n c: d", error: "yaml: line 2: did not find expected key" },
  ])("$text", ({ text, error }) => {
    expect(decodeYaml(text).error).toBe(error);
  });
});

// biome-ignore format: a table
describe("values", () => {
  test.each([
    { text: "", value: "null" },
    { text: "a: 1", value: "{\"a\":i1}" },
    { text: "a: !!binary aGk=", value: "{\"a\":\"hi\"}" },
    { text: "1: a\n\"1\": b", value: "{\"1\":\"b\"}" },
    { text: "a: 1\n---\nb: [", value: "{\"a\":i1}" },
    { text: "a: 1\n...\n}", value: "{\"a\":i1}" },
    { text: "a: yes\nb: no\nc: on\nd: y\ne: ~\nf: null\ng: Off", value: "{\"a\":true,\"b\":false,\"c\":true,\"d\":true,\"e\":null,\"f\":null,\"g\":false}" },
    { text: "a: 010\nb: 0o17\nc: 0x1F\nd: 0b11\ne: 1_000\nf: 08\ng: +1\nh: 0b+1", value: "{\"a\":i8,\"b\":i15,\"c\":i31,\"d\":i3,\"e\":i1000,\"f\":i8,\"g\":i1,\"h\":i1}" },
    { text: "a: 1.0\nb: 1e3\nc: 1.5\nd: 1e21\ne: .5\nf: 1.\ng: 1e999\nh: -0.0\ni: 1:30", value: "{\"a\":i1,\"b\":i1000,\"c\":f1.5,\"d\":f1e+21,\"e\":f0.5,\"f\":i1,\"g\":\"1e999\",\"h\":i0,\"i\":\"1:30\"}" },
    { text: "a: 9223372036854775807\nb: 9223372036854775808\nc: 18446744073709551616\nd: 1234567890123456789.0", value: "{\"a\":i9223372036854775807,\"b\":f9.223372036854776e+18,\"c\":f1.8446744073709552e+19,\"d\":i1234567890123456800}" },
    { text: "a: 2001-01-01\nb: 2001-01-01T00:00:00Z", value: "{\"a\":\"2001-01-01\",\"b\":\"2001-01-01T00:00:00Z\"}" },
    { text: "1.5: a\n1e6: b\n0.1: c\n1e300: d\ntrue: e\n0x10: f", value: "{\".inf\":\"d\",\"0.1\":\"c\",\"1.5\":\"a\",\"16\":\"f\",\"1e+06\":\"b\",\"true\":\"e\"}" },
    { text: "a: |\n  x\n  y\nb: >-\n  x\n  y\n\n  z\nc: |+\n  k\n\n", value: "{\"a\":\"x\\ny\\n\",\"b\":\"x y\\nz\",\"c\":\"k\\n\\n\"}" },
    { text: "a: \"x\\ty\\u00e9\\\n  z\"\nb: 'it''s'\nc: plain\n  folded", value: "{\"a\":\"x\\tyéz\",\"b\":\"it's\",\"c\":\"plain folded\"}" },
    { text: "a: !foo x\nb: ! 12\nc: !!str 12", value: "{\"a\":\"x\",\"b\":\"12\",\"c\":\"12\"}" },
    { text: "a: [b: c, ? d]", value: "{\"a\":[{\"b\":\"c\"},{\"d\":null}]}" },
    { text: "- ? a\n  : b", value: "[{\"a\":\"b\"}]" },
    { text: "\"a\" \"b\"", value: "\"a\"" },
    { text: "&a a: *a", value: "{\"a\":\"a\"}" },
    { text: "# c\n", value: "null" },
  ])("$text", ({ text, value }) => {
    const decoded = decodeYaml(text, { duplicates: true });
    expect(decoded).toMatchObject({ strictErrors: [] });
    expect(decoded.error === undefined && typedText(decoded.value)).toBe(value);
  });
});

// biome-ignore format: a table
describe("duplicate keys", () => {
  test.each([
    { text: "a: 1\na: 2", value: "{\"a\":i2}", strict: "yaml: unmarshal errors:\n  line 2: key \"a\" already set in map" },
    { text: "a: 1\nb:\n  c: 1\n  c: 2\na:\n  d: 1", value: "{\"a\":{\"d\":i1},\"b\":{\"c\":i2}}", strict: "yaml: unmarshal errors:\n  line 4: key \"c\" already set in map\n  line 6: key \"a\" already set in map" },
    { text: "1: a\n1: b", value: "{\"1\":\"b\"}", strict: "yaml: unmarshal errors:\n  line 2: key 1 already set in map" },
    { text: "yes: 1\ntrue: 2", value: "{\"true\":i2}", strict: "yaml: unmarshal errors:\n  line 2: key true already set in map" },
    { text: "a: &x {k: 1, k: 2}\nb: *x", value: "{\"a\":{\"k\":i2},\"b\":{\"k\":i2}}", strict: "yaml: unmarshal errors:\n  line 1: key \"k\" already set in map\n  line 1: key \"k\" already set in map" },
    { text: "<<: {a: 1}\na: 2", value: "{\"a\":i2}", strict: "yaml: unmarshal errors:\n  line 2: key \"a\" already set in map" },
    { text: "a: 2\n<<: {a: 1}", value: "{\"a\":i1}", strict: "yaml: unmarshal errors:\n  line 2: key \"a\" already set in map" },
    { text: "x: &x {a: 1, b: 2}\ny:\n  <<: *x\n  a: 3", value: "{\"true\":{\"a\":i3,\"b\":i2},\"x\":{\"a\":i1,\"b\":i2}}", strict: "yaml: unmarshal errors:\n  line 4: key \"a\" already set in map" },
    { text: "y: {<<: [{a: 1}, {a: 2, b: 2}]}", value: "{\"true\":{\"a\":i1,\"b\":i2}}", strict: "yaml: unmarshal errors:\n  line 1: key \"a\" already set in map" },
  ])("$text", ({ text, value, strict }) => {
    const decoded = decodeYaml(text, { duplicates: true });
    expect(decoded).toMatchObject({ strictErrors: [strict] });
    expect(decoded.error === undefined && typedText(decoded.value)).toBe(value);
    expect(decodeYaml(text)).toMatchObject({ strictErrors: [] });
  });
});

describe("bytes", () => {
  // biome-ignore format: a table
  test.each([
    { name: "a byte order mark",       bytes: [0xef, 0xbb, 0xbf, 0x61],             value: "a" },
    { name: "UTF-16, little end first", bytes: [0xff, 0xfe, 0x61, 0, 0x3d, 0xd8, 0, 0xde], value: "a\u{1f600}" },
    { name: "UTF-16, big end first",   bytes: [0xfe, 0xff, 0, 0x61],                value: "a" },
  ])("$name", ({ bytes, value }) => {
    expect(decodeYaml(Uint8Array.from(bytes))).toMatchObject({ value });
  });

  // biome-ignore format: a table
  test.each([
    { bytes: [0x61, 0xff],             error: "yaml: invalid leading UTF-8 octet" },
    { bytes: [0x61, 0xc3],             error: "yaml: incomplete UTF-8 octet sequence" },
    { bytes: [0xc3, 0x28],             error: "yaml: invalid trailing UTF-8 octet" },
    { bytes: [0xc0, 0x80],             error: "yaml: invalid length of a UTF-8 sequence" },
    { bytes: [0xed, 0xa0, 0x80],       error: "yaml: invalid Unicode character" },
    { bytes: [0xff, 0xfe, 0, 0xdc],    error: "yaml: unexpected low surrogate area" },
    { bytes: [0xff, 0xfe, 0x61],       error: "yaml: incomplete UTF-16 character" },
    { bytes: [0x61, 0x7f],             error: "yaml: control characters are not allowed" },
  ])("$error", ({ bytes, error }) => {
    expect(decodeYaml(Uint8Array.from(bytes)).error).toBe(error);
  });

  test("a bad character far after the first document is never read", () => {
    expect(decodeYaml(`a: 1\n---\n${"#".repeat(600)}\u0001`)).toMatchObject({ strictErrors: [] });
  });
});

describe("hostile input", () => {
  const bomb = [..."abcdefghij"].map(
    (name, i, all) => `${name}: &${name} [${Array(10).fill(i === 0 ? "x" : `*${all[i - 1]}`)}]`,
  );
  // biome-ignore format: a table
  test.each([
    { name: "an alias bomb",          text: bomb.join("\n"),                     error: "yaml: document contains excessive aliasing" },
    { name: "flow nesting",           text: "[".repeat(3_000_000),               error: "yaml: exceeded max depth of 10000" },
    { name: "block nesting",          text: "- ".repeat(12_000),                 error: "yaml: exceeded max depth of 10000" },
    { name: "nested keys",            text: "{".repeat(9_000) + "}".repeat(9_000), error: "yaml: invalid map key: map[interface {}]interface {}{}" },
    { name: "nesting JSON refuses",   text: `${"- ".repeat(6_000)}${"[".repeat(6_000)}${"]".repeat(6_000)}`, error: "invalid character '[' exceeded max depth" },
  ])("$name", ({ text, error }) => {
    expect(decodeYaml(text).error).toBe(error);
  });

  // biome-ignore format: a table
  test.each([
    { name: "deep but legal",   text: "[".repeat(10_000) + "]".repeat(10_000) },
    { name: "many keys",        text: Array.from({ length: 100_000 }, (_, i) => `k${i}: ${i}`).join("\n") },
    { name: "many duplicates",  text: "a: 1\n".repeat(100_000) },
    { name: "one long scalar",  text: `a: "${"x y ".repeat(500_000)}"` },
    { name: "prototype keys",   text: "__proto__: {x: 1}\nconstructor: 2\n" },
  ])("$name decodes", ({ text }) => {
    expect(decodeYaml(text, { duplicates: true, positions: true }).error).toBeUndefined();
  });
});
