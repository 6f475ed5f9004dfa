/**
 * Nodes to JSON values.
 *
 * Follows go-yaml v2's decode.go into untyped values and then sigs.k8s.io/yaml's way to JSON. Two mappings merged with
 * `<<` are set key by key in document order, so a merge that comes after a key replaces it. Keys become strings;
 * floats without a fraction become integers, because they pass through JSON text. Duplicate keys are noted by line,
 * keys of different types (`1` and `"1"`) are not duplicates, and the last one stays.
 *
 * Aliases are expanded, within go-yaml's limit on how much of a document may come from them. Open collections are
 * kept on a stack, so depth is bounded by the limits alone.
 */
import { formatFloat } from "@portcullis/gostd/strconv";
import { Float64, floatValue, integerValue, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import type { DuplicateKey } from "../position.ts";
import { YamlFailure } from "./cursor.ts";
import { nodeGoSyntax, scalarGoSyntax } from "./go-syntax.ts";
import { findBadKey, findBadNumber, unsupportedKey } from "./json-limits.ts";
import type { YamlNode } from "./node.ts";
import { resolveScalar, type YamlScalar } from "./resolve.ts";

export interface Constructed {
  readonly value: JsonValue;
  /** `line 3: key "a" already set in map`, one a duplicate. */
  readonly duplicates: readonly string[];
  /** The first of them with path and place. */
  readonly places: readonly DuplicateKey[];
  /** What keeps the value from being JSON. */
  readonly error: string | undefined;
}

/** A mapping being filled; merged mappings fill the same one. */
interface Target {
  readonly object: JsonObject;
  /** Keys with their types, kept once a key is met that is not a string. */
  typed: Set<string> | undefined;
}

interface Frame {
  readonly node: YamlNode;
  next: number;
  readonly list: JsonValue[] | undefined;
  readonly target: Target | undefined;
  /** The alias this was reached through. */
  readonly alias: YamlNode | undefined;
  /** What its parent does with the result. */
  readonly role: "value" | "key" | "merge" | "merge-list";
  /** The entry whose value is being constructed. */
  key: YamlScalar;
  keyStart: number;
  valueNode: YamlNode | undefined;
}

const MAX_DEPTH = 10_000;
const MAX_DUPLICATES = 100_000;
const MAX_PLACES = 100;
const MAX_INT64 = 2n ** 63n - 1n;

/** Throws `YamlFailure` where go-yaml gives up. */
export function constructYaml(root: YamlNode): Constructed {
  return new Constructor().run(root);
}

class Constructor {
  readonly #frames: Frame[] = [];
  readonly #duplicates: string[] = [];
  readonly #places: DuplicateKey[] = [];
  readonly #expanding = new Set<YamlNode>();
  /** Objects with keys JSON cannot have, and what to say of each. */
  readonly #badKeys = new Map<JsonObject, Map<string, string>>();
  /** Values replaced under a key that has the same text but another type: they must still be convertible. */
  readonly #shadowed: JsonValue[] = [];
  #hasBadNumber = false;
  #tooDeep: string | undefined;
  #result: JsonValue = null;
  #decoded = 0;
  #aliased = 0;

  run(root: YamlNode): Constructed {
    // The document counts as a decoded node too.
    this.#count();
    this.#enter(root, "value");
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      if (frame.next >= frame.node.children.length) this.#leave(frame);
      else if (frame.role === "merge-list") this.#mergeNext(frame);
      else if (frame.list !== undefined) this.#enter(this.#child(frame), "value");
      else this.#entry(frame);
    }
    return { value: this.#result, duplicates: this.#duplicates, places: this.#places, error: this.#findError() };
  }

  // Looked for at the end, because a later duplicate may have replaced what was wrong.
  #findError(): string | undefined {
    const roots = [this.#result, ...this.#shadowed];
    const badKey = this.#badKeys.size === 0 ? undefined : findBadKey(roots, this.#badKeys);
    const badNumber = this.#hasBadNumber ? findBadNumber(this.#result) : undefined;
    return badKey ?? badNumber ?? this.#tooDeep;
  }

  #child(frame: Frame): YamlNode {
    const node = frame.node.children[frame.next++];
    if (node === undefined) throw new Error("a mapping node without a value");
    return node;
  }

  #entry(frame: Frame): void {
    const key = this.#child(frame);
    const value = this.#child(frame);
    if (isMerge(key)) {
      this.#merge(value, frame.target);
      return;
    }
    frame.valueNode = value;
    frame.keyStart = key.start;
    this.#enter(key, "key");
  }

  // A scalar is handed over at once, a collection opens a frame.
  #enter(node: YamlNode, role: "value" | "key"): void {
    this.#count();
    let real = node;
    let alias: YamlNode | undefined;
    if (node.target !== undefined) {
      alias = node;
      this.#expand(node);
      this.#count();
      real = node.target;
    }
    if (real.kind === "scalar") {
      const scalar = resolveScalar(real);
      if (alias !== undefined) this.#expanding.delete(alias);
      if (role === "key") this.#takeKey(scalar);
      else this.#deliver(this.#toJson(scalar));
    } else if (real.kind === "sequence") this.#push(real, role, alias, { list: [], target: undefined });
    else this.#push(real, role, alias, { list: undefined, target: { object: newObject(), typed: undefined } });
  }

  #push(node: YamlNode, role: Frame["role"], alias: YamlNode | undefined, into: Pick<Frame, "list" | "target">): void {
    if (this.#frames.length >= MAX_DEPTH) {
      this.#tooDeep ??= `invalid character '${node.kind === "mapping" ? "{" : "["}' exceeded max depth`;
      if (this.#frames.length >= 3 * MAX_DEPTH) throw new YamlFailure(`exceeded max depth of ${MAX_DEPTH}`, node.start);
    }
    this.#frames.push({ node, next: 0, role, alias, key: null, keyStart: 0, valueNode: undefined, ...into });
  }

  #leave(frame: Frame): void {
    this.#frames.pop();
    if (frame.alias !== undefined) this.#expanding.delete(frame.alias);
    if (frame.role === "merge" || frame.role === "merge-list") return;
    if (frame.role === "key") {
      throw new YamlFailure(`invalid map key: ${nodeGoSyntax(frame.node)}`, frame.node.start);
    }
    this.#deliver(frame.list ?? frame.target?.object ?? null);
  }

  #takeKey(key: YamlScalar): void {
    const frame = this.#frames.at(-1);
    if (frame?.valueNode === undefined) return;
    frame.key = key;
    this.#enter(frame.valueNode, "value");
  }

  #deliver(value: JsonValue): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) this.#result = value;
    else if (frame.list !== undefined) frame.list.push(value);
    else if (frame.target !== undefined && frame.valueNode !== undefined) {
      this.#set(frame.target, frame.key, value, frame.valueNode);
    }
  }

  #set(target: Target, key: YamlScalar, value: JsonValue, node: YamlNode): void {
    const text = keyText(key) ?? this.#badKey(target.object, key, node);
    if (typeof key !== "string") target.typed ??= new Set(Object.keys(target.object).map((name) => `s${name}`));
    const previous = target.object[text];
    if (previous !== undefined) this.#noteReplaced(previous, target, key, node);
    target.typed?.add(typedKey(key));
    target.object[text] = value;
  }

  #noteReplaced(previous: JsonValue, target: Target, key: YamlScalar, node: YamlNode): void {
    if (!isSet(target, key)) this.#shadowed.push(previous);
    else if (this.#duplicates.length < MAX_DUPLICATES) {
      this.#duplicates.push(`line ${node.line}: key ${scalarGoSyntax(key)} already set in map`);
      if (this.#places.length < MAX_PLACES) this.#notePlace();
    }
  }

  /** Of the entry that the innermost frame is at, as the JSON decoder writes paths. */
  #notePlace(): void {
    let path = "";
    for (const [index, { list, key, role }] of this.#frames.entries()) {
      // A merged mapping fills the mapping that it is merged into.
      const isMerging = this.#frames[index + 1]?.role.startsWith("merge") === true || role === "merge-list";
      if (list !== undefined) path += `[${list.length}]`;
      else if (!isMerging) path += path === "" ? (keyText(key) ?? "null") : `.${keyText(key) ?? "null"}`;
    }
    this.#places.push({ path, offset: this.#frames.at(-1)?.keyStart ?? 0 });
  }

  // The NUL keeps it apart from keys of the document, none of which can have one unescaped.
  #badKey(object: JsonObject, key: YamlScalar, value: YamlNode): string {
    const keys = this.#badKeys.get(object) ?? new Map<string, string>();
    const text = `\0${key}`;
    keys.set(text, unsupportedKey(key, value));
    this.#badKeys.set(object, keys);
    return text;
  }

  #merge(value: YamlNode, target: Target | undefined): void {
    if (value.kind === "sequence") this.#push(value, "merge-list", undefined, { list: undefined, target });
    else this.#mergeFrom(value, target);
  }

  // Earlier mappings of a merge list win, so they are set last.
  #mergeNext(frame: Frame): void {
    const source = frame.node.children.at(-1 - frame.next++);
    if (source !== undefined) this.#mergeFrom(source, frame.target);
  }

  #mergeFrom(source: YamlNode, target: Target | undefined): void {
    const mapping = source.target ?? source;
    if (mapping.kind !== "mapping") {
      throw new YamlFailure("map merge requires map or sequence of maps as the value", source.start);
    }
    this.#count();
    const alias = source.target === undefined ? undefined : source;
    if (alias !== undefined) {
      this.#expand(alias);
      this.#count();
    }
    this.#push(mapping, "merge", alias, { list: undefined, target });
  }

  #expand(alias: YamlNode): void {
    if (this.#expanding.has(alias)) throw new YamlFailure(`anchor '${alias.value}' value contains itself`, alias.start);
    this.#expanding.add(alias);
  }

  // Each alias adds the size of what it names, so a small document could otherwise grow without end.
  #count(): void {
    this.#decoded++;
    if (this.#expanding.size > 0) this.#aliased++;
    if (this.#aliased > 100 && this.#decoded > 1000 && this.#aliased / this.#decoded > allowedRatio(this.#decoded)) {
      throw new YamlFailure("document contains excessive aliasing", 0);
    }
  }

  #toJson(scalar: YamlScalar): JsonValue {
    if (typeof scalar === "bigint") return integerValue(scalar);
    return scalar instanceof Float64 ? this.#floatToJson(scalar.value) : scalar;
  }

  // Go writes the float as JSON and reads it back: without a fraction or an exponent it comes back an integer.
  #floatToJson(value: number): JsonValue {
    if (!Number.isFinite(value)) {
      this.#hasBadNumber = true;
      return new Float64(value);
    }
    if (!Number.isInteger(value) || Math.abs(value) >= 1e21) return floatValue(value);
    return integerValue(BigInt(String(value)));
  }
}

