/**
 * Documents in which keys may be repeated: an object is a `Doc` of entries in the order they are written.
 * They are written as JSON, with spaces and escapes here and there, or as YAML.
 */
export class Doc {
  constructor(entries) {
    this.entries = entries;
  }
}

export function toDoc(value) {
  if (Array.isArray(value)) return value.map(toDoc);
  if (value === null || typeof value !== "object") return value;
  return new Doc(Object.entries(value).map(([key, member]) => [key, toDoc(member)]));
}

/** A literal that is written verbatim. */
export class Literal {
  constructor(text) {
    this.text = text;
  }
}

export function writeJson(value, random) {
  const space = random?.bool(0.05) ? random.pick([" ", "\n", "\t "]) : "";
  if (value instanceof Literal) return value.text;
  if (Array.isArray(value)) return `[${space}${value.map((item) => writeJson(item, random)).join(`,${space}`)}]`;
  if (value instanceof Doc) {
    const members = value.entries.map(([key, member]) => `${JSON.stringify(key)}:${space}${writeJson(member, random)}`);
    return `{${space}${members.join(",")}${space}}`;
  }
  return JSON.stringify(value);
}

export function writeYaml(value, indent = "") {
  if (value instanceof Literal) return ` ${value.text}\n`;
  if (Array.isArray(value)) {
    if (value.length === 0) return " []\n";
    return `\n${value.map((item) => `${indent}-${writeYaml(item, `${indent}  `)}`).join("")}`;
  }
  if (value instanceof Doc) {
    if (value.entries.length === 0) return " {}\n";
    const members = value.entries.map(
      ([key, member]) => `${indent}${yamlKey(key)}:${writeYaml(member, `${indent}  `)}`,
    );
    return `\n${members.join("")}`;
  }
  return ` ${JSON.stringify(value)}\n`;
}

function yamlKey(key) {
  return /^[A-Za-z][\w./-]*$/.test(key) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(key)
    ? key
    : JSON.stringify(key);
}

/** Every object in a document, with the path that leads to it. */
export function docsIn(value, path = []) {
  if (Array.isArray(value)) return value.flatMap((item, index) => docsIn(item, [...path, index]));
  if (!(value instanceof Doc)) return [];
  return [{ doc: value, path }, ...value.entries.flatMap(([key, member]) => docsIn(member, [...path, key]))];
}
