/** The events of YAML, from the parser to the code that builds nodes. */
import type { Mark } from "./cursor.ts";

export type EventType =
  | "stream-end"
  | "document-start"
  | "document-end"
  | "alias"
  | "scalar"
  | "sequence-start"
  | "mapping-start"
  | "collection-end";

export interface YamlEvent {
  readonly type: EventType;
  readonly mark: Mark;
  readonly end: number;
  /** "" for none. */
  readonly anchor: string;
  /** Resolved to its long form; "" for none. */
  readonly tag: string;
  readonly value: string;
  /** A scalar whose type is read off its text. */
  readonly implicit: boolean;
}

export function event(type: EventType, mark: Mark): YamlEvent {
  return { type, mark, end: mark.pos, anchor: "", tag: "", value: "", implicit: false };
}
