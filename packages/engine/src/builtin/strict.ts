/**
 * A typed body read from its text: needed where a key is repeated, because Go decodes the second value into what the
 * first left behind, and where duplicate and unknown fields are reported in the order of the document.
 *
 * Follows sigs.k8s.io/json: below an unknown field nothing is looked at, nor in a type that decodes itself; a key that
 * is unknown and repeated is reported once, as unknown. INVARIANT: the text is valid JSON; a decoder has accepted it before.
 */
import { decodeJson } from "../codec/json.ts";
import { duplicateField, unknownField } from "../codec/messages.ts";
import type { Entry, GoDecodeOptions } from "../field/go-decode-state.ts";
import type { GoShape } from "../field/go-shape.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";

export interface TypedText {
  /** Fields that the type knows; of a repeated key the last value. */
  readonly value: JsonValue;
  /** For objects in which keys are repeated, all their members in the order of the document. */
  readonly repeated: (object: JsonObject) => readonly Entry[] | undefined;
  readonly findings: readonly string[];
}

export interface TextBody {
  readonly value: JsonValue;
  readonly text: () => string;
  /** Duplicate keys, as the codec found them. */
  readonly strictErrors: readonly string[];
  readonly isYaml?: boolean;
}

export interface TypedDecoding<T> {
  readonly decoded: T;
  /** Duplicate and unknown fields. */
  readonly findings: readonly string[];
}

/** Decodes a body into a Go type, reading its text again where keys are repeated. `shape` is what `decode` decodes into. */
export function decodeTypedBody<T extends { readonly unknown: readonly string[] }>(
  body: TextBody,
  shape: GoShape | undefined,
  decode: (json: JsonObject, options?: GoDecodeOptions) => T,
): TypedDecoding<T> {
  const { strictErrors, isYaml = false } = body;
  if (strictErrors.length > 0 && !isYaml && shape !== undefined) {
    const { value, repeated, findings } = readTypedText(body.text(), shape);
    return { decoded: decode(isObject(value) ? value : newObject(), { repeated }), findings };
  }
  const decoded = decode(isObject(body.value) ? body.value : newObject(), { sortKeys: isYaml });
  const hasText = !isYaml && shape !== undefined && isMisordered(decoded.unknown);
  if (hasText) return { decoded, findings: readTypedText(body.text(), shape).findings };
  return { decoded, findings: [...strictErrors, ...capFindings(decoded.unknown.map(unknownField))] };
}

/** JavaScript meets keys that look like numbers before the others, wherever they are. */
export function isMisordered(unknown: readonly string[]): boolean {
  return unknown.length > 1 && unknown.some((path) => /(^|\.)\d+$/.test(path));
}

/**
 * An error about a number with the number as the text has it: of `1e3` only its value is left after decoding. The first
 * number of that value that is no plain int64 is taken.
 */
export function withLiteral(error: string, text: string): string {
  const shown = /^json: cannot unmarshal number (\S+) into/.exec(error)?.[1];
  if (shown === undefined) return error;
  const wanted = /^[+-]Inf/.test(shown) ? Number(`${shown[0]}Infinity`) : Number(shown);
  const reader = new NumberReader(text);
  for (let literal = reader.next(); literal !== undefined; literal = reader.next()) {
    if (Number(literal) === wanted) return error.replace(` ${shown} `, ` ${literal} `);
  }
  return error;
}

