import { expect, test } from "vitest";
import { decodeJson } from "../codec/json.ts";
import { parseSchema } from "../schema/parse.ts";
import type { JsonValue } from "../value/json.ts";
import { asVersion } from "../value/server-version.ts";
import { evaluateExpression } from "./evaluate.testing.ts";

/** Properties of `self`, in JSON. */
const SCHEMA = `{"type": "object", "properties": {
  "i": {"type": "integer"}, "n": {"type": "number"}, "s": {"type": "string"}, "b": {"type": "boolean"},
  "d": {"type": "string", "format": "date"}, "dt": {"type": "string", "format": "date-time"},
  "dur": {"type": "string", "format": "duration"}, "by": {"type": "string", "format": "byte"},
  "ios": {"x-kubernetes-int-or-string": true}, "ni": {"type": "integer", "nullable": true},
  "my-key": {"type": "string"}, "namespace": {"type": "string"},
  "map": {"type": "object", "additionalProperties": {"type": "string"}},
  "nmap": {"type": "object", "additionalProperties": {"type": "string", "nullable": true}},
  "list": {"type": "array", "items": {"type": "integer"}},
  "dates": {"type": "array", "items": {"type": "string", "format": "date"}},
  "numbers": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "number"}},
  "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}},
  "other": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}},
  "objects": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object", "properties": {"a": {"type": "integer"}}}},
  "maplist": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
    "items": {"type": "object", "properties": {"name": {"type": "string"}, "v": {"type": "integer"}}}},
  "nslist": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["namespace"],
    "items": {"type": "object", "properties": {"namespace": {"type": "string"}, "v": {"type": "integer"}}}},
  "kept": {"type": "array", "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"a": {"type": "integer"}}}},
  "resource": {"type": "object", "x-kubernetes-embedded-resource": true}
}}`;

const schema = parseSchema(json(SCHEMA));

function json(text: string): JsonValue {
  const decoded = decodeJson(text);
  if (!("value" in decoded)) throw new Error(`not JSON: ${text}`);
  return decoded.value;
}

// biome-ignore format: a table
test.each([
  ["an integer",                           "self.i",                         '{"i": 5}',                      "5"],
  ["an integer beyond the safe range",     "self.i",                         '{"i": 9223372036854775807}',    "9223372036854775807"],
  ["a float where an integer belongs",     "self.i",                         '{"i": 1.0}',                    "error: invalid data, expected int, got float64"],
  ["an integer where a number belongs",    "self.n",                         '{"n": 1}',                      "1.0"],
  ["a text where a number belongs",        "self.n",                         '{"n": "x"}',                    "error: invalid data, expected float, got string"],
  ["a number where a text belongs",        "self.s",                         '{"s": 5}',                      "error: invalid data, expected string, got int64"],
  ["a list where a boolean belongs",       "self.b",                         '{"b": []}',                     "error: invalid data, expected bool, got []interface {}"],
  ["a date",                               "self.d",                         '{"d": "2020-02-29"}',           "2020-02-29T00:00:00Z"],
  ["a date that is none",                  "self.d",                         '{"d": "2020-1-1"}',             'error: Invalid date formatted string 2020-1-1: parsing time "2020-1-1" as "2006-01-02": cannot parse "1-1" as "01"'],
  ["a date-time",                          "self.dt",                        '{"dt": "2020-01-01T00:00:00Z"}', "2020-01-01T00:00:00Z"],
  ["a valid date-time in lower case",      "self.dt",                        '{"dt": "2020-01-01t00:00:00z"}', 'error: Invalid date-time formatted string 2020-01-01t00:00:00z: parsing time "2020-01-01t00:00:00z" as "2006-01-02T15:04:05": cannot parse "t00:00:00z" as "T"'],
  ["a duration in days",                   "self.dur",                       '{"dur": "2d"}',                 "48h0m0s"],
  ["a duration that is none",              "self.dur",                       '{"dur": "zz"}',                 "error: Invalid duration zz: unable to parse zz as duration"],
  ["bytes",                                "self.by",                        '{"by": "aGk="}',                "bytes(aGk=)"],
  ["bytes in the standard alphabet",       "self.by",                        '{"by": "+/+/"}',                "error: Invalid byte formatted string +/+/: illegal base64 data at input byte 0"],
  ["an int or string",                     "self.ios",                       '{"ios": "a"}',                  '"a"'],
  ["a float as int or string",             "self.ios",                       '{"ios": 1.5}',                  "error: invalid data, expected XIntOrString value to be either a string or integer"],
  ["a null field",                         "has(self.ni)",                   '{"ni": null}',                  "false"],
  ["a null field that is read",            "self.ni",                        '{"ni": null}',                  "error: no such key: ni"],
  ["a null entry",                         "self.nmap.a",                    '{"nmap": {"a": null}}',         "null"],
  ["a null entry that is none",            "self.map['a']",                  '{"map": {"a": null}}',          "error: invalid data, got null for schema with nullable=false"],
  ["an escaped field",                     "self.my__dash__key",             '{"my-key": "v"}',               '"v"'],
  ["a reserved word",                      "self.namespace + self.__namespace__", '{"namespace": "n"}',       '"nn"'],
  ["a map that is none",                   "self.map",                       '{"map": []}',                   "error: invalid data, expected a map for the provided schema with type=object"],
  ["a list that is none",                  "self.list",                      '{"list": {}}',                  "error: invalid data, expected an array for the provided schema with type=array"],
  ["an object's runtime type",             "type(self.kept[0])",             '{"kept": [{}]}',                "map"],
  ["fields of an embedded resource",       "self.resource.metadata.name",    '{"resource": {"metadata": {"name": "n"}}}', '"n"'],
  ["bad elements of a list",               "self.list",                      '{"list": [1, "x"]}',            "[1, error: invalid data, expected int, got string]"],
  ["membership past a bad element",        "1 in self.list",                 '{"list": ["x", 1]}',            "true"],
  ["membership with a bad element",        "2 in self.list",                 '{"list": ["x", 1]}',            "error: invalid data, expected int, got string"],
  ["equality of lists with a bad element", "self.list == self.list",         '{"list": ["x"]}',               "error: invalid data, expected int, got string"],
])("%s: %s", (_name, expression, value, text) => {
  expect(evaluateExpression(expression, { schema, value: json(value) }).text).toBe(text);
});

