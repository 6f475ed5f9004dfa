/** Reads our own YAML formats: every field is read by name, and unread fields are errors. */

import { isArray, isNumber, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { asFloat } from "@portcullis/engine/internal/value/number";
import { UsageError } from "../input/usage-error.ts";
import * as messages from "./messages.ts";

export class Fields {
  readonly place: string;
  /** The path within the document, such as `tests[0].cases[1]`. */
  readonly path: string;
  readonly #json: JsonObject;
  readonly #asked = new Set<string>();

  constructor(json: JsonObject, place: string, path = "") {
    this.#json = json;
    this.place = place;
    this.path = path;
  }

  /** The last part of the path, such as `steps[1]`. */
  get name(): string {
    return this.path.slice(this.path.lastIndexOf(".") + 1);
  }

  /** Whether the field is there, even if it is null. The field still has to be read. */
  has(name: string): boolean {
    return this.#json[name] !== undefined;
  }

  /** Undefined if the field is absent or null. */
  any(name: string): JsonValue | undefined {
    this.#asked.add(name);
    return this.#json[name] ?? undefined;
  }

  text(name: string): string | undefined {
    const value = this.any(name);
    return value === undefined || typeof value === "string" ? value : this.#refuse(name, "a text");
  }

  flag(name: string): boolean | undefined {
    const value = this.any(name);
    return value === undefined || typeof value === "boolean" ? value : this.#refuse(name, "true or false");
  }

  number(name: string): number | undefined {
    const value = this.any(name);
    if (value === undefined) return undefined;
    return isNumber(value) ? asFloat(value) : this.#refuse(name, "a number");
  }

  object(name: string): JsonObject | undefined {
    const value = this.any(name);
    return value === undefined || isObject(value) ? value : this.#refuse(name, "an object");
  }

  list(name: string): readonly JsonValue[] {
    const value = this.any(name) ?? [];
    return isArray(value) ? value : this.#refuse(name, "a list");
  }

  texts(name: string): readonly string[] {
    const value = this.any(name) ?? [];
    const list = isArray(value) ? value : [value];
    return list.map((item) => (typeof item === "string" ? item : this.#refuse(name, "a text or a list of texts")));
  }

  /** The objects of a list, each with its own path. */
  each(name: string): readonly Fields[] {
    return this.list(name).map((item, index) =>
      isObject(item) ? this.#inner(item, `${name}[${index}]`) : this.#refuse(name, "a list of objects"),
    );
  }

  within(name: string): Fields | undefined {
    const value = this.object(name);
    return value && this.#inner(value, name);
  }

  #inner(json: JsonObject, name: string): Fields {
    return new Fields(json, `${this.place}: ${name}`, this.path === "" ? name : `${this.path}.${name}`);
  }

  /** Accepts these fields although they have no effect here. */
  pass(...names: readonly string[]): void {
    for (const name of names) this.#asked.add(name);
  }

  /** Throws if a field was never read. */
  finish(): void {
    const stray = Object.keys(this.#json).find((name) => !this.#asked.has(name));
    if (stray !== undefined) throw new UsageError(messages.unknownField(this.place, stray, [...this.#asked].sort()));
  }

  #refuse(name: string, wanted: string): never {
    throw new UsageError(messages.notOf(`${this.place}: ${name}`, wanted));
  }
}