/** The numbers of a JSON text, as they are written. */
class NumberReader {
  readonly #text: string;
  #pos = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): string | undefined {
    const text = this.#text;
    while (this.#pos < text.length) {
      const unit = text[this.#pos] ?? "";
      if (unit === '"')
        for (this.#pos++; this.#pos < text.length && text[this.#pos] !== '"'; this.#pos++) this.#skipEscape();
      else if (/[-\d]/.test(unit)) return this.#number();
      this.#pos++;
    }
    return undefined;
  }

  #skipEscape(): void {
    if (this.#text[this.#pos] === "\\") this.#pos++;
  }

  #number(): string {
    const start = this.#pos;
    while (/[-+.eE\d]/.test(this.#text[this.#pos] ?? "")) this.#pos++;
    return this.#text.slice(start, this.#pos);
  }
}

const MAX_FINDINGS = 100;

export interface ReadOptions {
  /** Whether values of any type are looked into: Go does where it decodes into an interface, not where it keeps text. */
  readonly looksIntoRaw?: boolean;
}

export function readTypedText(text: string, shape: GoShape, options: ReadOptions = {}): TypedText {
  const reader = new TypedReader(text, options);
  const value = reader.read(shape, "");
  return { value, repeated: (object) => reader.repeated.get(object), findings: reader.findings };
}

/** At most 100, each once. */
export function capFindings(findings: readonly string[]): string[] {
  return [...new Set(findings)].slice(0, MAX_FINDINGS);
}

class TypedReader {
  readonly repeated = new Map<JsonObject, Entry[]>();
  readonly #text: string;
  readonly #found = new Set<string>();
  #pos = 0;

  readonly #looksIntoRaw: boolean;

  constructor(text: string, { looksIntoRaw = false }: ReadOptions) {
    this.#text = text;
    this.#looksIntoRaw = looksIntoRaw;
  }

  get findings(): string[] {
    return [...this.#found];
  }

  read(shape: GoShape, path: string): JsonValue {
    const unit = this.#peek();
    const isAny = shape.kind === "raw" && this.#looksIntoRaw;
    if (unit === "{" && (isAny || shape.kind === "struct" || shape.kind === "map"))
      return this.#readObject(shape, path);
    if (unit === "[" && isAny) return this.#readList(shape, path);
    if (unit === "[" && shape.kind === "list") return this.#readList(shape.of, path);
    return this.#readRaw();
  }

  #readObject(shape: GoShape, path: string): JsonObject {
    const object = newObject();
    const entries: Entry[] = [];
    this.#pos++;
    while (this.#peek() !== "}") {
      const key = this.#readKey();
      const at = path === "" ? key : `${path}.${key}`;
      const member = memberShape(shape, key);
      if (member === undefined) {
        this.#report(unknownField(at));
        this.#readRaw();
      } else {
        if (key in object) {
          this.#report(duplicateField(at));
          this.repeated.set(object, entries);
        }
        const value = this.read(member, at);
        entries.push([key, value]);
        object[key] = value;
      }
      if (this.#peek() === ",") this.#pos++;
    }
    this.#pos++;
    return object;
  }

  #readList(of: GoShape, path: string): JsonValue[] {
    const items: JsonValue[] = [];
    this.#pos++;
    while (this.#peek() !== "]") {
      items.push(this.read(of, `${path}[${items.length}]`));
      if (this.#peek() === ",") this.#pos++;
    }
    this.#pos++;
    return items;
  }

  #readKey(): string {
    const key = this.#readRaw();
    this.#peek();
    this.#pos++;
    return typeof key === "string" ? key : "";
  }

  #readRaw(): JsonValue {
    this.#peek();
    const start = this.#pos;
    this.#skip();
    const decoded = decodeJson(this.#text.slice(start, this.#pos));
    return decoded.error === undefined ? decoded.value : null;
  }

  /** Past one value, however deep. */
  #skip(): void {
    let depth = 0;
    do {
      const unit = this.#text[this.#pos];
      if (unit === '"') this.#skipString();
      else if (unit === "{" || unit === "[") {
        depth++;
        this.#pos++;
      } else if (unit === "}" || unit === "]") {
        depth--;
        this.#pos++;
      } else if (depth > 0) this.#pos++;
      else this.#skipWord();
    } while (depth > 0 && this.#pos < this.#text.length);
  }

  #skipString(): void {
    for (this.#pos++; this.#text[this.#pos] !== '"'; this.#pos++) if (this.#text[this.#pos] === "\\") this.#pos++;
    this.#pos++;
  }

  #skipWord(): void {
    while (this.#pos < this.#text.length && !/[\s,:\]}]/.test(this.#text[this.#pos] ?? "")) this.#pos++;
  }

  #peek(): string | undefined {
    while (/\s/.test(this.#text[this.#pos] ?? "")) this.#pos++;
    return this.#text[this.#pos];
  }

  #report(finding: string): void {
    if (this.#found.size < MAX_FINDINGS) this.#found.add(finding);
  }
}

function memberShape(shape: GoShape, key: string): GoShape | undefined {
  if (shape.kind === "raw") return shape;
  if (shape.kind === "map") return shape.of;
  return shape.kind === "struct" ? shape.fields().get(key)?.shape : undefined;
}
