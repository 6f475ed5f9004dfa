/** Types as the corpus declares variables with: `int`, `list(string)`, `map(string,optional_type(int))`. */
import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  objectType,
  opaqueType,
  optionalOf,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  UINT,
} from "@portcullis/cel/internal";

// biome-ignore format: a table
const NAMED: Readonly<Record<string, Type>> = {
  any: ANY, bool: BOOL, bytes: BYTES, double: DOUBLE, duration: DURATION, dyn: DYN, int: INT, null_type: NULL,
  string: STRING, timestamp: TIMESTAMP, type: TYPE, uint: UINT,
  "net.IP": opaqueType("net.IP"), "net.CIDR": opaqueType("net.CIDR"),
};

export function parseType(text: string): Type {
  const open = text.indexOf("(");
  if (open < 0) return NAMED[text] ?? objectType(text);
  const [first, second] = splitParameters(text.slice(open + 1, -1)).map(parseType);
  switch (text.slice(0, open)) {
    case "list":
      return listOf(first ?? DYN);
    case "map":
      return mapOf(first ?? DYN, second ?? DYN);
    case "optional_type":
      return optionalOf(first ?? DYN);
    default:
      throw new Error(`unknown type ${text}`);
  }
}

function splitParameters(text: string): readonly string[] {
  const parameters: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [index, char] of [...text].entries()) {
    if (char === "(") depth++;
    else if (char === ")") depth--;
    else if (char === "," && depth === 0) {
      parameters.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  return [...parameters, text.slice(start).trim()];
}
