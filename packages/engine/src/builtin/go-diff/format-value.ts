/** One value as text. Follows report_reflect of go-cmp. */
import { isPrint, quote } from "@portcullis/gostd/quote";
import { byteLength, compareStrings, decodeUtf8, encodeUtf8, toRunes } from "@portcullis/gostd/utf8";
import { deeper, type FormatOptions, levelOf, partsShown } from "./format-options.ts";
import { type GoMap, type GoSlice, type GoStruct, type GoValue, isZeroValue } from "./go-value.ts";
import { braced, ELLIPSIS, isWrap, NIL, type TextNode, type TextRecord } from "./text-node.ts";

export function formatValue(value: GoValue, options: FormatOptions): TextNode {
  if (value.ownText !== undefined && !options.ignoresOwnText && !isNilPointer(value)) {
    return formatString("s", value.ownText, options);
  }
  switch (value.kind) {
    case "pointer":
      return value.to === undefined
        ? withType(value, NIL, options)
        : { prefix: "&", inner: formatValue(value.to, options), suffix: "" };
    case "struct":
      return withType(value, formatFields(value, options), options);
    case "slice":
      return withType(value, formatItems(value, options), options);
    case "map":
      return withType(value, formatEntries(value, options), options);
    case "string":
      return withType(value, formatString("", String(value.value), options), options);
    default:
      return withType(value, String(value.value), options);
  }
}

function isNilPointer(value: GoValue): boolean {
  return value.kind === "pointer" && value.to === undefined;
}

/** The text with the type before it, where types are printed. */
export function withType({ kind, type }: GoValue, text: TextNode, options: FormatOptions): TextNode {
  if (options.typeMode === "never") return text;
  if (options.typeMode === "auto") {
    const isComposite = kind === "struct" || kind === "slice" || kind === "map";
    if (!isComposite || text === NIL || options.mark === " ") return text;
  }
  const name = kind === "pointer" ? `(${type})` : type;
  return { prefix: name, inner: inParentheses(text), suffix: "" };
}

function inParentheses(text: TextNode): TextNode {
  const isEnclosed = (open: string, close: string): boolean =>
    isWrap(text) && text.prefix.startsWith(open) && text.suffix.endsWith(close);
  return isEnclosed("(", ")") || isEnclosed("{", "}") ? text : { prefix: "(", inner: text, suffix: ")" };
}

function formatFields({ fields }: GoStruct, options: FormatOptions): TextNode {
  const inner: FormatOptions = { ...deeper(options), typeMode: "auto" };
  const shown = fields.filter(({ value }) => !isZeroValue(value));
  return limited(shown, options, ({ name, value }) => ({ key: name, text: formatValue(value, inner) }));
}

function formatItems({ items }: GoSlice, options: FormatOptions): TextNode {
  if (items === undefined) return NIL;
  const inner: FormatOptions = { ...deeper(options), typeMode: "never" };
  return limited(items, options, (item) => ({ text: formatValue(item, inner) }));
}

function formatEntries({ entries, hasOwnKeys }: GoMap, options: FormatOptions): TextNode {
  if (entries === undefined) return NIL;
  const inner: FormatOptions = { ...deeper(options), typeMode: "never" };
  const sorted = [...entries].sort(([left], [right]) => compareStrings(left, right));
  return limited(sorted, options, ([key, value]) => ({
    key: formatKey(key, hasOwnKeys),
    text: formatValue(value, inner),
  }));
}

function limited<T>(parts: readonly T[], options: FormatOptions, format: (part: T) => TextRecord): TextNode {
  const count = partsShown(options);
  const records = parts.slice(0, count).map(format);
  return braced(parts.length > count ? [...records, { text: ELLIPSIS, isBare: true }] : records);
}

const KEY_OPTIONS: FormatOptions = {
  mark: " ",
  typeMode: "never",
  verbosity: 6,
  isLimited: true,
  ignoresOwnText: false,
};

/** A key of a map, in one line. */
export function formatKey(key: string, isOwn: boolean): string {
  return String(formatString(isOwn ? "s" : "", key, KEY_OPTIONS));
}

function formatString(prefix: string, text: string, options: FormatOptions): TextNode {
  const level = levelOf(options);
  const size = byteLength(text);
  const maxLength = options.isLimited ? (1 << level) << 5 : size;
  const lines = text.replace(/\n$/, "").split("\n");
  if (lines.length >= 4 && (options.mark === "-" || options.mark === "+")) {
    const shown = lines.map(withoutReturns);
    const maxLines = options.isLimited ? (1 << level) << 2 : lines.length + 1;
    if (shown.every((line) => isPlainLine(line, prefix) && byteLength(line) <= maxLength))
      return tripleQuoted(prefix, shown, maxLines, options);
  }
  if (size <= maxLength + ELLIPSIS.length) return `${prefix}${quoteOrRaw(text)}`;
  return `${prefix}${quoteOrRaw(decodeUtf8(encodeUtf8(text).slice(0, maxLength)))}${ELLIPSIS}`;
}

function tripleQuoted(prefix: string, lines: readonly string[], max: number, { mark }: FormatOptions): TextNode {
  const record = (text: string, comment?: string): TextRecord => ({
    mark,
    text,
    isBare: true,
    ...(comment !== undefined && { comment }),
  });
  const isCut = lines.length > max;
  const left = lines.length - max + 1;
  const shown = (isCut ? lines.slice(0, max - 1) : lines).map((line) => record(line));
  const cut = isCut ? [record(ELLIPSIS, `${left} elided lines`)] : [];
  const end = record(`${prefix}"""`);
  return { prefix: "(", inner: [end, ...shown, ...cut, end], suffix: ")" };
}

export function withoutReturns(line: string): string {
  return line.replace(/\r$/, "").replace(/^\r/, "");
}

/** Whether a line may be between triple quotes. */
export function isPlainLine(line: string, prefix = ""): boolean {
  const start = line.startsWith(prefix) ? line.slice(prefix.length) : line;
  return !start.startsWith('"""') && !line.startsWith(ELLIPSIS) && isPrintable(line);
}

function isPrintable(text: string): boolean {
  return toRunes(text).every((rune) => rune === TAB || isPrint(rune));
}

const TAB = 9;
const BACKQUOTE = 96;

/** In quotes, or in backquotes if something were escaped. */
export function quoteOrRaw(text: string): string {
  const quoted = quote(text);
  if (byteLength(quoted) === byteLength(text) + 2) return quoted;
  const isRaw = toRunes(text).every((rune) => rune !== BACKQUOTE && (rune === TAB || isPrint(rune)));
  return isRaw ? `\`${text}\`` : quoted;
}
