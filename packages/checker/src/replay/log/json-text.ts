/** An object in the text of a log, decoded when something first reads it: most objects of a log are never looked at. */
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { metaText } from "@portcullis/engine/internal/value/metadata";
import { canonicalJson } from "@portcullis/engine/internal/value/text";

const TYPED_VERSION =
  /^\{"kind":"[^"]*","apiVersion":"[^"]*","metadata":\{"name":"[^"]*",(?:"generateName":"[^"]*",)?(?:"namespace":"[^"]*",)?"uid":"[^"]*","resourceVersion":"([0-9]+)"/;

const RESOURCE_VERSION = '"resourceVersion"';

/** As long as the resourceVersion of a built-in kind may be away from the beginning. */
const BEGINNING = 1024;

/**
 * Lines wait as bytes, which the garbage collector does not copy. What is kept is a text of its own, because a part of a
 * line would keep the whole line in memory.
 */
export class JsonText {
  readonly #bytes: Buffer | undefined;
  readonly #start: number;
  readonly #end: number;
  #text: string | undefined;
  #mention: { readonly text: string; readonly isFound: boolean } | undefined;
  #value: { readonly decoded: JsonValue | undefined } | undefined;
  /** Where the decoded value counts; undefined for texts that are not kept. */
  #decoded: DecodedTexts | undefined;

  constructor(source: Buffer | string, start = 0, end = source.length) {
    this.#bytes = typeof source === "string" ? undefined : source;
    this.#text = typeof source === "string" ? source : undefined;
    this.#start = start;
    this.#end = end;
  }

  static of(value: JsonValue): JsonText {
    const made = new JsonText("");
    made.#value = { decoded: value };
    return made;
  }

  /** Roughly the memory that it takes. */
  get size(): number {
    return this.#end - this.#start + 64;
  }

  /** Whether the text could be cut out of a line at the wrong place is only known once it is decoded. */
  value(): JsonValue | undefined {
    if (this.#value === undefined) {
      const decoded = decodeJson(this.#whole());
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
    return TYPED_VERSION.exec(this.#beginning(BEGINNING))?.[1];
  }

  /** That of the metadata; "" if there is none. Decodes only what has one. */
  resourceVersion(): string {
    const typed = this.typedVersion();
    if (typed !== undefined) return typed;
    if (this.#value === undefined && !this.#includes(RESOURCE_VERSION)) return "";
    return metaText(this.object() ?? {}, "resourceVersion");
  }

  /** Whether a text stands anywhere in it. Asked again and again, for the same text. */
  mentions(text: string): boolean {
    if (this.#mention?.text !== text) this.#mention = { text, isFound: this.#includes(text) };
    return this.#mention.isFound;
  }

  /** Whether it is an object of a kind; by its beginning, where that says it. */
  isOfKind(kind: string | undefined): boolean {
    if (kind === undefined) return this.object() !== undefined && this.object()?.["kind"] !== "Status";
    const beginning = `{"kind":"${kind}",`;
    return this.#beginning(beginning.length) === beginning || this.object()?.["kind"] === kind;
  }

  /** For keeping: a text of its own, of which only what was read lately stays decoded. */
  packed(decoded: DecodedTexts): JsonText {
    const made = new JsonText(this.#whole());
    made.#decoded = decoded;
    made.#value = this.#value;
    if (made.#value !== undefined) decoded.add(made);
    return made;
  }

  /** Decodes again when it is next read. */
  forgetValue(): void {
    this.#value = undefined;
  }

  #whole(): string {
    if (this.#text === "") return canonicalJson(this.#value?.decoded ?? null);
    return this.#text ?? this.#bytes?.toString("utf8", this.#start, this.#end) ?? "";
  }

  #includes(text: string): boolean {
    if (this.#bytes === undefined) return this.#whole().includes(text);
    return this.#bytes.subarray(this.#start, this.#end).includes(text);
  }

  /** Its first characters; what is not ASCII is garbled. */
  #beginning(length: number): string {
    const end = Math.min(this.#end, this.#start + length);
    return this.#text?.slice(0, length) ?? this.#bytes?.toString("latin1", this.#start, end) ?? "";
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