// biome-ignore format: a table
test.each([
  ["order counts in atomic lists",               "self.list == [2, 1]",                    '{"list": [1, 2]}',            "false"],
  ["order does not count in sets",               "self.set == [2, 1]",                     '{"set": [1, 2]}',             "true"],
  ["the left side decides",                      "[2, 1] == self.set",                     '{"set": [1, 2]}',             "false"],
  ["adding to a set leaves out what is there",   "self.set + [2, 3]",                      '{"set": [1, 2]}',             "[1, 2, 3]"],
  ["map lists compare by key",                   "self.maplist == [self.maplist[1], self.maplist[0]]", '{"maplist": [{"name": "a"}, {"name": "b"}]}', "true"],
  ["map lists merge by key",                     "(self.maplist + [self.maplist[1]]).size()", '{"maplist": [{"name": "a"}, {"name": "b"}]}', "2"],
  ["an escaped key is never found, so the last element stands for all", "self.nslist == [self.nslist[1], self.nslist[1]]", '{"nslist": [{"namespace": "a", "v": 1}, {"namespace": "b", "v": 2}]}', "true"],
  ["such a list is not itself",                  "self.nslist == self.nslist",             '{"nslist": [{"namespace": "a", "v": 1}, {"namespace": "b", "v": 2}]}', "false"],
  ["unknown fields count where both have them",  "self.kept[0] == self.kept[1]",                '{"kept": [{"a": 1, "x": 1}, {"a": 1, "x": 2}]}', "false"],
  ["unknown fields of one side do not",          "self.kept[0] == self.kept[1]",                '{"kept": [{"a": 1, "x": 1}, {"a": 1, "y": 2}]}', "true"],
  ["the number of fields counts",                "self.kept[0] == self.kept[1]",                '{"kept": [{"a": 1, "x": 1}, {"a": 1}]}', "false"],
  ["an integer is not a float in unknown fields", "self.kept[0] == self.kept[1]",               '{"kept": [{"x": 1}, {"x": 1.0}]}', "false"],
])("%s", (_name, expression, value, text) => {
  expect(evaluateExpression(expression, { schema, value: json(value) }).text).toBe(text);
});

// biome-ignore format: a table
test.each([
  ["a set of numbers written as integers is not itself", "self.numbers == self.numbers",   '{"numbers": [1]}',            "false"],
  ["a set of objects cannot be compared",        "self.objects == self.objects || true",   '{"objects": [{"a": 1}]}',     "error: internal error: runtime error: hash of unhashable type map[string]interface {}"],
  ["adding to a set changes what it equals",     "[self.set].exists(s, (s + self.other).size() == 3 && s == [3, 3])", '{"set": [1, 2], "other": [3]}', "true"],
  ["an appended date cannot be read",            "self.dates + self.dates",                '{"dates": ["2020-01-01"]}',   "[2020-01-01T00:00:00Z, error: invalid data, expected string, got time.Time]"],
])("up to 1.36: %s", (_name, expression, value, text) => {
  const run = () => evaluateExpression(expression, { schema, value: json(value) }).text;
  expect(asVersion("1.36", run)).toBe(text);
});

// biome-ignore format: a table
test.each([
  ["a set of numbers is itself",                 "self.numbers == self.numbers",           '{"numbers": [1]}',            "true"],
  ["a set of objects cannot be compared",        "self.objects == self.objects",           '{"objects": [{"a": 1}]}',     "error: listSet operations are only supported on lists of scalar values"],
  ["adding to a set leaves the set as it was",   "[self.set].exists(s, (s + self.other).size() == 3 && s == [3, 3])", '{"set": [1, 2], "other": [3]}', "false"],
  ["an appended date can be read",               "self.dates + self.dates",                '{"dates": ["2020-01-01"]}',   "[2020-01-01T00:00:00Z, 2020-01-01T00:00:00Z]"],
])("since 1.37: %s", (_name, expression, value, text) => {
  expect(evaluateExpression(expression, { schema, value: json(value) }).text).toBe(text);
});
