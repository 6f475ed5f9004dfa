/**
 * One text with several documents, as kubectl takes it apart.
 *
 * Follows apimachinery util/yaml: a line that starts with `---` ends a document, and nothing but a comment may follow
 * on it. A separator before any content stays in its document, so a second one in a row makes an empty document.
 */
import { type Decoded, type DecodeFailure, decodeJsonStream, type JsonDecodeOptions } from "./json.ts";
import { badSeparator } from "./messages.ts";
import { decodeYaml } from "./yaml.ts";

export interface DocumentText {
  readonly text: string;
  /** Where it starts in the whole text. */
  readonly offset: number;
}

export interface DocumentSplit {
  readonly documents: readonly DocumentText[];
  /** Why the rest could not be split; the documents before it stand. */
  readonly error?: string;
}

/** One document of a text. */
export interface DecodedDocument {
  readonly document: Decoded | DecodeFailure;
  /** Where it starts in the whole text; positions inside it count from there. */
  readonly offset: number;
}

/**
 * All documents of a file. Text that starts like JSON is read as a stream of JSON documents if it is one; otherwise
 * it is YAML, whose decoder takes JSON too. A failed document does not stop the following ones.
 * @example decodeDocuments("a: 1\n---\nb: 2").length // 2
 */
export function decodeDocuments(text: string, options: JsonDecodeOptions = {}): DecodedDocument[] {
  if (looksLikeJson(text)) {
    const streamed = decodeJsonStream(text, options);
    if (streamed.every(({ document }) => document.error === undefined)) return streamed.map(fromTextStart);
  }
  const { documents, error } = splitYamlDocuments(text);
  const decoded = documents.map(({ text: part, offset }) => ({
    document: decodeYaml(part, options),
    // The decoder counts from behind a byte order mark.
    offset: part.startsWith("\ufeff") ? offset + 1 : offset,
  }));
  return error === undefined ? decoded : [...decoded, { document: { error }, offset: text.length }];
}

// The JSON decoder counts from the start of the whole text already.
function fromTextStart({ document }: DecodedDocument): DecodedDocument {
  return { document, offset: 0 };
}

export function splitYamlDocuments(text: string): DocumentSplit {
  const documents: DocumentText[] = [];
  let start = 0;
  for (let line = 0; line < text.length; ) {
    const next = nextLine(text, line);
    if (text.startsWith("---", line)) {
      const rest = text.slice(line + 3, next).trim();
      if (rest !== "" && !rest.startsWith("#")) return { documents, error: badSeparator(rest) };
      if (line > start) {
        documents.push({ text: text.slice(start, line), offset: start });
        start = next;
      }
    }
    line = next;
  }
  if (start < text.length) documents.push({ text: text.slice(start), offset: start });
  return { documents };
}

function nextLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end + 1;
}

/** Whether kubectl would try the text as JSON first: an open brace is the first thing in it. */
export function looksLikeJson(text: string): boolean {
  return /^[\s\x85]*\{/.test(text);
}
