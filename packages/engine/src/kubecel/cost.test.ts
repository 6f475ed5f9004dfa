import { expect, test } from "vitest";
import { decodeJson } from "../codec/json.ts";
import { parseSchema } from "../schema/parse.ts";
import type { JsonValue } from "../value/json.ts";
import { evaluateExpression } from "./evaluate.testing.ts";

function json(text: string): JsonValue {
  const decoded = decodeJson(text);
  if (!("value" in decoded)) throw new Error(`not JSON: ${text}`);
  return decoded.value;
}

const self = {
  schema: parseSchema(
    json(`{"type": "object", "properties": {
      "s": {"type": "string", "maxLength": 10}, "long": {"type": "string"},
      "list": {"type": "array", "maxItems": 5, "items": {"type": "string", "maxLength": 10}},
      "ints": {"type": "array", "maxItems": 5, "items": {"type": "integer"}},
      "map": {"type": "object", "additionalProperties": {"type": "string"}},
      "kept": {"type": "array", "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true,
        "properties": {"a": {"type": "string"}, "namespace": {"type": "string"}}}}
    }}`),
  ),
  value: json(`{"s": "a,b", "long": "", "list": ["aaaaaaaaaaaaaaaaaaaa", "b"], "ints": [1, 2, 3], "map": {"a": "b"},
    "kept": [{"a": "abcdefghijklmnopqrstuvwxyz", "zzz": 1, "namespace": "xxxxxxxxxxxx"}]}`),
};

// biome-ignore format: a table
test.each([
  { expression: "self.ints.sum()",                                   cost: 5,  max: 7n },
  { expression: "self.list.isSorted()",                              cost: 4,  max: 27n },
  { expression: "self.list.indexOf('b')",                            cost: 4,  max: 27n },
  { expression: "self.s.indexOf('b')",                               cost: 2,  max: 6n },
  { expression: "self.kept.indexOf(self.kept[0])",                   cost: 11, max: 1048580n },
  { expression: "self.s.lowerAscii()",                               cost: 3,  max: 6n },
  { expression: "self.s.replace('a', 'bb')",                         cost: 3,  max: 10n },
  { expression: "self.s.split(',')",                                 cost: 3,  max: 10n },
  { expression: "self.list.join(',')",                               cost: 7,  max: 23n },
  { expression: "self.s.find('[a-z]+')",                             cost: 4,  max: 12n },
  { expression: "format.dns1123Label().validate(self.s)",            cost: 11, max: 131n },
  { expression: "format.named('uuid') == optional.none()",           cost: 3,  max: 1844674407370955266n },
  { expression: "isIP(self.s)",                                      cost: 3,  max: 6n },
  { expression: "cidr('10.0.0.0/8').containsIP('10.0.0.1')",         cost: 3,  max: 6n },
  { expression: "cidr('10.0.0.0/8').containsCIDR('10.0.0.0/16')",    cost: 6,  max: 10n },
  { expression: "quantity('1') == quantity('2')",                    cost: 3,  max: 3n },
  { expression: "url('/a') == url('/b')",                            cost: 3,  max: 3n },
  { expression: "ip.isCanonical('::1')",                             cost: 1,  max: 1n },
  // Map keys count as empty, so matching them is as cheap as measuring them.
  { expression: "self.map.all(k, k.matches('^[a-z]+$'))",            cost: 9,  max: 2359293n },
  { expression: "self.map.all(k, k.size() < 10)",                    cost: 9,  max: 2359293n },
])("$expression costs $cost, at most $max", ({ expression, cost, max }) => {
  const answer = evaluateExpression(expression, self);
  expect([answer.cost, answer.maxEstimate]).toEqual([cost, max]);
});
