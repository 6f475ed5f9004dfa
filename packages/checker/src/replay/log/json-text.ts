/** An object in the text of a log, decoded when something first reads it: most objects of a log are never looked at. */
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";

const TYPED_VERSION =
  /^\{"kind":"[^"]*","apiVersion":"[^"]*","metadata":\{"name":"[^"]*",(?:"generateName":"[^"]*",)?(?:"namespace":"[^"]*",)?"uid":"[^"]*","resourceVersion":"([0-9]+)"/;

/** A part of a line would keep the whole line in memory. */
function copied(text: string): string {
  return Buffer.from(text).toString();
}

export class JsonText {
  readonly #text: string;
  #mention: { readonly text: string; readonly isFound: boolean } | undefined;
  #value: { readonly decoded: JsonValue | undefined } | undefined;
  /** Where the decoded value counts; undefined for texts that are not kept. */
  #decoded: DecodedTexts | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  static of(value: JsonValue): JsonText {
    const made = new JsonText("");
    made.#value = { decoded: value };
    return made;
  }

  /** Roughly the memory that it takes. */
  get size(): number {
    return this.#text.length + 64;
  }

  /** Whether the text could be cut out of a line at the wrong place is only known once it is decoded. */
  value(): JsonValue | undefined {
    if (this.#value === undefined) {
      const decoded = decodeJson(this.#text);
      this.#value = { decoded: decoded.error === undefined ? decoded.value : undefined };
      this.#decoded?.add(this);
    }
    return this.#value.decoded;
  }

  object(): JsonObject | undefined {
    const value = this.value();
    return isObject(value) ? value : undefined;
  }

  /**
   * The resourceVersion, if the text shows it without being decoded: built-in kinds have it in front of everything that
   * users can name.
   */
  typedVersion(): string | undefined {
    return TYPED_VERSION.exec(this.#text)?.[1];
  }

  /** Whether a text stands anywhere in it. Asked again and again, for the same text. */
  mentions(text: string): boolean {
    if (this.#mention?.text !== text) {
      const whole = this.#text === "" ? canonicalJson(this.value() ?? null) : this.#text;
      this.#mention = { text, isFound: whole.includes(text) };
    }
    return this.#mention.isFound;
  }

  /** Whether it is an object of a kind; by its beginning, where that says it. */
  isOfKind(kind: string | undefined): boolean {
    if (kind === undefined) return this.object() !== undefined && this.object()?.["kind"] !== "Status";
    return this.#text.startsWith(`{"kind":"${kind}",`) || this.object()?.["kind"] === kind;
  }

  /** For keeping: a text of its own, of which only what was read lately stays decoded. */
  packed(decoded: DecodedTexts): JsonText {
    const text = this.#text === "" ? canonicalJson(this.value() ?? null) : copied(this.#text);
    const made = new JsonText(text);
    made.#decoded = decoded;
    made.#value = this.#value;
    if (made.#value !== undefined) decoded.add(made);
    return made;
  }

  /** Decodes again when it is next read. */
  forgetValue(): void {
    this.#value = undefined;
  }
}

/** Decoded objects take several times the memory of their text, so only a few of those that are kept stay decoded. */
export class DecodedTexts {
  readonly #texts = new Set<JsonText>();
  readonly #limit: number;
  #size = 0;

  /** `limit` is the length of all their texts. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(text: JsonText): void {
    this.#texts.add(text);
    this.#size += text.size;
    for (const oldest of this.#texts) {
      if (this.#size <= this.#limit || oldest === text) return;
      this.#texts.delete(oldest);
      this.#size -= oldest.size;
      oldest.forgetValue();
    }
  }
}
