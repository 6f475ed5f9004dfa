/**
 * The position of the cursor in a YAML text, by indentation: the text is being written and need not be valid YAML yet.
 *
 * Flow style (`{a: 1}`) is not supported: if it is open before the cursor, there is no result.
 */

export interface ManifestPlace {
  /** From the root of the document to the map that a key is written in, or to the value. */
  readonly path: readonly (string | number)[];
  readonly at: "key" | "value";
  /** What has been written of the key or the value, and where it starts. */
  readonly written: string;
  readonly from: number;
  /** Keys that the map has already. */
  readonly taken: readonly string[];
  /** The column of the key. */
  readonly indent: number;
  /** The text of the document around. */
  readonly document: string;
  /** Keys and texts are written in quotes. */
  readonly isJson?: boolean;
}

export function placeAt(text: string, offset: number): ManifestPlace | undefined {
  const { lines, row, column } = linesAround(text, offset);
  const [line, document] = [lines[row] ?? "", lines.join("\n")];
  const block = blockScalar(lines, row, column);
  if (block !== undefined) {
    const inside = [...lines.slice(block + 1, row), line.slice(0, column)].join("\n");
    return valuePlace(lines, block, inside, offset - inside.length, document);
  }
  const head = line.slice(0, column);
  const { key, keyColumn, valueColumn, value } = readLine(head);
  if (/^[{[]/.test(value) || isComment(head)) return undefined;
  if (key !== undefined) {
    const written = head.slice(valueColumn).trimStart();
    return valuePlace(lines, row, written, offset - written.length, document);
  }
  const written = head.slice(keyColumn);
  return {
    path: containerOf(lines, row, keyColumn),
    at: "key",
    written,
    from: offset - written.length,
    taken: keysAround(lines, row, keyColumn),
    indent: keyColumn,
    document,
  };
}

function isComment(head: string): boolean {
  return /(?:^|\s)#/.test(head.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, ""));
}

function valuePlace(
  lines: readonly string[],
  row: number,
  written: string,
  from: number,
  document: string,
): ManifestPlace {
  const { key = "", keyColumn } = readLine(lines[row] ?? "");
  const path = [...containerOf(lines, row, keyColumn), key];
  return { path, at: "value", written, from, taken: [], indent: keyColumn, document };
}

/** The lines of the document that the offset is in. */
function linesAround(text: string, offset: number): { lines: string[]; row: number; column: number } {
  const all = text.split("\n");
  let [row, start] = [0, 0];
  for (; start + (all[row]?.length ?? 0) < offset; row++) start += (all[row]?.length ?? 0) + 1;
  const isBreak = (line: string | undefined): boolean => line?.startsWith("---") === true;
  const first = all.findLastIndex((line, index) => index < row && isBreak(line)) + 1;
  const last = all.findIndex((line, index) => index > row && isBreak(line));
  return { lines: all.slice(first, last < 0 ? undefined : last), row: row - first, column: offset - start };
}

interface Line {
  /** The columns of the dashes before the key. */
  readonly dashes: readonly number[];
  readonly keyColumn: number;
  /** Undefined if there is none yet. */
  readonly key: string | undefined;
  readonly valueColumn: number;
  readonly value: string;
}

function readLine(line: string): Line {
  const dashes: number[] = [];
  let at = /^ */.exec(line)?.[0].length ?? 0;
  for (let dash = /^-(?: +|$)/.exec(line.slice(at)); dash !== null; dash = /^-(?: +|$)/.exec(line.slice(at))) {
    dashes.push(at);
    at += dash[0].length;
  }
  const match = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#"'{[][^#]*?):(?= |$)/.exec(line.slice(at));
  if (match === null) return { dashes, keyColumn: at, key: undefined, valueColumn: at, value: line.slice(at) };
  const key = (match[1] ?? "").replace(/^(["'])(.*)\1$/, "$2");
  const valueColumn = at + match[0].length;
  return { dashes, keyColumn: at, key, valueColumn, value: line.slice(valueColumn).trim() };
}

function isBlank(line: string): boolean {
  return /^\s*(?:#.*)?$/.test(line);
}

/** The row of the key whose block of text (`|`, `>`) the cursor is in. */
function blockScalar(lines: readonly string[], row: number, column: number): number | undefined {
  const own = lines[row] ?? "";
  const indent = own.trim() === "" ? column : own.search(/\S/);
  for (let above = row - 1; above >= 0; above--) {
    const line = lines[above] ?? "";
    if (line.trim() === "" || line.search(/\S/) >= indent) continue;
    const { key, keyColumn, value } = readLine(line);
    return key !== undefined && keyColumn < indent && /^[|>][-+0-9]*(?:\s+#.*)?$/.test(value) ? above : undefined;
  }
  return undefined;
}

/** The path of the map that has a key in this column of this row. */
function containerOf(lines: readonly string[], row: number, column: number): (string | number)[] {
  const path: (string | number)[] = [];
  let [limit, isItem] = [column, false];
  for (let at = row; at >= 0; at--) {
    const line = lines[at] ?? "";
    if (at < row && isBlank(line)) continue;
    const { dashes, keyColumn, key } = readLine(line);
    // The key of a list may stand right above its dashes.
    if (at < row && key !== undefined && (keyColumn < limit || (isItem && keyColumn === limit))) {
      path.unshift(key);
      [limit, isItem] = [keyColumn, false];
    }
    for (const dash of dashes.filter((each) => each < limit).reverse()) {
      path.unshift(itemIndex(lines, at, dash));
      [limit, isItem] = [dash, true];
    }
  }
  return path;
}

function itemIndex(lines: readonly string[], row: number, dash: number): number {
  let index = 0;
  for (let above = row - 1; above >= 0; above--) {
    const line = lines[above] ?? "";
    if (isBlank(line)) continue;
    const { dashes, keyColumn } = readLine(line);
    if (dashes.includes(dash)) index++;
    else if (keyColumn <= dash) break;
  }
  return index;
}

function keysAround(lines: readonly string[], row: number, column: number): string[] {
  const keys: string[] = [];
  const look = (from: number, step: 1 | -1): void => {
    for (let at = from; at >= 0 && at < lines.length; at += step) {
      const line = lines[at] ?? "";
      if (isBlank(line)) continue;
      const { dashes, keyColumn, key } = readLine(line);
      const isBoundary = dashes.length > 0 && keyColumn === column;
      if (keyColumn < column || (isBoundary && step === 1)) return;
      if (keyColumn === column && key !== undefined) keys.push(key);
      if (isBoundary || dashes.some((each) => each < column)) return;
    }
  };
  if (readLine(lines[row] ?? "").dashes.length === 0) look(row - 1, -1);
  look(row + 1, 1);
  return keys;
}