// Called for a key whose text is taken: with nothing but string keys that makes it a duplicate.
function isSet(target: Target, key: YamlScalar): boolean {
  return target.typed === undefined || target.typed.has(typedKey(key));
}

function keyText(key: YamlScalar): string | undefined {
  if (typeof key === "string") return key;
  if (key instanceof Float64) return floatKey(key.value);
  return key === null || (typeof key === "bigint" && key > MAX_INT64) ? undefined : String(key);
}

function isMerge(key: YamlNode): boolean {
  return key.kind === "scalar" && key.value === "<<" && (key.implicit || key.tag === "tag:yaml.org,2002:merge");
}

function typedKey(key: YamlScalar): string {
  if (typeof key === "string") return `s${key}`;
  return key instanceof Float64 ? `f${key.value}` : `${typeof key} ${key}`;
}

function floatKey(value: number): string {
  const text = formatFloat(Math.fround(value), "g", -1, 32);
  if (text === "+Inf") return ".inf";
  if (text === "-Inf") return "-.inf";
  return text === "NaN" ? ".nan" : text;
}

const RATIO_LOW = 400_000;
const RATIO_HIGH = 4_000_000;

/** The share of decoded nodes that may come out of aliases: 99 % of a small document, 10 % of a large one. */
function allowedRatio(decoded: number): number {
  if (decoded <= RATIO_LOW) return 0.99;
  if (decoded >= RATIO_HIGH) return 0.1;
  return 0.99 - 0.89 * ((decoded - RATIO_LOW) / (RATIO_HIGH - RATIO_LOW));
}
