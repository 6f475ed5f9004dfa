/** Random rules in the subset of CEL that authors commonly use. */
import type { Random } from "../apply/random.ts";
import { PATTERNS, type Plain, WORDS } from "./author-fields.ts";

/** A rule over the existing fields. */
export function randomRule(random: Random, properties: Plain): string {
  const key = random.pick(Object.keys(properties));
  const name = key.replaceAll(".", "__dot__");
  const atom = randomAtom(random, `self.${name}`, properties[key] as Plain, properties);
  const guarded = random.bool(0.6) ? `!has(self.${name}) || ${atom}` : atom;
  if (random.bool(0.25)) return `(${guarded}) ${random.pick(["&&", "||"])} (${randomRule(random, properties)})`;
  return random.bool(0.1) ? `!(${guarded})` : guarded;
}

function randomAtom(random: Random, path: string, schema: Plain, properties: Plain): string {
  const number = random.below(8);
  const word = random.pick(WORDS);
  const compare = random.pick(["<", "<=", ">", ">=", "==", "!="]);
  const old = `oldSelf${path.slice(4)}`;
  switch (schema["type"]) {
    case "integer": {
      const other = Object.keys(properties).find(
        (key) => (properties[key] as Plain)["type"] === "integer" && !path.endsWith(key),
      );
      const options = [
        `${path} ${compare} ${number}`,
        `${number} ${compare} ${path}`,
        `${path} in [${number}, ${number + 2}]`,
        `${path} + 1 ${compare} ${number}`,
        `${path} % 2 == 0`,
        `${path} >= ${old}`,
      ];
      if (other !== undefined) options.push(`${path} ${compare} self.${other}`);
      return random.pick(options);
    }
    case "number":
      return random.pick([
        `${path} ${compare} ${random.pick(["0.5", "1.0", "2.5"])}`,
        `${path} * 10.0 ${compare} 5.0`,
        `${path} * 1e300 ${compare} 1.0`,
        `${path} ${compare} ${old}`,
      ]);
    case "string":
      if (schema["format"] !== undefined) return `${path} == ${path}`;
      return random.pick([
        `${path} ${random.pick(["==", "!=", "<", ">="])} '${word}'`,
        `${path} in ['a', '${word}']`,
        `size(${path}) ${compare} ${random.below(4)}`,
        `${path}.startsWith('${word}')`,
        `${path}.contains('${word}')`,
        `${path}.matches('${random.pick(PATTERNS)}')`,
        `!(${old} == 'a' && ${path} == '${word}')`,
        `${path} == ${old}`,
        `double(${path}) ${compare} 1.0`,
        `${path}.split('b').size() ${compare} 2`,
        `${path}.lowerAscii() != '${word}'`,
        `${path} + 'b' == '${word}b'`,
      ]);
    case "boolean":
      return random.pick([path, `!${path}`]);
    case "array":
      return randomListAtom(random, path, schema, compare);
    case "object":
      if (schema["additionalProperties"] !== undefined)
        return random.pick([
          `size(${path}) ${compare} ${random.below(3)}`,
          `${path}.all(k, k != '${word}')`,
          `'${word}' in ${path}`,
          `${path}.exists(k, k == '${word}')`,
          `${path}.all(k, ${path}[k] == ${path}[k])`,
          `${path}.filter(k, k != '${word}').size() ${compare} 1`,
          `!has(${path}.${word}) || ${path}.${word} == ${path}.${word}`,
        ]);
      return path.endsWith(".o")
        ? random.pick([
            `has(${path}.a)`,
            `!has(${path}.c) || ${path}.c ${compare} ${number}`,
            `${path}.?c.orValue(1) ${compare} 2`,
          ])
        : `has(${path.replace(/\.[^.]+$/, "")}.${path.split(".").at(-1)})`;
    default:
      return "i" in properties && "j" in properties
        ? random.pick([`self.i ${compare} self.j`, "self.i == self.j", `has(${path})`])
        : random.pick([`has(${path})`, `${path} == 5 || ${path} == '5%'`, `type(${path}) == int`]);
  }
}

function randomListAtom(random: Random, path: string, schema: Plain, compare: string): string {
  const items = schema["items"] as Plain;
  const word = random.pick(WORDS);
  const loop = random.pick(["i", "j"]);
  const size = `size(${path}) ${compare} ${random.below(4)}`;
  if (path.endsWith(".r"))
    return random.pick([
      size,
      `${path}.all(${loop}, has(${loop}.q))`,
      `${path}.all(${loop}, !has(${loop}.q) || ${loop}.q.all(k, k ${compare} 3))`,
      `${path}.exists(${loop}, has(${loop}.q) && 3 in ${loop}.q)`,
    ]);
  if (items["type"] === "object")
    return random.pick([
      size,
      `${path}[0].n ${random.pick(["==", "!="])} '${word}'`,
      `${path}.filter(${loop}, ${loop}.n == '${word}').size() ${compare} 1`,
      `${path}.map(${loop}, ${loop}.n).exists(n, n == '${word}')`,
      `${path}.exists_one(${loop}, ${loop}.n == '${word}')`,
      `${path}.all(${loop}, ${loop}.n != '${word}')`,
      `${path}.exists(${loop}, has(${loop}.p) && ${loop}.p ${compare} 1)`,
    ]);
  return random.pick([
    size,
    `${path}.all(${loop}, ${loop} != '${word}')`,
    `${path}.exists(${loop}, ${loop} == '${word}')`,
    `'${word}' in ${path}`,
    `${path}.filter(${loop}, ${loop} == '${word}').size() <= 1`,
    `${path}.all(i, ${path}.all(j, !(i == 'a' && j == '${word}')))`,
  ]);
}

const FIELD_RULES: Readonly<Record<string, readonly string[]>> = {
  integer: ["self == oldSelf", "self >= oldSelf", "self < 5", "self % 2 == 0"],
  string: ["self == oldSelf", "self != 'b'", "size(self) < 3", "!(oldSelf == 'a' && self == 'b')"],
  boolean: ["self == oldSelf", "self || !oldSelf"],
  array: ["size(self) < 3", "size(self) >= size(oldSelf)"],
};

/** Rules for a field of the type, without the rest of the object. */
export function fieldRules({ type, format }: Plain): readonly string[] {
  return format === undefined ? (FIELD_RULES[String(type)] ?? []) : [];
}
