/**
 * The decoder for documents without surprises, which most are.
 *
 * It makes the same values as `JsonParser`, and also the outline of the document. Objects of one list mostly have the
 * same keys in the same order, so the outline predicts the next key: if it is right, the key is only compared, not
 * created again. On an error, a duplicate that must be reported, great depth or many different keys it gives up, and
 * the caller uses `JsonParser`, which has the messages.
 */
import { type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { Outline } from "../value/outline.ts";
import { JsonLexer, SyntaxFailure } from "./json-lexer.ts";

/** Safe for the call stack wherever this runs. */
const QUICK_DEPTH = 100;
/** With more places than this an outline does not pay off. */
const MAX_PLACES = 5_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const SPACE = 0x20;

export class QuickParser extends JsonLexer {
  readonly outline = new Outline("");
  private readonly duplicates: boolean;
  private objects = 0;
  private places = 0;

  constructor(text: string, duplicates: boolean) {
    super(text);
    this.duplicates = duplicates;
  }

  /** Throws a `SyntaxFailure` where it gives up. */
  parseDocument(): JsonValue {
    const value = this.readValue(this.outline, this.skipSpace(), QUICK_DEPTH);
    this.skipSpace();
    if (this.pos < this.text.length) this.giveUp();
    this.outline.document = value;
    return value;
  }

  private giveUp(): never {
    throw new SyntaxFailure(this.pos, undefined, undefined);
  }

  private readValue(place: Outline, unit: number, depth: number): JsonValue {
    switch (unit) {
      case QUOTE:
        return this.readString();
      case 0x7b:
        return this.readObject(place, depth);
      case 0x5b:
        return this.readList(place, depth);
      case 0x74:
        return this.readLiteral("true", true);
      case 0x66:
        return this.readLiteral("false", false);
      case 0x6e:
        place.hasNull = true;
        return this.readLiteral("null", null);
      default:
        if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) return this.readNumber(unit);
        return this.giveUp();
    }
  }

  private readList(place: Outline, depth: number): JsonValue[] {
    const list: JsonValue[] = [];
    if (depth <= 0) this.giveUp();
    place.items ??= this.newItems();
    const items = place.items;
    this.pos++;
    let unit = this.nextUnit();
    if (unit === 0x5d) {
      this.pos++;
      return list;
    }
    for (;;) {
      list.push(unit === QUOTE ? this.readString() : this.readValue(items, unit, depth - 1));
      unit = this.nextUnit();
      this.pos++;
      if (unit !== COMMA) break;
      unit = this.nextUnit();
    }
    if (unit !== 0x5d) this.giveUp();
    return list;
  }

  private readObject(place: Outline, depth: number): JsonObject {
    const object = newObject();
    if (depth <= 0) this.giveUp();
    const number = ++this.objects;
    this.pos++;
    let unit = this.nextUnit();
    if (unit === 0x7d) {
      this.pos++;
      return object;
    }
    let expected = place.entry;
    let before: Outline | undefined;
    for (;;) {
      if (unit !== QUOTE) this.giveUp();
      const member = expected !== undefined && this.skipKey(expected) ? expected : this.readMember(place, before);
      if (this.nextUnit() !== 0x3a) this.giveUp();
      if (member.seenIn === number && this.duplicates) this.giveUp();
      member.seenIn = number;
      this.pos++;
      unit = this.nextUnit();
      object[member.key] = unit === QUOTE ? this.readString() : this.readValue(member, unit, depth - 1);
      unit = this.nextUnit();
      this.pos++;
      if (unit !== COMMA) break;
      unit = this.nextUnit();
      before = member;
      expected = member.next;
    }
    if (unit !== 0x7d) this.giveUp();
    return object;
  }

  /** Like `skipSpace`, for texts that hardly have any. */
  private nextUnit(): number {
    const unit = this.text.charCodeAt(this.pos);
    return unit <= SPACE ? this.skipSpace() : unit;
  }

  /** Goes past a key if it is the expected one. INVARIANT: nothing in an expected key needs escaping. */
  private skipKey(expected: Outline): boolean {
    const { text } = this;
    const key = expected.units ?? expected.spell();
    const start = this.pos + 1;
    const { length } = key;
    for (let i = 0; i < length; i++) if (text.charCodeAt(start + i) !== key[i]) return false;
    if (text.charCodeAt(start + length) !== QUOTE) return false;
    this.pos = start + length + 1;
    return true;
  }

  private readMember(place: Outline, before: Outline | undefined): Outline {
    const start = this.pos;
    const key = this.readString();
    const known = place.members.length;
    const member = place.member(key);
    if (place.members.length > known) this.countPlace();
    // An escape is longer than what it stands for.
    if (this.pos - start !== key.length + 2) return member;
    if (before === undefined) place.entry = member;
    else before.next = member;
    return member;
  }

  private newItems(): Outline {
    this.countPlace();
    return new Outline("");
  }

  private countPlace(): void {
    this.places++;
    if (this.places > MAX_PLACES) this.giveUp();
  }
}
