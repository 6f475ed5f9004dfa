/** JSON values as YAML, as sigs.k8s.io/yaml writes them: sorted keys, two spaces, lists not indented under their key. */
import { isArray, isObject, type JsonValue, sortedKeys } from "@portcullis/engine/value/json";
import { canonicalJson } from "@portcullis/engine/value/text";

export function yamlText(value: JsonValue): string {
  if (isObject(value) && Object.keys(value).length > 0) return objectLines(value, "");
  if (isArray(value) && value.length > 0) return listLines(value, "");
  return `${scalar(value)}\n`;
}

function objectLines(value: { readonly [key: string]: JsonValue }, indent: string): string {
  return sortedKeys(value)
    .map((key) => {
      const head = `${indent}${plainOrQuoted(key)}:`;
      return head + afterKey(value[key] ?? null, indent, head.length + 1);
    })
    .join("");
}

/** `column` is where a scalar would begin. */
function afterKey(value: JsonValue, indent: string, column: number): string {
  if (isObject(value) && Object.keys(value).length > 0) return `\n${objectLines(value, `${indent}  `)}`;
  if (isArray(value) && value.length > 0) return `\n${listLines(value, indent)}`;
  if (isBlock(value)) return ` ${block(value, `${indent}  `)}`;
  return ` ${folded(scalar(value), `${indent}  `, column)}\n`;
}

function listLines(items: readonly JsonValue[], indent: string): string {
  return items.map((item) => `${indent}- ${afterDash(item, `${indent}  `)}`).join("");
}

/** The first line of a nested structure stands behind the dash. */
function afterDash(item: JsonValue, indent: string): string {
  if (isObject(item) && Object.keys(item).length > 0) return objectLines(item, indent).slice(indent.length);
  if (isArray(item) && item.length > 0) return listLines(item, indent).slice(indent.length);
  return isBlock(item) ? block(item, indent) : `${folded(scalar(item), indent, indent.length)}\n`;
}

const WIDTH = 80;

/** Beyond the width a line ends at the next single space. */
function folded(text: string, indent: string, column: number): string {
  if (column + text.length <= WIDTH || text.startsWith('"')) return text;
  const isQuoted = text.startsWith("'");
  let result = "";
  let at = column;
  const chars = [...text];
  for (const [index, char] of chars.entries()) {
    const isInside = !isQuoted || (index > 1 && index < chars.length - 2);
    const isSingle = char === " " && chars[index - 1] !== " " && chars[index + 1] !== " ";
    if (isSingle && isInside && at > WIDTH) {
      result += `\n${indent}`;
      at = indent.length;
    } else {
      result += char;
      at++;
    }
  }
  return result;
}

function scalar(value: JsonValue): string {
  return typeof value === "string" ? plainOrQuoted(value) : canonicalJson(value);
}

function isBlock(value: JsonValue): value is string {
  return (
    typeof value === "string" &&
    value.includes("\n") &&
    !/[^\x20-\x7e\n\t\u00a0-\ud7ff\ue000-\ufffd]/.test(value) &&
    !/^[ \n]/.test(value)
  );
}

function block(text: string, indent: string): string {
  const chomp = !text.endsWith("\n") ? "-" : text.endsWith("\n\n") ? "+" : "";
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  const lines = body.split("\n").map((line) => (line === "" ? "" : indent + line));
  return `|${chomp}\n${lines.join("\n")}\n`;
}

/** Words that would be read as something else than text. */
const RESERVED =
  /^(?:~|null|true|false|yes|no|on|off|y|n|[-+]?(?:\.inf|\d[\d_]*(?:\.[\d_]*)?(?:e[-+]?\d+)?|\.\d+|0x[\da-f]+|0o?[0-7]+|0b[01]+|\d+(?::\d\d)+)|\.nan|\d{4}-\d\d?-\d\d?.*|<<|=)$/i;
const PLAIN = /^[A-Za-z0-9_/.$(^\u00a0-\ufffd][^\x00-\x1f:#]*(?:[:#][^\x00-\x20:#]+)*$/;

function plainOrQuoted(text: string): string {
  if (text === "") return '""';
  if (/[\x00-\x1f\x7f]/.test(text)) return canonicalJson(text);
  if (RESERVED.test(text)) return `"${text}"`;
  const isPlain = PLAIN.test(text) && !/\s$|: |\s#|:$/.test(text) && !/^[-?] /.test(text);
  return isPlain ? text : `'${text.replaceAll("'", "''")}'`;
}
